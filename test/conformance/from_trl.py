"""TRL: the losses of GRPOTrainer and RLOOTrainer, and the statements of each in which rewards become advantages.

Both trainers compute advantages in the middle of a method that also generates and logs. Its statements are taken from the
release by what they say and run by themselves.
"""

from collections import defaultdict
from types import SimpleNamespace

import torch

from batches import EVEN


def trainer(run, grpo, loss_type, level="token", beta=0.0, delta=None, high=0.2, low=0.2, corrected=False, top=1.0, bonus=None, masked=None, engine=None):
    same = lambda x, *_, **__: x
    made = SimpleNamespace(
        _get_per_token_logps_and_entropies=lambda *_, **__: (run.by_trajectory(run.logp), run.by_trajectory(run.entropy), None),
        _entropy_bonus_enabled=bonus is not None,
        _entropy_window_stats=None,
        # Below the target, where the bonus is paid.
        _last_world_entropy=0.0,
        _metrics=defaultdict(lambda: defaultdict(list)),
        accelerator=SimpleNamespace(gather=same, reduce=same, pad_across_processes=same, num_processes=1, sync_gradients=True),
        args=SimpleNamespace(
            delta=delta,
            entropy_coef_delta=0.005,
            entropy_coef_max=1.0,
            entropy_coef_min=0.0,
            entropy_target=0.2,
            sapo_temperature_neg=1.05,
            sapo_temperature_pos=1.0,
            steps_per_generation=1,
            use_bias_correction_kl=corrected,
            vespo_k_neg=3.0,
            vespo_k_pos=2.0,
            vespo_lambda_neg=2.0,
            vespo_lambda_pos=3.0,
        ),
        aux_loss_enabled=False,
        beta=beta,
        current_gradient_accumulation_steps=1,
        entropy_coef=bonus,
        epsilon_high=high,
        epsilon_low=low,
        importance_sampling_level=level,
        loss_type=loss_type,
        max_completion_length=run.T * run.L,
        model=SimpleNamespace(training=True),
        off_policy_mask_threshold=masked,
        top_entropy_quantile=top,
        use_adaptive_entropy=bonus is not None,
        use_vllm=engine is not None,
        vllm_importance_sampling_correction=engine is not None,
    )
    for name in ["get_high_entropy_mask", "get_off_policy_mask", "get_gamma_weights"]:
        function = getattr(grpo.GRPOTrainer, name)
        plain = isinstance(vars(grpo.GRPOTrainer)[name], staticmethod)
        setattr(made, name, function if plain else function.__get__(made))
    return made


def inputs(run, advantages):
    flat = run.by_trajectory
    tokens = torch.zeros(run.N, run.T * run.L, dtype=torch.long)
    return {
        "prompt_ids": tokens[:, :1],
        "prompt_mask": tokens[:, :1],
        "completion_ids": tokens,
        # Retrieved tokens are masked by the tool mask, as TRL has them; the completion mask is all ones up to the padding.
        "completion_mask": flat(run.mask),
        "tool_mask": flat(run.mask),
        "advantages": advantages,
        "old_per_token_logps": flat(run.old),
        "ref_per_token_logps": flat(run.ref),
        "num_items_in_batch": run.mask.sum(),
    }


def loss_of(grpo, run, advantages, loss_type, engine=None, **more):
    given = inputs(run, advantages) | ({} if engine is None else {"importance_sampling_ratio": engine(run)})
    return grpo.GRPOTrainer._compute_loss(trainer(run, grpo, loss_type, engine=engine, **more), None, given)


def cases(source, add):
    grpo = source.module("trl/trainer/grpo_trainer.py")
    rloo = source.module("trl/trainer/rloo_trainer.py")
    rewards = source.module("trl/rewards/other_rewards.py")
    g, r = "trl/trainer/grpo_trainer.py", "trl/trainer/rloo_trainer.py"

    grouped, grouped_at = source.statements(
        g, "_generate_and_score_completions", 'if self.multi_objective_aggregation == "sum_then_normalize"', "advantages = torch.nan_to_num"
    )
    alone, alone_at = source.statements(
        r, "_generate_and_score_completions", "if self.beta != 0.0:\n            # RLOO uses", "advantages = torch.nan_to_num"
    )

    def by_parts(run):
        """What the last turn earned, and what the turns before it did."""
        last = torch.stack([run.reward[n, run.batch.turn_count[n] - 1] for n in range(run.N)])
        scope = {
            **vars(grpo),
            "self": SimpleNamespace(
                multi_objective_aggregation="normalize_then_sum", reward_funcs=[None, None], reward_weights=torch.ones(2), scale_rewards="group"
            ),
            "rewards_per_func": torch.stack([last, run.returns - last], 1),
            "unscorable_mask": torch.zeros(run.N, dtype=torch.bool),
            "num_generations": run.size(),
            "device": "cpu",
        }
        exec(grouped, scope)
        return scope["advantages"]

    def group_advantage(run, scale="group"):
        scope = {
            **vars(grpo),
            "self": SimpleNamespace(multi_objective_aggregation="sum_then_normalize", reward_weights=torch.ones(1), scale_rewards=scale),
            "rewards_per_func": run.returns.unsqueeze(1),
            "unscorable_mask": torch.zeros(run.N, dtype=torch.bool),
            "num_generations": run.size(),
            "device": "cpu",
        }
        exec(grouped, scope)
        return scope["advantages"]

    engines, engines_at = source.statements(
        g, "_generate_and_score_completions", "if self.use_vllm and self.vllm_importance_sampling_correction:\n                mask", "raise ValueError"
    )

    def by_engine(mode, least, most):
        """The weights where the reference plays the engine that wrote the batch."""

        def weights(run):
            scope = {
                **vars(grpo),
                "self": SimpleNamespace(
                    use_vllm=True,
                    vllm_importance_sampling_correction=True,
                    vllm_importance_sampling_mode=mode,
                    vllm_importance_sampling_clip_min=least,
                    vllm_importance_sampling_clip_max=most,
                ),
                "completion_mask": run.by_trajectory(run.mask),
                "tool_mask": None,
                "old_per_token_logps": run.by_trajectory(run.old),
                "sampling_per_token_logps": run.by_trajectory(run.ref),
            }
            exec(engines, scope)
            return scope["vllm_importance_sampling_ratio"]

        return weights

    def rloo_advantage(run, beta=0.0, normalize=False):
        scope = {
            **vars(rloo),
            "self": SimpleNamespace(beta=beta, normalize_advantages=normalize),
            "rewards": run.returns.clone(),
            "num_generations": run.size(),
            "old_per_token_logps": run.by_trajectory(run.old),
            "ref_per_token_logps": run.by_trajectory(run.ref),
            "completion_mask": run.by_trajectory(run.mask),
            "gather": lambda x: x,
        }
        exec(alone, scope)
        return scope["advantages"]

    def spread(run, advantages):
        return advantages[:, None, None] * run.mask

    def case(name, batches, loss_type, old="old", scale="group", **more):
        def compute(run):
            a = group_advantage(run, scale)
            return spread(run, a), loss_of(grpo, run, a, loss_type, **more)

        add(f"TRL: {name}", source, batches, [grouped_at, source.at(grpo.GRPOTrainer._compute_loss)], compute, old)

    case("GRPO", EVEN, "grpo")
    case("GRPO, bnpo", EVEN, "bnpo")
    case("GRPO, two-sided", EVEN, "grpo", delta=3.0)
    case("GRPO, KL", EVEN, "grpo", beta=0.04)
    case("GRPO, KL, corrected", EVEN, "grpo", beta=0.04, corrected=True)
    case("Dr. GRPO", EVEN, "dr_grpo", scale="none")
    case("DAPO", EVEN, "dapo", high=0.28)
    for old in ["old", "near"]:
        case(f"GSPO, {old}", EVEN, "grpo", old, level="sequence", low=3e-4, high=4e-4)
    case("SAPO", EVEN, "sapo")
    case("CISPO", EVEN, "cispo", high=1.2)
    for top in [0.2, 0.55]:
        case(f"top entropy {top}", EVEN, "dapo", high=0.28, top=top)
    case("adaptive entropy", EVEN, "dapo", bonus=0.03)
    case("LUSPO", EVEN, "luspo", level="sequence", low=2e-3, high=2.5e-3)
    case("VESPO", EVEN, "vespo")
    case("off-policy mask", EVEN, "dapo", masked=0.02)
    for mode, least, most in [("token_truncate", None, 1.2), ("token_mask", 0.8, 1.25), ("sequence_truncate", None, 1.2), ("sequence_mask", None, 1.2)]:
        case(f"engine, {mode}", EVEN, "dapo", engine=by_engine(mode, least, most))

    def parts(run):
        a = by_parts(run)
        return spread(run, a), loss_of(grpo, run, a, "dapo")

    add("TRL: GDPO", source, EVEN, [grouped_at, source.at(grpo.GRPOTrainer._compute_loss)], parts)

    def sequence_loss(run, a, low=0.2, high=0.2):
        trainer = SimpleNamespace(
            _get_per_token_logps_and_entropies=lambda *_, **__: (run.by_trajectory(run.logp), torch.zeros(run.N, run.T * run.L), None),
            _metrics=defaultdict(lambda: defaultdict(list)),
            accelerator=SimpleNamespace(gather=lambda x: x, reduce=lambda x, **_: x),
            aux_loss_enabled=False,
            epsilon_high=high,
            epsilon_low=low,
            model=SimpleNamespace(training=True),
        )
        old = (run.by_trajectory(run.old) * run.by_trajectory(run.mask)).sum(1)
        return rloo.RLOOTrainer._compute_loss(trainer, None, {**inputs(run, a), "old_logps": old})

    def alone_case(name, old, loss=sequence_loss, **more):
        def compute(run):
            a = rloo_advantage(run, **more)
            return spread(run, a), loss(run, a)

        add(f"TRL: {name}", source, EVEN, [alone_at, source.at(rloo.RLOOTrainer._compute_loss)], compute, old)

    alone_case("RLOO", "old")
    alone_case("RLOO, on policy", "logProb")
    alone_case("RLOO, KL in the reward", "old", beta=0.3)

    def overlong(run):
        lengths = [int(x) for x in run.mask.sum((1, 2))]
        punished = rewards.get_soft_overlong_punishment(6, 4)(completion_ids=[[0] * length for length in lengths])
        run.returns = run.returns + torch.tensor(punished)
        a = group_advantage(run)
        return spread(run, a), loss_of(grpo, run, a, "dapo", high=0.28)

    at = [source.at(rewards._SoftOverlongPunishment.__call__), grouped_at, source.at(grpo.GRPOTrainer._compute_loss)]
    add("TRL: DAPO, overlong", source, EVEN, at, overlong)
    return {
        "epsilon": source.line(g, "advantages = advantages / (std_rewards + 1e-4)"),
        "sequenceRatio": source.line(r, "logps = (per_token_logps * completion_mask).sum(1)"),
        "k3": source.line(g, "torch.exp(ref_per_token_logps - per_token_logps) - (ref_per_token_logps - per_token_logps) - 1"),
        "corrected": source.line(g, "per_token_kl = per_token_kl * coef_1"),
        "delta": source.line(g, "coef_1 = torch.clamp(coef_1, max=self.args.delta)"),
        "engine": source.line(g, "vllm_importance_sampling_ratio = torch.exp(logps_diff)"),
        "paid": source.line(g, "apply_coef = self.entropy_coef if self._last_world_entropy <= self.args.entropy_target else 0.0"),
        "cispo": source.line(g, "clamped_ratios = torch.clamp(coef_1, max=self.epsilon_high).detach()"),
    }
