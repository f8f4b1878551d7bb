"""Multi-turn frameworks in which a turn is a row: DrMAS with its GiGPO, HiPER, StepPO; and RAGEN and WebAgent-R1, whose rows are trajectories."""

from types import SimpleNamespace

import numpy
import torch

from batches import ANY, EVEN


class Chosen(dict):
    """Tensors of a batch; indexed by a mask of rows, it gives that mask."""

    def __getitem__(self, key):
        return super().__getitem__(key) if isinstance(key, str) else key


def steps_of(run, discounted):
    """The data of a step as the trainer has them: every row is paid the return of its whole trajectory."""
    mask = run.by_turn(run.mask)
    paid = torch.zeros_like(mask)
    last = (mask * torch.arange(run.L)).argmax(1)
    paid[torch.arange(len(last)), last] = torch.tensor([run.returns[n].item() for n, _ in run.turns])
    of = lambda nested: numpy.array([nested[n][t] for n, t in run.turns], dtype=object)
    step_rewards = numpy.array([run.reward[n, t].item() for n, t in run.turns])
    data = SimpleNamespace(
        batch={"response_mask": mask, "token_level_rewards": paid, "input_ids": mask},
        non_tensor_batch={
            "uid": numpy.array([run.batch.group[n] for n, _ in run.turns], dtype=object),
            "traj_uid": numpy.array([f"trajectory {n}" for n, _ in run.turns], dtype=object),
            "agent_id": of(run.batch.agent),
            "anchor_obs": of(run.batch.observation),
            "rewards": step_rewards,
            "active_masks": numpy.ones(len(run.turns)),
            "env_step": numpy.array([t for _, t in run.turns]),
        },
    )
    data.batch["step_rewards"] = discounted(data, 0.95)
    return data


def loss_of_turns(algos, run, a, kl):
    """The clipped loss of rows that are turns, and GiGPO's KL."""
    turn = run.by_turn
    value = algos.compute_policy_loss(turn(run.old), turn(run.logp), a, turn(run.mask), cliprange=0.2)[0]
    if kl:
        estimate = algos.kl_penalty(turn(run.logp), turn(run.ref), "low_var_kl")
        value = value + 0.01 * algos.agg_loss(estimate, turn(run.mask), "token-mean")
    return value


def drmas(source, add):
    algos = source.module("verl/trainer/ppo/core_algos.py")
    trainer = source.module("verl/trainer/ppo/ray_trainer.py")
    c = "verl/trainer/ppo/core_algos.py"

    def case(name, batches, estimator, kl=False, **more):
        fn = algos.compute_gigpo_outcome_advantage if estimator == "GiGPO" else algos.compute_grpo_outcome_advantage

        def compute(run):
            asked = getattr(trainer.AdvantageEstimator, estimator)
            a = trainer.compute_advantage(steps_of(run, algos.compute_step_discounted_returns), asked, **more).batch["advantages"]
            return run.from_turns(a), loss_of_turns(algos, run, a, kl)

        calls = [trainer.compute_advantage, fn, algos.compute_policy_loss, *([algos.kl_penalty] if kl else [])]
        add(f"DrMAS: {name}", source, batches, [source.at(f) for f in calls], compute)

    case("Dr. MAS", ANY, "GRPO", group_by_agent_id=True)
    case("GiGPO", ANY, "GiGPO", kl=True, gigpo_mode="mean_norm")
    case("GiGPO, deviation", ANY, "GiGPO", kl=True, gigpo_mode="mean_std_norm")
    return {
        "mode": source.line("verl/trainer/ppo/ray_trainer.py", 'gigpo_mode="mean_std_norm"'),
        "singleton": source.line(c, "id2mean[idx] = torch.tensor(0.0)", "def compute_grpo_outcome_advantage"),
        "turns": source.line(c, "id2score[idx].extend(reward_list)", "def compute_grpo_outcome_advantage"),
        "seen": source.line(c, "seen_pairs.add((index[i], traj_index[i]))"),
        "dualClip": source.line(c, "pg_losses3 = -advantages * clip_ratio_c"),
        "count": source.line("verl/utils/torch_functional.py", "+ 1e-8)", "def masked_mean"),
        "aggregate": source.line("verl/trainer/config/ppo_trainer.yaml", 'loss_agg_mode: "token-mean"'),
    }


def verl_agent(source, add):
    """Where GiGPO comes from; its group statistics count a trajectory once for each of its turns."""
    algos = source.module("verl/trainer/ppo/core_algos.py")
    own = source.module("gigpo/core_gigpo.py")

    def grpo(run):
        data = steps_of(run, own.compute_step_discounted_returns)
        paid, mask = data.batch["token_level_rewards"], data.batch["response_mask"]
        a = algos.compute_grpo_outcome_advantage(paid, mask, data.non_tensor_batch["uid"], data.non_tensor_batch["traj_uid"])[0]
        return run.from_turns(a), loss_of_turns(algos, run, a, False)

    def gigpo(run):
        data = steps_of(run, own.compute_step_discounted_returns)
        batch, ids = data.batch, data.non_tensor_batch
        a = own.compute_gigpo_outcome_advantage(
            batch["token_level_rewards"], batch["step_rewards"], batch["response_mask"], ids["anchor_obs"], ids["uid"], ids["traj_uid"]
        )[0]
        return run.from_turns(a), loss_of_turns(algos, run, a, True)

    loss = algos.compute_policy_loss
    add("verl-agent: GRPO", source, ANY, [source.at(f) for f in [algos.compute_grpo_outcome_advantage, loss]], grpo)
    called = [own.compute_gigpo_outcome_advantage, own.compute_step_discounted_returns, loss, algos.kl_penalty]
    add("verl-agent: GiGPO", source, ANY, [source.at(f) for f in called], gigpo)
    c, g = "verl/trainer/ppo/core_algos.py", "gigpo/core_gigpo.py"
    return {
        "steps": source.line(c, "compute_mean_std_cross_steps: bool = True", "def compute_grpo_outcome_advantage"),
        "gigpoSteps": source.line(g, "compute_mean_std_cross_steps: bool = True"),
        "dualClip": source.line(c, "pg_losses3 = -advantages * clip_ratio_c"),
        "count": source.line("verl/utils/torch_functional.py", "+ 1e-8)", "def masked_mean"),
        "aggregate": source.line("verl/trainer/config/ppo_trainer.yaml", 'loss_agg_mode: "token-mean"'),
    }


def hiper(source, add):
    hae = source.module("hiper_hae/core_hae.py")
    algos = source.module("verl/trainer/ppo/core_algos.py")
    h = "hiper_hae/core_hae.py"

    def compute(run, norm):
        mask = run.by_turn(run.mask)
        first = torch.zeros_like(mask)
        first[torch.arange(len(first)), mask.argmax(1)] = 1
        role = torch.tensor([run.batch.role[n][t] for n, t in run.turns])
        head = lambda x: run.turn_scalar(x).unsqueeze(1).expand_as(mask)
        data = SimpleNamespace(
            batch={
                "response_mask": mask,
                "responses": torch.zeros_like(mask),
                "value_low": head(run.value),
                "value_high": head(run.value_high),
                "value_term": head(run.value_term),
                **{f"value_mask_{name}": first.bool() for name in ["low", "high", "term"]},
            },
            non_tensor_batch={
                "traj_uid": numpy.array([n for n, _ in run.turns]),
                "turn_idx": numpy.array([t for _, t in run.turns]),
                "dones": numpy.array([t == run.batch.turn_count[n] - 1 for n, t in run.turns]),
                "switch": numpy.array([run.batch.switch[n][t] for n, t in run.turns]),
                "rewards": run.turn_scalar(run.reward),
            },
        )
        settings = hae.HAEConfig(gamma=0.95, lam_turn=0.95, lam_seg=0.95, norm_adv=norm)
        hae.compute_hae_advantage(data, settings, action_mask=role == 0, subgoal_mask=role == 1, switch_mask=role == 2)
        out = data.batch
        trained = (out["hae_lo_mask"] | out["hae_hi_mask"] | out["hae_term_mask"]) & mask.bool()
        a = out["advantages"]
        loss = algos.compute_policy_loss(run.by_turn(run.old), run.by_turn(run.logp), a, trained.double(), cliprange=0.2)[0]
        return run.from_turns(a), loss

    for name, norm in [("HAE", False), ("HAE, normalized", True)]:
        at = [source.at(hae.compute_hae_advantage), source.at(algos.compute_policy_loss)]
        add(f"HiPER: {name}", source, ANY, at, lambda run, norm=norm: compute(run, norm))
    return {
        "trained": source.line("verl/trainer/ppo/ray_trainer.py", 'resp_train_mask = (batch.batch["hae_lo_mask"]'),
        "norm": source.line(h, "adv_low_std = adv_low_step[lo_turn_mask].std(unbiased=False) + 1e-8"),
        "launcher": source.line("example_scripts/HiPER_trainer/run_webshop.sh", "algorithm.hae.norm_adv=True"),
        "dualClip": source.line("verl/trainer/ppo/core_algos.py", "pg_losses3 = -advantages * clip_ratio_c"),
        "count": source.line("verl/utils/torch_functional.py", "+ 1e-8)", "def masked_mean"),
        "kl": source.line("example_scripts/HiPER_trainer/run_webshop.sh", "kl_loss_coef=0.01"),
        "alfworldNorm": source.line("example_scripts/HiPER_trainer/run_alfworld.sh", "algorithm.hae.norm_adv=True"),
        "alfworldKl": source.line("example_scripts/HiPER_trainer/run_alfworld.sh", "kl_loss_coef=0.01"),
        "gamma": source.line("verl/trainer/config/ppo_trainer.yaml", "  gamma: 1.0"),
        "lambdaTurn": source.line("verl/trainer/config/ppo_trainer.yaml", "  lam: 1.0"),
        "lambdaSegment": source.line("verl/trainer/config/ppo_trainer.yaml", "lam_seg: 0.95"),
    }


def advantages_of_steppo(source):
    arft = source.module("arft/core_algos.py")
    a_file = "arft/core_algos.py"

    def rows(run):
        return {
            "token_level_rewards": run.by_turn(run.paid),
            "response_mask": run.by_turn(run.mask),
            "trajectory_uids": numpy.array([n for n, _ in run.turns]),
        }

    def steps(run):
        return numpy.array([t for _, t in run.turns])

    index = lambda run: numpy.array([run.batch.group[n] for n, _ in run.turns], dtype=object)

    def gae(run):
        values = run.turn_scalar(run.value).unsqueeze(1).expand(-1, run.L)
        return arft.compute_gae_advantage_return(**rows(run), step_indices=steps(run), values=values, gamma=1.0, lam=1.0)[0]

    def token_gae(run):
        values = run.by_turn(run.value_token)
        return arft.compute_token_gae_advantage_return(**rows(run), step_indices=steps(run), values=values, gamma=1.0, lam=1.0)[0]

    def gigpo(run, mode):
        to_go = arft.compute_step_discounted_returns(**rows(run), step_indices=steps(run), gamma=0.95)
        seen = numpy.array([run.batch.observation[n][t] for n, t in run.turns], dtype=object)
        return arft.compute_gigpo_outcome_advantage(**rows(run), step_rewards=to_go, anchor_obs=seen, index=index(run), mode=mode)[0]

    outcome = lambda fn, **more: lambda run: fn(**rows(run), index=index(run), **more)[0]
    return arft, gae, token_gae, gigpo, outcome, source.line(a_file, "advantages = (advantages - advantages.mean()) / (advantages.std() + 1e-8)")


def steppo(source, add):
    """StepPO's advantages with the loss of the verl that it carries with it."""
    inner = source.beside("verl")
    with inner:
        arft, gae, token_gae, gigpo, outcome, whiten = advantages_of_steppo(source)
        algos = inner.module("verl/trainer/ppo/core_algos.py")
        config = SimpleNamespace(clip_ratio=0.2, clip_ratio_low=0.2, clip_ratio_high=0.2, get=lambda name, other: other, global_batch_info={})
        algos.ActorConfig = SimpleNamespace

        def case(name, batches, advantage, calls, old="old", loss=algos.compute_policy_loss_gspo, agg="seq-mean-token-mean"):
            def compute(run):
                a, turn = advantage(run), run.by_turn
                value = loss(turn(run.old), turn(run.logp), a, turn(run.mask), agg, config)[0]
                return run.from_turns(a), value

            at = [*[source.at(f) for f in calls], f"verl/{inner.at(loss)}"]
            add(f"StepPO: {name}", source, batches, at, compute, old)

        vanilla = {"loss": algos.compute_policy_loss_vanilla, "agg": "token-mean"}
        for old in ["old", "near"]:
            case(f"step GAE, {old}", ANY, gae, [arft.compute_gae_advantage_return], old)
        case("token GAE", ANY, token_gae, [arft.compute_token_gae_advantage_return], **vanilla)
        case("GRPO", ANY, outcome(arft.compute_grpo_outcome_advantage), [arft.compute_grpo_outcome_advantage], **vanilla)
        case("RLOO", EVEN, outcome(arft.compute_rloo_outcome_advantage), [arft.compute_rloo_outcome_advantage], **vanilla)
        case("GiGPO", ANY, lambda run: gigpo(run, "mean_norm"), [arft.compute_gigpo_outcome_advantage], **vanilla)
        lines = {
            "whiten": whiten,
            "tokenWhiten": "verl/" + inner.line("verl/utils/torch_functional.py", "torch.rsqrt(var + 1e-8)"),
            "aggregate": "verl/" + inner.line("verl/trainer/config/actor/actor.yaml", "loss_agg_mode: token-mean"),
            "singleton": source.line("arft/core_algos.py", "if len(id2score[idx]) == 1:"),
            "count": "verl/" + inner.line("verl/trainer/ppo/core_algos.py", "+ 1e-8)", 'loss_agg_mode == "seq-mean-token-mean"'),
            "dualClip": "verl/" + inner.line("verl/trainer/ppo/core_algos.py", "pg_losses3 = -advantages * clip_ratio_c", "def compute_policy_loss_vanilla"),
        }
    source.files.update({f"verl/{path}": digest for path, digest in inner.files.items()})
    return lines


def ragen(source, add, verl):
    """RAGEN's own advantage and filter; the rest of it is verl's, of which its star import takes two names."""
    with source, verl:
        functional = verl.module("verl/utils/torch_functional.py")
        algos = verl.module("verl/trainer/ppo/core_algos.py")
        algos.ActorConfig = SimpleNamespace
        own = source.module("ragen/trainer/core_algos.py", torch=torch, verl_F=functional)
    t = "ragen/trainer/agent_trainer.py"
    filtering, filter_at = source.statements(t, "fit", "def _filter_rollout(batch)", "def _filter_rollout(batch)")
    config = SimpleNamespace(clip_ratio=0.2, clip_ratio_low=0.2, clip_ratio_high=0.2, get=lambda name, other: other, global_batch_info={})

    def compute(run):
        flat = run.by_trajectory
        a = own.compute_bi_level_gae_advantage_return(flat(run.paid), flat(run.value_token), flat(run.mask), 1.0, 1.0, 0.95)[0]
        a = a * flat(run.mask)
        loss = algos.compute_policy_loss_vanilla(flat(run.old), flat(run.logp), a, flat(run.mask), "token-mean", config)[0]
        return a.reshape(run.batch.shape), loss

    add("RAGEN: bi-level GAE", source, EVEN, [source.at(own.compute_bi_level_gae_advantage_return)], compute)

    def kept(run):
        size = run.size()
        groups = run.N // size
        scope = {
            "torch": torch,
            "self": SimpleNamespace(
                config=SimpleNamespace(
                    actor_rollout_ref=SimpleNamespace(rollout=SimpleNamespace(rollout_filter_ratio=0.5, rollout_filter_type="std")),
                    es_manager=SimpleNamespace(train=SimpleNamespace(env_groups=groups, group_size=size)),
                )
            ),
        }
        exec(filtering, scope)
        data = SimpleNamespace(batch=Chosen({"original_rm_scores": run.by_trajectory(run.paid)}), non_tensor_batch={})
        scope["_filter_rollout"](data)
        return data.batch.double()[:, None, None] * run.mask, (run.logp * 0).sum()

    add("RAGEN: filter", source, EVEN, [filter_at], kept)
    return {
        "end": source.line("ragen/trainer/core_algos.py", "reward_mask = token_level_rewards.bool()"),
        "klOff": source.line("config/base.yaml", "use_kl_loss: False"),
        "klRewardOff": source.line("config/base.yaml", "kl_coef: 0.000", "kl_ctrl:"),
        "klInReward": source.line(t, "if self.config.algorithm.use_kl_in_reward:"),
        "clipHigh": source.line("config/base.yaml", "clip_ratio_high: 0.28"),
    }


def cm2(source, add):
    """CM2 compares turns of the same index; a row is a trajectory."""
    algos = source.module("verl/trainer/ppo/core_algos.py")
    algos.ActorConfig = SimpleNamespace
    c = "verl/trainer/ppo/core_algos.py"
    config = SimpleNamespace(clip_ratio=0.2, clip_ratio_low=0.2, clip_ratio_high=0.2, get=lambda name, other: other)

    def compute(run, scaled):
        flat = run.by_trajectory
        info = {
            "metrics": [{}] * run.N,
            "turn_end_tensor": (flat(run.paid) != 0).double(),
            "max_num_turns": torch.ones(run.N),
            "tool_call_success": [True] * run.N,
        }
        a = algos.compute_checklist_step_advantage(
            flat(run.paid), flat(run.mask), run.groups(), norm_adv_by_std_in_grpo=scaled, checklist_info=info, config={}
        )[0]
        loss = algos.compute_policy_loss_vanilla(flat(run.old), flat(run.logp), a, flat(run.mask), "token-mean", config)[0]
        return a.reshape(run.batch.shape), loss

    at = [source.at(algos.compute_checklist_step_advantage), source.at(algos.compute_policy_loss_vanilla)]
    for name, scaled in [("turns", False), ("turns, deviation", True)]:
        add(f"CM2: {name}", source, ["eight", "fours"], at, lambda run, scaled=scaled: compute(run, scaled))
    return {
        "count": source.line("verl/utils/torch_functional.py", "+ 1e-8)", "def masked_mean"),
        "four": source.line(c, "if len(holders) <= 4:"),
        "dualClip": source.line(c, "pg_losses3 = -advantages * clip_ratio_c", "def compute_policy_loss_vanilla"),
    }


def webagent(source, add, trl):
    """WebAgent-R1 trains with a subclass of TRL's trainer that changes how answers come about, and no loss."""
    path = "WebAgent-R1/Train/verifiers/verifiers/trainers/grpo_env_trainer.py"
    scaled, scaled_at = source.statements(path, "_generate_and_score_completions", "mean_grouped_rewards = rewards.view(-1, self.num_generations)", "advantages = (rewards - mean_grouped_rewards)")
    with trl:
        grpo = trl.module("trl/trainer/grpo_trainer.py")
    from from_trl import loss_of

    def compute(run):
        scope = {"self": SimpleNamespace(num_generations=run.size()), "rewards": run.returns}
        exec(scaled, scope)
        a = scope["advantages"]
        return a[:, None, None] * run.mask, loss_of(grpo, run, a, "grpo")

    add("WebAgent-R1: M-GRPO", source, EVEN, [scaled_at], compute)
    return {
        "inherits": source.line(path, "class GRPOEnvTrainer(GRPOTrainer):"),
        "epsilon": source.line(path, "advantages = (rewards - mean_grouped_rewards) / (std_grouped_rewards + 1e-4)"),
    }
