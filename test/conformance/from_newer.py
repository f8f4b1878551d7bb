"""Rules of 2025 and 2026 by what their authors have released: HGPO, MT-GRPO, IGPO, M2PO, RL-PLUS, Tree-GRPO, iStar, RAGEN-2, A²TGPO, CCPO, TPO, VCPO, and a baseline in verl."""

import math
import os
from collections import defaultdict
from types import SimpleNamespace

import numpy
import torch

from batches import ANY, EVEN
from from_agents import Chosen, loss_of_turns, steps_of


def hgpo(source, add):
    own = source.module("recipe/hgpo/core_hgpo.py")
    algos = source.module("verl/trainer/ppo/core_algos.py")

    def compute(run):
        data = steps_of(run, own.compute_step_discounted_returns)
        batch, ids = data.batch, data.non_tensor_batch
        a = own.compute_hgpo_outcome_advantage(
            batch["token_level_rewards"], batch["step_rewards"], batch["response_mask"], ids["anchor_obs"], ids["uid"], ids["traj_uid"], 2
        )[0]
        return run.from_turns(a), loss_of_turns(algos, run, a, True)

    called = [own.compute_hgpo_outcome_advantage, own.hgpo_advantage_estimate, algos.compute_policy_loss, algos.kl_penalty]
    add("HGPO: history 2", source, ANY, [source.at(f) for f in called], compute)
    return {
        "dualClip": source.line("verl/trainer/ppo/core_algos.py", "pg_losses3 = -advantages * clip_ratio_c", "def compute_policy_loss("),
        "weights": source.line("recipe/hgpo/core_hgpo.py", "w = w_raw / (w_raw.sum() + epsilon)"),
        "count": source.line("verl/utils/torch_functional.py", "+ 1e-8)", "def masked_mean"),
    }


class Answered:
    """A row in which the sampled tokens of each turn stand together and an answer of the world follows: turns are runs of ones."""

    def __init__(self, run):
        self.run = run
        order = torch.argsort(-run.mask, dim=2, stable=True)
        self.order = torch.cat([order, torch.zeros(run.N, run.T, 1, dtype=torch.int64)], 2)
        self.mask = torch.cat([run.mask.gather(2, order), torch.zeros(run.N, run.T, 1)], 2).reshape(run.N, -1)

    def row(self, x):
        return x.gather(2, self.order).reshape(self.run.N, -1) * self.mask

    def back(self, row):
        shape = (self.run.N, self.run.T, self.run.L + 1)
        return torch.zeros(self.run.batch.shape).scatter_add(2, self.order, (row * self.mask).reshape(shape))


def mt_grpo(source, add):
    """Both advantages, how they are assigned, and the loss: methods of the trainer, on an object that has what they read."""
    path = "verifiers/trainers/mt_grpo_env_trainer.py"
    trainer = next(one for name, one in vars(source.module(path)).items() if "_assign_advantages" in vars(one if isinstance(one, type) else object))

    def compute(run):
        laid = Answered(run)
        answered = torch.tensor([turns > 1 for turns in run.batch.turn_count])
        turn = torch.where(answered, run.reward[:, 0], 0.0)
        messages = [
            [said for t in range(turns) for said in ({"role": "assistant"}, {"role": "user", "content": "<result>"})][: 2 * turns - 1]
            for turns in run.batch.turn_count
        ]
        same = lambda x: x
        this = SimpleNamespace(
            accelerator=SimpleNamespace(device="cpu", process_index=0, gather_for_metrics=same),
            num_generations=run.size(),
            turn_advantage_coef=1.0,
            beta=0.0,
            epsilon=0.2,
            num_iterations=2,
            control=SimpleNamespace(should_evaluate=False),
            _metrics={"train": defaultdict(list)},
            _get_per_token_logps=lambda *_: laid.row(run.logp),
        )
        normalized = lambda rewards: trainer._compute_normalized_advantages(this, rewards, run.N)[2]
        a = trainer._assign_advantages(
            this, laid.mask, normalized(turn), normalized(run.returns - turn), normalized(run.returns), trainer._find_result_positions(this, None, messages)
        )
        empty = torch.zeros(run.N, 0)
        inputs = {
            "prompt_ids": empty,
            "prompt_mask": empty,
            "completion_ids": laid.mask,
            "completion_mask": laid.mask,
            "old_per_token_logps": laid.row(run.old),
            "advantages": a,
        }
        return laid.back(a), trainer.compute_loss(this, None, inputs)

    called = [trainer._compute_normalized_advantages, trainer._find_result_positions, trainer._assign_advantages, trainer.compute_loss]
    add("Multi-Turn-RL-Agent: MT-GRPO", source, EVEN, [source.at(f) for f in called], compute)
    return {}


def igpo(source, add):
    algos = source.module("verl/trainer/ppo/core_algos.py")

    def compute(run):
        # Positions are tokens: a turn is one here, and the next follows at once.
        groups = numpy.array(run.groups(), dtype=object)
        a = algos.compute_grpo_outcome_advantage(run.reward, run.mask.amax(2), groups)[0][:, :, None] * run.mask
        flat = run.by_trajectory
        return a, algos.compute_policy_loss(flat(run.old), flat(run.logp), flat(a), flat(run.mask), cliprange=0.2)[0]

    called = [algos.compute_grpo_outcome_advantage, algos.compute_policy_loss]
    add("IGPO: turns", source, EVEN, [source.at(f) for f in called], compute)
    return {
        "dualClip": source.line("verl/trainer/ppo/core_algos.py", "pg_losses3 = -advantages * clip_ratio_c", "def compute_policy_loss("),
        "count": source.line("verl/utils/torch_functional.py", "+ 1e-8)", "def masked_mean"),
    }


def areal(source, add, verl):
    """AReaL masks by the second moment between the policy that sampled and that at the start of the update; here the present one."""
    actor = source.functions("areal/trainer/ppo/actor.py", "_apply_m2po_masking", "_get_m2po_loss_mask")
    functional = source.functions("areal/utils/functional/functional.py", "ppo_actor_loss_fn")
    with verl:
        algos = verl.module("verl/trainer/ppo/core_algos.py")

    def compute(run):
        flat = run.by_trajectory
        mask = flat(run.mask).bool()
        a = algos.compute_grpo_outcome_advantage(run.outcome(), flat(run.mask), numpy.array(run.groups()))[0]
        left = actor._apply_m2po_masking(flat(run.old), flat(run.logp).detach(), mask, 0.04)
        loss, _ = functional.ppo_actor_loss_fn(
            logprobs=flat(run.logp), proximal_logprobs=flat(run.old), old_logprobs=flat(run.old), advantages=a, eps_clip=1e9, loss_mask=left
        )
        return a.reshape(run.batch.shape), loss

    add("AReaL: M2PO", source, EVEN, [source.at(f) for f in [actor._apply_m2po_masking, actor._get_m2po_loss_mask, functional.ppo_actor_loss_fn]], compute)
    return {"count": source.line("areal/utils/functional/functional.py", "loss_mask_count = loss_mask.count_nonzero() or 1", "def ppo_actor_loss_fn(")}


def rl_plus(source, add):
    """The last member of each group is the demonstration."""
    inner = source.beside("rl_plus/verl")
    with inner:
        losses = inner.module("verl/recipe/rlplus_core_alg.py")
        algos = inner.module("verl/trainer/ppo/core_algos.py")

    def compute(run):
        flat = run.by_trajectory
        mask = flat(run.mask)
        a = algos.compute_grpo_outcome_advantage(run.outcome(), mask, numpy.array(run.groups()), use_std=False)[0]
        shown = torch.tensor(run.batch.demonstration)[:, None].expand_as(mask) == 1
        found = losses.compute_token_on_off_policy_loss(
            flat(run.old),
            flat(run.logp),
            a,
            mask,
            0.2,
            1.0,
            shown,
            off_policy_strategy="RL-PLUS",
            loss_remove_token_mean=True,
            loss_remove_clip=True,
        )
        # Its sum over trajectories, as a mean.
        return a.reshape(run.batch.shape), found["pg_loss"] / run.N

    called = [algos.compute_grpo_outcome_advantage, losses.compute_token_on_off_policy_loss]
    at = [f"rl_plus/verl/{inner.at(f)}" for f in called]
    add("RL-PLUS: RL-PLUS", source, EVEN, at, compute)
    source.files.update({f"rl_plus/verl/{path}": digest for path, digest in inner.files.items()})
    return {"sum": source.line("rl_plus/verl/verl/recipe/rlplus_core_alg.py", "pg_loss = (pg_losses * eos_mask).sum() / eos_mask.shape[-1]")}


def tree_grpo(source, add):
    algos = source.module("verl/trainer/ppo/core_algos.py")
    trainer = source.module("verl/trainer/ppo/ray_trainer_ts.py")

    def compute(run):
        flat = run.by_trajectory
        mask = flat(run.mask)
        data = SimpleNamespace(
            batch={"token_level_rewards": run.outcome(), "responses": mask, "attention_mask": mask},
            non_tensor_batch={"uid": numpy.array(run.groups()), "tree_uid": numpy.array(run.batch.tree)},
        )
        a = trainer.compute_advantage(data, "tree").batch["advantages"]
        loss = algos.compute_policy_loss_dual_clip(flat(run.old), flat(run.logp), a, mask, cliprange=0.2)[0]
        kl = algos.kl_penalty(flat(run.logp), flat(run.ref), "low_var_kl")
        return a.reshape(run.batch.shape), loss + 0.001 * algos.agg_loss(kl, mask, "token-mean")

    called = [trainer.compute_advantage, algos.compute_grpo_outcome_advantage, algos.compute_policy_loss_dual_clip, algos.kl_penalty]
    add("Tree-GRPO: tree", source, [*EVEN, "eight"], [source.at(f) for f in called], compute)
    return {"dualClip": source.line("verl/trainer/ppo/core_algos.py", "pg_losses3 = -advantages * clip_ratio_c", "def compute_policy_loss_dual_clip(")}


def istar(source, add):
    """The critic's values play what the second policy says of the steps."""
    inner = source.beside("CharacterRL-iStar")
    with inner:
        own = inner.module("istar/core_istar.py")
        algos = inner.module("verl/trainer/ppo/core_algos.py")

    def compute(run):
        mask = run.by_turn(run.mask)
        first = torch.zeros_like(mask)
        first[torch.arange(len(first)), mask.argmax(1)] = 1
        data = SimpleNamespace(
            batch={
                "token_level_rewards": first * torch.tensor([run.returns[n].item() for n, _ in run.turns])[:, None],
                "rm_scores": first * run.turn_scalar(run.value)[:, None],
                "response_mask": mask,
            },
            non_tensor_batch={
                "uid": numpy.array([run.batch.group[n] for n, _ in run.turns]),
                "traj_uid": numpy.array([n for n, _ in run.turns]),
            },
        )
        a = own.compute_istar_rloo_advantage(data)[0]
        return run.from_turns(a), loss_of_turns(algos, run, a, False)

    at = [f"CharacterRL-iStar/{inner.at(f)}" for f in [own.compute_istar_rloo_advantage, algos.compute_policy_loss]]
    add("iStar: RLOO", source, EVEN, at, compute)
    source.files.update({f"CharacterRL-iStar/{path}": digest for path, digest in inner.files.items()})
    return {
        "first": source.line("CharacterRL-iStar/istar/core_istar.py", "seen_pairs.add((index[i], traj_index[i]))", "def step_rloo_reward("),
        "count": source.line("CharacterRL-iStar/verl/utils/torch_functional.py", "+ 1e-8)", "def masked_mean"),
    }


def optimal_token(source, add):
    """On a vocabulary of three: what a sampled token leaves is split seven to three."""
    with source:
        algos = source.module("verl/trainer/ppo/core_algos.py")
    baseline = algos.compute_multi_turn_optimal_token_baseline_advantage

    def compute(run):
        flat = run.by_trajectory
        p = flat(run.old).exp()
        squares = p**2 + (0.7**2 + 0.3**2) * (1 - p) ** 2
        a = baseline(flat(run.paid), flat(run.mask), numpy.array(run.groups()), flat(run.old), squares)[0]
        return a.reshape(run.batch.shape), (run.logp * 0).sum()

    add("verl: optimal token baseline", source, EVEN, [source.at(baseline)], compute)
    return {"otbEpsilon": source.line("verl/trainer/ppo/core_algos.py", "b_star = (R_group * w_group).sum(dim=0) / (w_group.sum(dim=0) + epsilon)", "def compute_multi_turn_optimal")}


def vcpo(source, add):
    """Where the reference is the policy that sampled, and a trajectory's squared norm is the sum of its entropies."""
    path = "recipe/fully_async_policy/staleness_utils.py"
    alone = SimpleNamespace(
        get_data_parallel_group=lambda **_: None,
        get_tensor_model_parallel_rank=lambda: 0,
        get_pipeline_model_parallel_rank=lambda: 0,
    )
    own = source.functions(
        path,
        *["compute_is_info", "compute_ess_info", "compute_opob_baseline", "get_weighted_mean"],
        mpu=alone,
        asdict=vars,
        allgather_dict_into_list=lambda dicts, group: dicts,
    )

    def records(run):
        found = []
        for n in range(run.N):
            inside = run.mask[n] == 1
            record = SimpleNamespace(group_uid=run.batch.group[n], reward_scalar=run.returns[n].item(), rollout_seq_is_clipped=None)
            record.grad_norm_unscaled = math.sqrt(run.entropy[n][inside].sum().item())
            found.append(own.compute_is_info(record, run.ref[n], run.old[n], run.mask[n], None))
        return found

    def baseline(run):
        all_of = records(run)
        a = [one.reward_scalar - own.compute_opob_baseline(all_of, one.group_uid) for one in all_of]
        return torch.tensor(a)[:, None, None] * run.mask, (run.logp * 0).sum()

    def share(run):
        return own.compute_ess_info(records(run), None)["ess_ratio"] * run.mask, (run.logp * 0).sum()

    at = lambda *functions: [source.at(f) for f in functions]
    add("VCPO: optimal baseline", source, EVEN, at(own.compute_is_info, own.compute_opob_baseline, own.get_weighted_mean), baseline)
    add("VCPO: effective samples", source, EVEN, at(own.compute_is_info, own.compute_ess_info), share)
    return {
        "baseline": source.line(path, "return numer / (denom + eps)", "def get_weighted_mean"),
        "squares": source.line(path, "ESS_unclipped = (IS_sum_unclipped)"),
    }


def a2tgpo(source, add):
    """As copied into the notes of a reader. The critic's value of a turn plays its gain, as a reward on the turn's last token."""
    place = "articles/a2tgpo-turn-clipping-on-spark/evidence/repo-snapshot/ATGPO/verl_atgpo"
    inner = source.beside(place)
    with inner:
        algos = inner.module("verl/trainer/ppo/core_algos.py")

    def compute(run):
        flat, mask = run.by_trajectory, run.by_trajectory(run.mask)
        paid = torch.zeros(run.batch.shape)
        for n, t in run.turns:
            last = max(l for l in range(run.L) if run.batch.mask[n][t][l])
            paid[n, t, last] = run.returns[n] if t == run.batch.turn_count[n] - 1 else run.value[n, t]
        a, _, widths = algos.compute_igpo_step_advantage(
            flat(paid), mask, numpy.array(run.groups()), gamma=1.0, info_gain_norm_mode="turn-group-v1d", adv_rescale_alpha=0.3
        )
        loss = algos.compute_policy_loss_gspo_turn(
            flat(run.old),
            flat(run.logp),
            a,
            mask,
            cliprange_low=0.2,
            cliprange_high=0.25,
            loss_agg_mode="token-mean",
            dynamic_clip=True,
            ig_clip_scale=widths,
        )[0]
        return a.reshape(run.batch.shape), loss

    called = [algos.compute_igpo_step_advantage, algos.compute_policy_loss_gspo_turn]
    at = [f"{place}/{inner.at(f)}" for f in called]
    add("A2TGPO: turns", source, ["whole"], at, compute)
    source.files.update({f"{place}/{path}": digest for path, digest in inner.files.items()})
    path = f"{place}/verl/trainer/ppo/core_algos.py"
    return {"spread": source.line(path, "cg_std = torch.sqrt(cg_var + 1e-8)"), "turns": source.line(path, "adv_s[valid_pos[i]] != adv_s[valid_pos[turn_start]]")}


def ccpo(source, add):
    """The sign of the critic's first value plays the outcome of the second agent alone. A row is what one agent wrote in a trajectory."""
    path = "CCPO/examples/gspo_trainer/two_model/two_model_trainer.py"
    mean = source.functions(path, "_group_mean", np=numpy)._group_mean
    code, where = source.statements(path, "_compute_counterfactual_role_rewards", "r_joint = joint_reward", "r2 = r_joint")
    # As its launchers set them: the group's mean, and not an estimate that is robust to outliers.
    os.environ |= {"VERL_USE_ROBUST_MEAN_VD": "0", "VERL_USE_ROBUST_MEAN_VD_ADV": "0"}
    inner = source.beside("CCPO")
    with inner:
        algos = inner.module("verl/trainer/ppo/core_algos.py")
    chosen = {"counterfactual_use_group_solo_baseline": True, "counterfactual_use_event_bonus": True, "counterfactual_lambda": 0.2}

    def compute(run):
        groups = numpy.array(run.groups())
        scope = {"torch": torch, "_group_mean": mean, "self": SimpleNamespace(**chosen), "group_ids": groups}
        scope |= {"joint_reward": torch.sign(run.returns), "solo_reward": torch.sign(run.value[:, 0])}
        exec(code, scope)
        a = torch.zeros(run.batch.shape)
        for agent, paid in (("planner", scope["r1"]), ("caller", scope["r2"])):
            own = run.mask * torch.tensor([[float(x == agent) for x in row] for row in run.batch.agent])[:, :, None]
            mask = run.by_trajectory(own)
            scores = torch.zeros_like(mask)
            for n in range(run.N):
                scores[n, int(mask[n].nonzero().max())] = paid[n]
            a = a + algos.compute_grpo_outcome_advantage(scores, mask, groups, norm_adv_by_std_in_grpo=False)[0].reshape(a.shape)
        return a.double(), (a * run.logp * run.mask).sum()

    add("CCPO: roles", source, ["whole"], [where, f"CCPO/{inner.at(algos.compute_grpo_outcome_advantage)}"], compute)
    source.files.update({f"CCPO/{path}": digest for path, digest in inner.files.items()})
    return {"bonus": source.line(path, "counterfactual_bonus = helped - hurt")}


def tpo(source, add):
    """In JAX, and double precision. A group of trajectories is a row; the loss has the gradient that JAX gives, and no value."""
    import jax

    jax.config.update("jax_enable_x64", True)
    with source:
        own = source.module("src/tpo/algorithms.py")

    def compute(run):
        size = run.size()
        by_group = lambda x: jax.numpy.asarray(run.by_trajectory(x * run.mask).sum(1).detach().reshape(-1, size).numpy())
        scores = jax.numpy.asarray(run.returns.reshape(-1, size).numpy())
        old = by_group(run.old)
        shift = size * (own.tpo_target(old, scores) - jax.nn.softmax(old, axis=-1))
        entropy = lambda logs: own.anchored_tpo_cross_entropy_loss(jax.nn.log_softmax(logs, axis=-1), scores)
        slope = torch.tensor(numpy.array(jax.grad(entropy)(old)).reshape(-1))
        a = torch.tensor(numpy.array(shift).reshape(-1))
        return a[:, None, None] * run.mask, (slope[:, None, None] * run.mask * run.logp).sum()

    called = [own.tpo_target, own.tpo_skill, own.anchored_tpo_cross_entropy_loss]
    add("TPO: target", source, EVEN, [source.at(f) for f in called], compute, "logProb")
    return {"spread": source.line("src/tpo/algorithms.py", "safe_std = jnp.where(std > 1e-6, std, 1.0)")}


class Kept(Chosen):
    """A batch that remembers which rows were asked for."""

    def __getitem__(self, key):
        if not isinstance(key, str):
            self.rows = key
            return self
        return super().__getitem__(key)


def ragen_2(source, add):
    own = source.module("ragen/trainer/rollout_filter.py")

    def compute(run):
        size = run.size()
        config = own.RolloutFilterConfig(value=0.5, filter_type="largest", group_size=size, num_groups=run.N // size)
        data = SimpleNamespace(batch=Kept({"original_rm_scores": run.by_trajectory(run.paid)}), non_tensor_batch=None)
        own.RewardRolloutFilter(config).filter(data)
        return data.batch.rows.double()[:, None, None] * run.mask, (run.logp * 0).sum()

    add("RAGEN-2: filter, top-p", source, EVEN, [source.at(own.RewardRolloutFilter.filter), source.at(own.RolloutFilter._select_top_groups)], compute)
    return {}


def fspo(source, add):
    """The critic's values play the verdicts: true above 0, false below."""
    algos = source.module("verl/trainer/ppo/core_algos.py")
    trainer = source.module("verl/trainer/ppo/ray_trainer.py")

    def compute(run):
        flat = run.by_trajectory
        mask = flat(run.mask)
        verdict = run.value.sign()[:, :, None].expand(run.batch.shape)
        data = SimpleNamespace(
            batch={"token_level_rewards": run.outcome(), "responses": mask, "attention_mask": mask, "sentence_mask": flat(verdict)},
            non_tensor_batch={"uid": numpy.array(run.groups())},
        )
        a = trainer.compute_advantage(data, "grpo").batch["advantages"]
        return a.reshape(run.batch.shape), algos.compute_policy_loss(flat(run.old), flat(run.logp), a, mask, 0.2)[0]

    called = [trainer.compute_advantage, algos.compute_grpo_outcome_advantage, algos.compute_policy_loss]
    add("FSPO: step-wise GRPO", source, EVEN, [source.at(f) for f in called], compute)
    return {}


def rl_anything(source, add):
    """The critic's values play the mean votes."""
    normalize = source.functions("reward/alfworld_rl_reward.py", "normalize_process_list").normalize_process_list

    def compute(run):
        a = torch.zeros(run.N, run.T)
        for group in set(run.groups()):
            members = [n for n in range(run.N) if run.groups()[n] == group]
            credit = [[(run.returns[n] + run.value[n, t]).item() for t in range(run.batch.turn_count[n])] for n in members]
            for n, normalized in zip(members, normalize(credit)):
                a[n, : len(normalized)] = torch.tensor(normalized)
        return a[:, :, None] * run.mask, (run.logp * 0).sum()

    add("Open-AgentRL: steps", source, EVEN, [source.at(normalize)], compute)
    return {"deviation": source.line("reward/alfworld_rl_reward.py", "out[j][k] = (v - mu) / std")}


class Tensor:
    """A tensor as the trainer's data hold it."""

    def __init__(self, of):
        self.of = of

    def to_torch(self):
        return self.of

    from_torch = classmethod(lambda cls, of: cls(of))


def agent_opsd(source, add):
    """A turn is a row. The critic's value of a turn plays the gap to the teacher, in equal parts on its tokens."""
    utils = source.module("verl/trainer/ppo/opsd_utils.py")

    def compute(run):
        mask, student = run.by_turn(run.mask), run.by_turn(run.logp).detach()
        gap = run.turn_scalar(run.value)
        teacher = student + (gap / mask.sum(1))[:, None] * mask
        rows = [n for n, _ in run.turns]
        scores = torch.zeros_like(mask)
        for row, n in enumerate(rows):
            scores[row, int(mask[row].nonzero().max())] = run.returns[n]
        groups = [run.groups()[n] for n in rows]
        prior = utils.compute_group_mean_v0(scores, mask, groups, rows)
        mates = lambda n: run.returns[[j for j in range(run.N) if run.groups()[j] == run.groups()[n]]]
        outcome = torch.stack([(run.returns[n] - mates(n).mean()) / (mates(n).std() + 1e-6) for n in rows])
        steps = [t for _, t in run.turns]
        given = {"v0_per_traj": prior, "seq_advantage_per_row": outcome, "belief_mult": True, "mult_lambda": 0.5, "signed": True}
        a = run.from_turns(utils.compute_opsd_turn_advantage(scores, student, teacher, mask, rows, steps, **given))
        return a, (a * run.logp * run.mask).sum()

    add("AgentOPSD: turns", source, EVEN, [source.at(utils.compute_opsd_turn_advantage), source.at(utils.compute_group_mean_v0)], compute)
    return {"prior": source.line("verl/trainer/ppo/opsd_utils.py", "v0 = torch.clamp(v0, 1e-4, 1.0 - 1e-4)")}


def c3(source, add):
    """A node is what one role wrote after one transcript: a tree's first turn once, each trajectory's later turns once."""
    provider = source.module("c3/credit/c3/provider.py").C3CreditProvider
    fixed = {"_VARIANTS": provider._VARIANTS, "_BASELINE_MODES": provider._BASELINE_MODES, "q_critic": None}

    def compute(run):
        stem, groups = run.batch.tree, run.groups()
        trees = list(dict.fromkeys(stem))
        leaves = {tree: [n for n in range(run.N) if stem[n] == tree] for tree in trees}
        group_of = {tree: groups[leaves[tree][0]] for tree in trees}
        of_tree = {tree: sum(run.returns[n].item() for n in leaves[tree]) / len(leaves[tree]) for tree in trees}
        at = lambda depth, rows: [{"exp_idx": depth, "row_idx": row} for row in rows]
        siblings = []
        for group in dict.fromkeys(groups):
            own = [k for k, tree in enumerate(trees) if group_of[tree] == group]
            siblings.append({"node_refs": at(0, own), "node_rewards": [of_tree[trees[k]] for k in own], "depth": 0})
        for tree in trees:
            rewards = [run.returns[n].item() for n in leaves[tree]]
            siblings.append({"node_refs": at(1, leaves[tree]), "node_rewards": rewards, "depth": 1})
        settings = SimpleNamespace(args=SimpleNamespace(), critic_ctx_limit=1, critic_forward_bs=1, **fixed)
        rows = [SimpleNamespace(sequences=torch.zeros(len(trees), 1)), SimpleNamespace(sequences=torch.zeros(run.N, 1))]
        given = {"credit_variant": "reward_only", "baseline_mode": "loo"}
        (first, later), _ = provider.compute(settings, siblings, experiences=rows, cfg=given)
        a = torch.zeros(run.batch.shape)
        for n in range(run.N):
            for t in range(run.batch.turn_count[n]):
                a[n, t] = (first[trees.index(stem[n])] if t == 0 else later[n]) * run.mask[n, t]
        return a, (a * run.logp * run.mask).sum()

    add("C3: siblings", source, ["fours"], [source.at(provider.compute)], compute)
    p = "c3/credit/c3/provider.py"
    return {"others": source.line(p, "return (s - v) / float(n - 1)", "def _baseline_loo")}


def tinker(source, add):
    """The reference plays the teacher."""
    path = "tinker_cookbook/distillation/train_on_policy.py"
    penalty, at = source.statements(path, "incorporate_kl_penalty", "sampled_logprobs_D = [", "for i, datum in enumerate(data_D):")

    def compute(run):
        rows = lambda x: list(run.by_trajectory(x))
        given = zip(rows(run.old), rows(run.mask))
        data = [SimpleNamespace(loss_fn_inputs={"logprobs": Tensor(old), "mask": Tensor(mask), "advantages": Tensor(0 * mask)}) for old, mask in given]
        scope = {
            "torch": torch,
            "tinker": SimpleNamespace(TensorData=Tensor),
            "safezip": zip,
            "Dict": dict,
            "data_D": data,
            # The first token of a sequence has no log-prob.
            "teacher_logprobs_D": [[0.0, *row.tolist()] for row in rows(run.ref)],
            "dataset_indices_D": [0] * run.N,
            "kl_penalty_coef": 1.0,
            "kl_discount_factor": 0.0,
        }
        exec(penalty, scope)
        a = torch.stack([one.loss_fn_inputs["advantages"].to_torch() for one in data])
        return a.reshape(run.batch.shape), (run.logp * 0).sum()

    add("tinker-cookbook: On-policy distillation", source, EVEN, [at], compute)
    return {}
