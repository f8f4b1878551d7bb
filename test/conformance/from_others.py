"""SkyRL and prime-rl: their own losses and advantages, rows are trajectories; and how Skywork-OR1 steers the entropy."""

from types import SimpleNamespace

import torch

from batches import EVEN


def skyrl(source, add, verl):
    utils = source.module("skyrl/backends/skyrl_train/utils/ppo_utils.py")
    utils.torch.randperm = torch.arange  # the candidates of Clip-Cov in their order, as for verl
    p = "skyrl/backends/skyrl_train/utils/ppo_utils.py"
    options = SimpleNamespace(
        eps_clip_low=0.2,
        eps_clip_high=0.2,
        clip_cov=SimpleNamespace(clip_ratio=0.2, clip_cov_lb=0.1, clip_cov_ub=0.6),
        kl_cov=SimpleNamespace(kl_cov_frac=0.2, ppo_kl_coef=1.0),
    )

    def advantage(run, name):
        return getattr(utils, name)(run.outcome(), run.by_trajectory(run.mask), run.groups())[0]

    def loss(run, a, name, config):
        flat = run.by_trajectory
        # The trainer divides the advantages by the number of tokens before the loss adds up.
        value, _ = getattr(utils, name)(flat(run.logp), flat(run.old), a, config, flat(run.mask))
        return value / run.N

    def case(name, by, form, config=options):
        def compute(run):
            a = advantage(run, by)
            return a.reshape(run.batch.shape), loss(run, a, form, config)

        add(f"SkyRL: {name}", source, EVEN, [source.at(getattr(utils, by)), source.at(getattr(utils, form))], compute)

    grpo = "compute_grpo_outcome_advantage"
    case("Clip-Cov", grpo, "compute_policy_loss_clip_cov")
    case("KL-Cov", grpo, "compute_policy_loss_kl_cov")

    def positive(run):
        run.returns = run.returns.abs()
        a = advantage(run, "compute_maxrl_advantage")
        return a.reshape(run.batch.shape), loss(run, a, "compute_policy_loss_kl_cov", options)

    add("SkyRL: MaxRL", source, EVEN, [source.at(utils.compute_maxrl_advantage)], positive)
    return {
        "maxrl": source.line(p, "scores[i] = (scores[i] - id2mean[index[i]]) / (id2mean[index[i]] + epsilon)"),
        "sum": source.line(p, "return (loss * loss_mask).sum()"),
    }


def prime(source, add):
    losses = source.module("src/prime_rl/trainer/rl/loss.py")
    p = "src/prime_rl/trainer/rl/loss.py"
    settings = SimpleNamespace(dppo_mask_high=0.2, dppo_mask_low=0.2, adv_tau=1.0, kl_tau=1e-3)

    def compute(run):
        means = torch.stack([run.returns[[j for j in range(run.N) if run.groups()[j] == g]].mean() for g in run.groups()])
        a = (run.returns - means)[:, None, None] * run.mask
        rows = lambda x: list(run.by_trajectory(x))
        value, _ = losses.compute_loss(
            rows(run.logp),
            rows(run.old),
            None,
            rows(a),
            [row > 0 for row in rows(run.mask)],
            None,
            None,
            None,
            lambda given: losses.default_loss_fn(given, settings),
            int(run.mask.sum()),
            1,
            1,
        )
        return a, value

    add("prime-rl: DPPO", source, EVEN, [source.at(losses.compute_loss), source.at(losses.default_loss_fn)], compute)
    return {"tau": source.line(p, "per_token_loss = -pg_loss + loss_config.kl_tau * kl_loss", "def default_loss_fn")}


def skywork(source):
    """The weight of the entropy bonus after each update, and whether it is paid in the next, by the entropies of these."""
    algos = source.module("verl/trainer/ppo/core_algos.py")
    settings = {"target": 0.5, "step": 0.1, "least": 0.0, "most": 0.25}
    entropies = [0.4, 0.3, 0.2, 0.6, 0.5, 0.9, 0.45, 0.1]
    control = algos.EntController(0.0, settings["most"], settings["least"], settings["step"], settings["target"], True)
    seen = []
    for entropy in entropies:
        control.update(entropy)
        seen.append({"coef": control.value, "paid": bool(control.entropy_loss_enabled)})
    return {"settings": settings, "entropies": entropies, "states": seen}
