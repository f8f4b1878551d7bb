import { actor, engine, policyLoss } from "../../configs/verl/names";
import { at, type SettingTable } from "./contract";

const rollout = (name: string): string => `actor_rollout_ref.rollout.${name}`;
const buffer = "reward_kwargs.overlong_buffer_cfg";

/**
 * verl, and those that train by it: `n_agent` and `state_masking` are Search-R1's, `n_repeat` is Agent-R1's, `env.rollout.n` is verl-agent's, `es_manager` and
 * `enable_response_mask` are RAGEN's.
 *
 * @see verl 0.9.1 on PyPI: trainer/config/ppo_trainer.yaml and the files that it includes
 */
export const verl: SettingTable = {
  estimator: at("gae", "algorithm.adv_estimator"),
  groupSize: at(
    1,
    rollout("n"),
    rollout("n_agent"),
    rollout("n_repeat"),
    "env.rollout.n",
    "es_manager.train.group_size",
  ),
  temperature: at(1, rollout("temperature")),
  topP: at(1, rollout("top_p")),
  topK: at(-1, rollout("top_k")),
  minP: null,
  batch: at(1024, "data.train_batch_size"),
  minibatch: at(256, actor("ppo_mini_batch_size")),
  epochs: at(1, actor("ppo_epochs")),
  learningRate: at(1e-6, actor("optim.lr")),
  maxGradNorm: at(1, actor("grad_clip")),
  loraRank: at(0, "actor_rollout_ref.model.lora_rank", "actor_rollout_ref.model.lora.rank"),
  weightsType: at("fp32", actor("fsdp_config.model_dtype")),
  maxResponse: at(512, "data.max_response_length"),
  maxPrompt: at(512, "data.max_prompt_length"),
  modelLength: at(null, rollout("max_model_len")),
  maskTruncated: null,
  overlongBuffer: at(false, `reward.${buffer}.enable`, `reward_model.${buffer}.enable`),
  klInLoss: at(false, actor("use_kl_loss")),
  klLossCoef: at(1e-3, actor("kl_loss_coef")),
  klLossEstimator: at("low_var_kl", actor("kl_loss_type")),
  klInReward: at(false, "algorithm.use_kl_in_reward"),
  klRewardCoef: at(1e-3, "algorithm.kl_ctrl.kl_coef"),
  entropyCoef: at(0, actor("entropy_coeff")),
  clip: at(0.2, actor("clip_ratio")),
  clipLow: at(0.2, actor("clip_ratio_low")),
  clipHigh: at(0.2, actor("clip_ratio_high")),
  dualClip: at(3, actor("clip_ratio_c")),
  ratioLevel: at("vanilla", policyLoss("loss_mode")),
  aggregate: at("token-mean", actor("loss_agg_mode")),
  scale: at(true, "algorithm.norm_adv_by_std_in_grpo"),
  engine: at("vllm", rollout("name")),
  correction: at(null, engine("rollout_is")),
  staleness: at(0, "async_training.staleness_threshold"),
  quantization: at(null, rollout("quantization")),
  referenceSync: null,
  groupFilter: at(false, "algorithm.filter_groups.enable"),
  filterLimit: at(0, "algorithm.filter_groups.max_num_gen_batches"),
  gamma: at(1, "algorithm.gamma"),
  lambda: at(1, "algorithm.lam"),
  criticWarmUp: at(0, "trainer.critic_warmup"),
  multiTurn: at(false, rollout("multi_turn.enable"), "do_search", "env.env_name"),
  maskTools: at(undefined, actor("state_masking"), "enable_response_mask"),
  rewardWeights: null,
};
