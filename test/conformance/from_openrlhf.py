"""OpenRLHF: the advantages of its experience maker, its policy loss, and its estimates of a divergence."""

from types import SimpleNamespace

import torch

from batches import EVEN


def cases(source, add):
    maker = source.module("openrlhf/trainer/ppo_utils/experience_maker.py")
    losses = source.module("openrlhf/models/loss.py")
    utils = source.module("openrlhf/models/utils.py")
    Maker = maker.RemoteExperienceMaker
    m = "openrlhf/trainer/ppo_utils/experience_maker.py"

    def advantage(run, estimator, kl_coef=0.0, overlong=None, lam=1.0, layout=None):
        layout = layout or run.leftwards
        kl = torch.zeros(run.N, run.T * run.L)
        if kl_coef:
            kl = utils.compute_approx_kl(run.leftwards(run.old), run.leftwards(run.ref))
        mask = layout(run.mask)
        batch = SimpleNamespace(
            index=list(range(run.N)),
            rewards=run.returns.clone(),
            kl=kl,
            values=layout(run.value_token),
            action_mask=mask,
            response_length=mask.sum(1).long(),
            info={},
        )
        reward = SimpleNamespace(clip_range=None, overlong_buffer_len=overlong, overlong_penalty_factor=1.0, stop_properly_penalty_coef=None)
        chosen = SimpleNamespace(estimator=estimator, gamma=1.0, lambd=lam, no_std_norm=False)
        args = SimpleNamespace(
            algo=SimpleNamespace(advantage=chosen),
            reward=reward,
            rollout=SimpleNamespace(n_samples_per_prompt=run.size(), max_new_tokens=6),
        )
        self = SimpleNamespace(strategy=SimpleNamespace(args=args), advantage_estimator=estimator, kl_ctl=SimpleNamespace(value=kl_coef))
        for name in ["get_advantages_and_returns", "get_cumulative_returns"]:
            setattr(self, name, getattr(Maker, name).__get__(self))
        Maker.compute_advantages_and_returns(self, [batch])
        return batch.advantages

    def loss(run, a, **more):
        policy = losses.PolicyLoss(**more)
        return policy.forward(run.leftwards(run.logp), run.leftwards(run.old), a, run.leftwards(run.mask))[0]

    def case(name, estimator, old="old", given={}, batches=EVEN, **more):
        def compute(run):
            a = advantage(run, estimator, **given)
            return run.from_leftwards(a), loss(run, a, **more)

        at = [source.at(Maker.compute_advantages_and_returns), source.at(losses.PolicyLoss.forward)]
        add(f"OpenRLHF: {name}", source, batches, at, compute, old)

    case("REINFORCE++", "reinforce")
    case("REINFORCE++, KL in the reward", "reinforce", given={"kl_coef": 0.3})
    case("REINFORCE++-baseline", "reinforce_baseline")
    case("RLOO, clipped", "rloo")
    case("PPO", "gae")
    case("PPO, dual clip", "gae", dual_clip=3.0)
    case("GRPO", "group_norm", token_level_loss=False)
    case("Dr. GRPO", "dr_grpo")
    case("DAPO", "group_norm", clip_eps_high=0.28)
    case("DAPO, overlong", "group_norm", given={"overlong": 4}, clip_eps_high=0.28)
    for old in ["old", "near"]:
        case(f"GSPO, {old}", "group_norm", old, policy_loss_type="gspo", clip_eps_low=3e-4, clip_eps_high=4e-4)
    case("ratios to 25 nats", "group_norm", batches=["far"], token_level_loss=False)

    def with_gaps(run):
        flat = run.by_trajectory
        a = advantage(run, "gae", lam=0.9, layout=flat) * flat(run.mask)
        return a.reshape(run.batch.shape), losses.PolicyLoss().forward(flat(run.logp), flat(run.old), a, flat(run.mask))[0]

    at = [source.at(f) for f in [Maker.compute_advantages_and_returns, Maker.get_advantages_and_returns, losses.PolicyLoss.forward]]
    add("OpenRLHF: PPO, gaps", source, EVEN, at, with_gaps)

    def estimate(estimator, batch, **more):
        def compute(run):
            new, ref, old, mask = (run.leftwards(x) for x in (run.logp, run.ref, run.old, run.mask))
            old = old if more else None
            kl = utils.compute_approx_kl(new, ref, old, kl_estimator=estimator, **more)
            return torch.zeros(run.batch.shape), losses.aggregate_loss(kl, mask)

        name = f"OpenRLHF: compute_approx_kl {estimator}{', corrected' if more else ''}, {batch}"
        add(name, source, [batch], [source.at(utils.compute_approx_kl), source.at(losses.aggregate_loss)], compute)

    for estimator in ["k1", "k2", "k3"]:
        for batch in ["fours", "far"]:
            estimate(estimator, batch)
    estimate("k3", "fours", unbiased_gradient=True)
    u = "openrlhf/models/utils.py"
    return {
        "whiten": source.line(m, "rstd = var.clamp(min=1e-8).rsqrt()"),
        "variance": source.line(m, "var = ((all_advantages - mean).pow(2)"),
        "tokens": source.line(m, "mean = (all_advantages * all_action_masks).sum() / num_actions"),
        "baseline": source.line(m, "rewards = rewards - rewards.mean(-1, keepdim=True)"),
        "epsilon": source.line(m, "(rewards.std(-1, keepdim=True) + 1e-9)"),
        "tokenMean": source.line("openrlhf/models/loss.py", "return masked_mean(loss, loss_mask, dim=None)"),
        "count": source.line("openrlhf/models/loss.py", "(token_counts + 1e-8)"),
        "clamp": source.line(u, "value = value.clamp(min=-10, max=10)"),
        "straightThrough": source.line(u, "return value.detach() + grad_surrogate - grad_surrogate.detach()"),
        "ratioLimit": source.line("openrlhf/models/loss.py", "policy_log_ratio = raw_policy_log_ratio.clamp(min=-20.0, max=20.0)"),
        "gae": source.line(m, "nextvalues = values[:, t + 1] if t < response_length - 1 else 0.0"),
        "outcome": source.line(u, "last_reward = torch.zeros_like(kl).scatter_"),
    }
