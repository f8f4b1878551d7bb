"""Rules that update turn by turn: SeeUPO's released code in AgentEvolver, and HAPPO in HARL with a turn instead of an agent.

Each turn's loss is taken at the same log-probs; what the turn hands to the next is measured at the log-probs `after`.
"""

from types import SimpleNamespace

import numpy
import torch


def seeupo(source, add):
    inner = source.beside("external/verl")
    t = "beyondagent/module/trainer/ba_ray_trainer.py"
    with inner:
        algos = inner.module("verl/trainer/ppo/core_algos.py")
        trainer = source.module(t)
        algos.ActorConfig = SimpleNamespace
        config = SimpleNamespace(clip_ratio=0.2, clip_ratio_low=0.2, clip_ratio_high=0.2)
        carry = SimpleNamespace(adv_clip_ratio_low=0.2, adv_clip_ratio_high=0.2, adv_clip_ratio=0.2)

        def steps(run, old):
            ratios, steps = None, []
            for turn in trainer.get_agent_update_order(run.T, "reverse"):
                at = lambda x: x[:, turn]
                mask = at(run.mask)
                paid = torch.zeros_like(mask)
                paid[torch.arange(run.N), (mask * torch.arange(run.L)).argmax(1)] = run.returns
                data = SimpleNamespace(
                    batch={"response_mask": mask, "loss_mask": mask, "token_level_rewards": paid},
                    non_tensor_batch={"uid": run.groups()},
                )
                a = trainer.compute_advantage(
                    data, trainer.AdvantageEstimator.GRPO, norm_adv_by_std_in_grpo=False, special_norm=True, ratios=ratios
                ).batch["advantages"]
                loss = algos.compute_policy_loss_gspo(at(run.old), at(run.logp), a, mask, "seq-mean-token-mean", config)[0]
                kl = algos.kl_penalty(at(run.logp), at(run.ref), "low_var_kl")
                loss = loss + 0.002 * algos.agg_loss(kl, mask, "seq-mean-token-mean")
                ratios = trainer.update_ratios(ratios, at(run.old), at(run.after), mask, carry)
                steps.append((turn, a.unsqueeze(1) * run.mask[:, turn : turn + 1], loss, ratios))
            return steps

        calls = [trainer.get_agent_update_order, trainer.compute_advantage, trainer.compute_grpo_outcome_advantage_local, trainer.update_ratios]
        at = [*[source.at(f) for f in calls], *[f"external/verl/{inner.at(f)}" for f in [algos.compute_policy_loss_gspo, algos.kl_penalty]]]
        for old in ["old", "near"]:
            add(f"AgentEvolver: SeeUPO, {old}", source, ["whole"], at, steps, old)
        lines = {
            "epsilon": source.line(t, "scores = (scores - torch.mean(scores)) / (torch.std(scores))"),
        }
    source.files.update({f"external/verl/{path}": digest for path, digest in inner.files.items()})
    return lines


def harl(source, add):
    happo = source.module("harl/algorithms/actors/happo.py").HAPPO
    buffers = source.module("harl/common/buffers/on_policy_critic_buffer_ep.py")
    tools = source.module("harl/utils/trans_tools.py")
    r = "harl/runners/on_policy_ha_runner.py"
    whitening, whitening_at = source.statements(r, "train", 'if self.state_type == "FP":\n            active_masks_collector', 'if self.state_type == "FP":')
    factoring, factoring_at = source.statements(r, "train", "factor = factor * _t2n(", "factor = factor * _t2n(")

    def advantages(run):
        """Turns are the steps of an episode here, and also the agents: agent t acts in turn t and in no other."""
        Buffer = buffers.OnPolicyCriticBufferEP
        buffer = object.__new__(Buffer)
        at = lambda x: numpy.concatenate([x.T[:, :, None].numpy(), numpy.zeros((1, run.N, 1))])
        active = numpy.array([[t < count for count in run.batch.turn_count] for t in range(run.T + 1)], dtype=float)[:, :, None]
        buffer.__dict__.update(
            use_proper_time_limits=False, use_gae=True, gamma=1.0, gae_lambda=1.0, rewards=at(run.reward)[:-1], masks=active
        )
        buffer.__dict__.update(value_preds=at(run.value), returns=numpy.zeros((run.T + 1, run.N, 1)))
        buffer.value_preds *= active
        Buffer.compute_returns(buffer, 0.0)
        raw = (buffer.returns[:-1] - buffer.value_preds[:-1])[:, :, 0]
        # One step of the environment, in which every agent acts: [1, n, agent].
        scope = {
            "np": numpy,
            "advantages": raw.T[None, :, :, None],
            "self": SimpleNamespace(
                state_type="FP",
                num_agents=run.T,
                actor_buffer=[SimpleNamespace(active_masks=numpy.stack([active[t], active[t]])) for t in range(run.T)],
            ),
        }
        exec(whitening, scope)
        return torch.tensor(scope["advantages"][0, :, :, 0]), torch.tensor(active[:-1, :, 0].T)

    def steps(run, old):
        whitened, active = advantages(run)
        factor, steps = numpy.ones((1, run.N, 1)), []
        for turn in [1, 2, 0]:
            mask = run.mask[:, turn]

            class Optimizer:
                zero_grad = staticmethod(lambda: None)
                step = staticmethod(lambda: None)

            self = SimpleNamespace(
                tpdv={"dtype": torch.float64},
                action_aggregation="prod",
                clip_param=0.2,
                use_policy_active_masks=True,
                entropy_coef=0.0,
                use_max_grad_norm=False,
                actor=SimpleNamespace(parameters=lambda: []),
                actor_optimizer=Optimizer,
                # The dimensions of an action are the tokens of a turn; a masked one has ratio 1.
                evaluate_actions=lambda *_: (run.logp[:, turn] * mask, torch.tensor(0.0), None),
            )
            sample = (None,) * 4 + (active[:, turn, None], run.old[:, turn] * mask, whitened[:, turn, None], None, torch.tensor(factor[0]))
            run.logp.grad = None
            loss, *_ = happo.update(self, sample)
            gradient = run.logp.grad.clone()
            scope = {
                "_t2n": tools._t2n,
                "torch": torch,
                "factor": factor,
                "new_actions_logprob": run.after[:, turn] * mask,
                "old_actions_logprob": run.old[:, turn] * mask,
                "self": SimpleNamespace(
                    action_aggregation="prod", algo_args={"train": {"episode_length": 1, "n_rollout_threads": run.N}}
                ),
            }
            exec(factoring, scope)
            # The factor of the turns before multiplies the loss; being positive, it may as well multiply the advantage.
            a = (whitened[:, turn] * torch.tensor(factor[0, :, 0]))[:, None, None] * run.mask[:, turn : turn + 1]
            factor = scope["factor"]
            steps.append((turn, a, (loss, gradient), torch.tensor(factor[0, :, 0])))
        return steps

    at = [source.at(buffers.OnPolicyCriticBufferEP.compute_returns), whitening_at, source.at(happo.update), factoring_at]
    add("HARL: HAPPO", source, ["fours", "whole"], at, steps, "old")
    return {
        "whiten": source.line(r, "advantages = (advantages - mean_advantages) / (std_advantages + 1e-5)"),
        "active": source.line("harl/algorithms/actors/happo.py", ").sum() / active_masks_batch.sum()"),
    }
