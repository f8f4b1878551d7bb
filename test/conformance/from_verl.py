"""verl: verl/trainer/ppo/core_algos.py and the loss of its workers."""

from types import SimpleNamespace

import torch

from batches import ANY, EVEN


class Padded(dict):
    """The one thing that the loss asks of its data: to choose fields and to pad them."""

    def select(self, *names):
        return Padded({name: self[name] for name in names})

    def to_padded_tensor(self):
        return self


class Settings(dict):
    """What the configuration asks of its policy loss, by attribute and by key."""

    __getattr__ = dict.get


class Unmeasured:
    """What the loss reports besides is not compared."""

    def __init__(self, **_):
        pass

    @staticmethod
    def from_dict(metrics, aggregation):
        return metrics


def cases(source, add):
    algos = source.module("verl/trainer/ppo/core_algos.py")
    losses = source.module("verl/workers/utils/losses.py")
    engines = source.module("verl/trainer/ppo/rollout_corr_helper.py")
    engines.DataProto = SimpleNamespace(from_dict=lambda tensors: SimpleNamespace(batch=tensors))
    losses.no_padding_2_padding = lambda tensor, data: tensor
    losses.Metric = Unmeasured
    ActorConfig = losses.ActorConfig
    c = "verl/trainer/ppo/core_algos.py"

    def config(loss_mode="vanilla", agg="token-mean", policy=None, **more):
        made = ActorConfig(strategy="fsdp", rollout_n=1, ppo_micro_batch_size_per_gpu=1, loss_agg_mode=agg, **more)
        object.__setattr__(made, "policy_loss", Settings(loss_mode=loss_mode, **(policy or {})))
        return made

    def loss(run, advantage, agg="token-mean", loss_mode="vanilla", entropy=None, correct=None, **more):
        flat = run.by_trajectory
        weights, mask = corrected(run, **correct) if correct else (None, flat(run.mask))
        data = Padded(
            dp_size=1,
            batch_num_tokens=None,
            global_batch_size=None,
            response_mask=mask,
            **({} if weights is None else {"rollout_is_weights": weights}),
            old_log_probs=flat(run.old),
            advantages=advantage,
            ref_log_prob=flat(run.ref),
        )
        output = {"log_probs": flat(run.logp), **({"entropy": flat(run.entropy)} if entropy else {})}
        given = {**more, **({"entropy_coeff": entropy} if entropy else {})}
        value, _ = losses.ppo_loss(config(loss_mode, agg, **given), output, data)
        return value

    def corrected(run, **settings):
        """The reference plays the engine that wrote the batch."""
        flat = run.by_trajectory
        weights, mask, _ = engines.compute_rollout_correction_and_rejection_mask(flat(run.old), flat(run.ref), flat(run.mask), **settings)
        return (None if weights is None else weights.batch["rollout_is_weights"]), mask

    def outcome(run, name, **more):
        fn = {
            "grpo": algos.compute_grpo_outcome_advantage,
            "rloo": algos.compute_rloo_outcome_advantage,
            "opo": algos.compute_opo_outcome_advantage,
        }[name]
        return fn(run.outcome(), run.by_trajectory(run.mask), run.groups(), **more)[0]

    def to_go(run, which):
        """REINFORCE++: 0 its whitened advantages, 1 the returns before."""
        settings = SimpleNamespace(gamma=1.0)
        rewards = run.outcome() if which == 1 else run.by_trajectory(run.paid)
        return algos.compute_reinforce_plus_plus_outcome_advantage(rewards, run.by_trajectory(run.mask), settings)[which]

    def grouped(run, fn, **more):
        return fn(run.outcome(), run.by_trajectory(run.mask), index=run.groups(), **more)[0]

    def gae(run, rewards=None):
        rewards = run.by_trajectory(run.paid) if rewards is None else rewards
        return algos.compute_gae_advantage_return(
            rewards, run.by_trajectory(run.value_token), run.by_trajectory(run.mask), 1.0, 1.0
        )[0]

    vanilla, at = algos.compute_policy_loss_vanilla, source.at
    grpo, rloo = algos.compute_grpo_outcome_advantage, algos.compute_rloo_outcome_advantage
    plus = algos.compute_reinforce_plus_plus_outcome_advantage
    gae_fn = algos.compute_gae_advantage_return

    def case(name, batches, advantage, calls, old="old", agg="token-mean", **more):
        def compute(run):
            a = advantage(run)
            return a.reshape(run.batch.shape), loss(run, a, agg, **more)

        add(f"verl: {name}", source, batches, [at(f) for f in [*calls, losses.ppo_loss]], compute, old)

    case("REINFORCE", ANY, lambda r: to_go(r, 1), [plus, algos.compute_policy_loss_gpg], agg="seq-mean-token-sum", loss_mode="gpg")
    case("REINFORCE++", ANY, lambda r: to_go(r, 0), [plus, vanilla])
    case("RLOO", EVEN, lambda r: outcome(r, "rloo"), [rloo, algos.compute_policy_loss_gpg], agg="seq-mean-token-sum", loss_mode="gpg")
    case("RLOO, clipped", EVEN, lambda r: outcome(r, "rloo"), [rloo, vanilla])
    case("PPO", ANY, gae, [gae_fn, vanilla])
    case("PPO, KL in the reward", EVEN, lambda r: gae(r, paid_less(algos, r)), [algos.compute_rewards, gae_fn, vanilla])
    case("GRPO", ANY, lambda r: outcome(r, "grpo"), [grpo, vanilla], agg="seq-mean-token-mean")
    case("GRPO, no deviation", ANY, lambda r: outcome(r, "grpo", norm_adv_by_std_in_grpo=False), [grpo, vanilla], agg="seq-mean-token-sum-norm")
    case("DAPO", ANY, lambda r: outcome(r, "grpo"), [grpo, vanilla], clip_ratio_high=0.28)
    for agg in ["token-mean", "token-sum", "seq-mean-token-sum", "seq-mean-token-mean", "seq-mean-token-sum-norm"]:
        case(f"agg_loss {agg}", ["fours"], lambda r: outcome(r, "grpo"), [algos.agg_loss, vanilla], agg=agg)
    case("ratios to 25 nats", ["far"], lambda r: outcome(r, "grpo"), [grpo, vanilla], agg="seq-mean-token-mean")
    bounds = {"clip_ratio_low": 3e-4, "clip_ratio_high": 4e-4}
    gspo, sapo = algos.compute_policy_loss_gspo, algos.compute_policy_loss_sapo
    for old in ["old", "near"]:
        case(f"GSPO, {old}", ANY, lambda r: outcome(r, "grpo"), [grpo, gspo], old, "seq-mean-token-mean", loss_mode="gspo", **bounds)
    case("GSPO, token-mean", EVEN, lambda r: outcome(r, "grpo"), [grpo, gspo], "near", loss_mode="gspo", **bounds)
    case("SAPO", ANY, lambda r: outcome(r, "grpo"), [grpo, sapo], agg="seq-mean-token-mean", loss_mode="sapo")
    # Which candidates Clip-Cov leaves out is drawn: here the first ones.
    algos.torch.randperm = torch.arange
    clip_cov, kl_cov = algos.compute_policy_loss_clip_cov, algos.compute_policy_loss_kl_cov
    std = lambda r: outcome(r, "grpo")
    case("Clip-Cov", EVEN, std, [grpo, clip_cov], loss_mode="clip_cov")
    wide = {"clip_cov_ratio": 0.2, "clip_cov_lb": 0.1, "clip_cov_ub": 0.6}
    case("Clip-Cov, wide", EVEN, std, [grpo, clip_cov], loss_mode="clip_cov", policy=wide)
    case("KL-Cov", EVEN, std, [grpo, kl_cov], loss_mode="kl_cov")
    case("KL-Cov, many", EVEN, std, [grpo, kl_cov], loss_mode="kl_cov", policy={"kl_cov_ratio": 0.3, "ppo_kl_coef": 0.5})
    tv, kl_of = algos.compute_policy_loss_dppo_tv, algos.compute_policy_loss_dppo_kl
    case("DPPO, total variation", EVEN, std, [grpo, tv], loss_mode="dppo_tv", clip_ratio_low=0.15, clip_ratio_high=0.15)
    case("DPPO, KL", EVEN, std, [grpo, kl_of], loss_mode="dppo_kl", clip_ratio_low=0.05, clip_ratio_high=0.05)
    case("GMPO", EVEN, std, [grpo, algos.compute_policy_loss_geo_mean], loss_mode="geo_mean", clip_ratio_low=0.4, clip_ratio_high=0.4)
    case("DRO", EVEN, std, [grpo, algos.compute_policy_loss_dro], loss_mode="dro", policy={"dro_beta": 0.1})
    gpg = algos.compute_policy_loss_gpg
    opo = algos.compute_opo_outcome_advantage
    case("OPO", EVEN, lambda r: outcome(r, "opo"), [opo, gpg], agg="seq-mean-token-sum", loss_mode="gpg")
    baseline, passk = algos.compute_reinforce_plus_plus_baseline_outcome_advantage, algos.compute_grpo_passk_outcome_advantage
    case("REINFORCE++-baseline", ANY, lambda r: grouped(r, baseline), [baseline, vanilla])
    case("GRPO, pass@k", EVEN, lambda r: grouped(r, passk, config={}), [passk, vanilla])
    group = algos.compute_gpg_outcome_advantage
    case("GPG", EVEN, lambda r: grouped(r, group), [group, gpg], agg="seq-mean-token-mean", loss_mode="gpg")
    remax = algos.compute_remax_outcome_advantage
    # The values before the first turns play the returns of greedy episodes.
    greedy = lambda r: remax(r.outcome(), r.value[:, 0], r.by_trajectory(r.mask))[0]
    case("ReMax", EVEN, greedy, [remax, gpg], agg="seq-mean-token-sum", loss_mode="gpg")
    engine = engines.compute_rollout_correction_and_rejection_mask
    weights, rejects = engines.compute_rollout_correction_weights, engines.compute_rollout_rejection_mask
    none = {"rollout_is": None, "rollout_rs": None}
    case("TIS", EVEN, std, [grpo, vanilla, engine, weights], correct={**none, "rollout_is": "token", "rollout_is_threshold": 1.2})
    case("TIS, trajectory", EVEN, std, [grpo, vanilla, engine, weights], correct={**none, "rollout_is": "sequence", "rollout_is_threshold": 1.2})
    case("IcePop", EVEN, std, [grpo, vanilla, engine, weights], correct={**none, "rollout_is": "token", "rollout_is_threshold": "0.8_1.25"})
    geo = {"rollout_rs": "seq_mean_k1", "rollout_rs_threshold": "0.9_1.1"}
    case("Geometric rejection", EVEN, std, [grpo, vanilla, engine, rejects], correct={**none, **geo})
    case("CISPO", EVEN, lambda r: outcome(r, "grpo"), [grpo, algos.compute_policy_loss_cispo], loss_mode="cispo")
    kl = {"use_kl_loss": True, "kl_loss_coef": 0.001}
    both = [gae_fn, vanilla, algos.kl_penalty]
    case("PPO, k1 in the loss", EVEN, gae, both, entropy=0.001, kl_loss_type="kl", **kl)
    case("PPO, clip higher", EVEN, gae, [gae_fn, vanilla], entropy=0.001, clip_ratio_high=0.28)
    for estimator in ["k1", "k2", "k3", "k3+"]:
        for batch in ["fours", "far"]:
            nothing = lambda r: torch.zeros(r.N, r.T * r.L)
            case(f"kl_penalty {estimator}, {batch}", [batch], nothing, [algos.kl_penalty], loss_mode="gpg", use_kl_loss=True, kl_loss_coef=1.0, kl_loss_type=estimator)
    return {
        "dualClip": source.line(c, "clip_ratio_c = config.get("),
        "whiten": source.line("verl/utils/torch_functional.py", "torch.rsqrt(var + 1e-8)"),
        "count": source.line(c, "(seq_mask + 1e-8)"),
        "tokens": source.line(c, "advantages = verl_F.masked_whiten(returns, response_mask)"),
        "singleton": source.line(c, "if len(id2score[idx]) == 1:"),
        "ratioLimit": source.line(c, "torch.clamp(negative_approx_kl, min=-20.0, max=20.0)", "def compute_policy_loss_vanilla"),
        "k3Clamp": source.line(c, "return torch.clamp(kld, min=-10, max=10)"),
        "straightThrough": source.line(c, "return backward_score - backward_score.detach() + forward_score.detach()"),
        "tokenForm": source.line(c, "log_seq_importance_ratio = log_prob - log_prob.detach()"),
        "tokenSum": source.line(c, "loss = verl_F.masked_sum(loss_mat, loss_mask) * dp_size"),
        "geoCount": source.line(c, "ratio = torch.exp((negative_approx_kl_min * response_mask).sum(dim=-1) / (response_mask_sum + 1e-8))"),
        "dppoCap": source.line("verl/workers/config/actor.py", "clip_ratio_c: float = 3.0"),
        "geoRs": source.line("verl/trainer/ppo/rollout_corr_helper.py", "token_k1: torch.Tensor = -log_ratio_safe"),
        "cispo": source.line(c, "clipped_ratio_sg = clipped_ratio.detach()"),
        "klOff": source.line("verl/workers/config/actor.py", "use_kl_loss: bool = False"),
        "gpgShare": source.line(c, "m = torch.count_nonzero(scores)"),
        "passK": source.line(c, "if rewards.numel() < 2:"),
        "baselineAlone": source.line(c, "id2mean[idx] = torch.tensor(0.0)", "def compute_reinforce_plus_plus_baseline_outcome_advantage"),
        "aggDefault": source.line("verl/workers/config/actor.py", 'loss_agg_mode: str = "token-mean"'),
    }


def paid_less(algos, run):
    """Each token is charged .3 times its log-ratio to the reference."""
    paid, old, ref = (run.by_trajectory(x) for x in (run.paid, run.old, run.ref))
    return algos.compute_rewards(paid, old, ref, 0.3) * run.by_trajectory(run.mask)
