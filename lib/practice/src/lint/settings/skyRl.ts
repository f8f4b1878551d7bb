import { at, type SettingTable } from "./contract";

const algorithm = (name: string): string => `trainer.algorithm.${name}`;
const sampling = (name: string): string => `generator.sampling_params.${name}`;

/**
 * SkyRL.
 *
 * @see https://github.com/NovaSky-AI/SkyRL at 00127619475249c98d1af1f3d533463e046ef8a9: `skyrl/train/config/config.py`
 */
export const skyRl: SettingTable = {
  estimator: at("grpo", algorithm("advantage_estimator")),
  groupSize: at(5, "generator.n_samples_per_prompt"),
  temperature: at(1, sampling("temperature")),
  topP: at(1, sampling("top_p")),
  topK: at(-1, sampling("top_k")),
  minP: at(0, sampling("min_p")),
  batch: at(1024, "trainer.train_batch_size"),
  minibatch: at(256, "trainer.policy_mini_batch_size"),
  epochs: at(1, "trainer.update_epochs_per_batch"),
  learningRate: at(1e-6, "trainer.policy.optimizer_config.lr"),
  maxGradNorm: at(1, "trainer.policy.optimizer_config.max_grad_norm"),
  loraRank: at(0, "trainer.policy.model.lora.rank"),
  weightsType: null,
  maxResponse: at(1024, sampling("max_generate_length")),
  maxPrompt: at(512, "trainer.max_prompt_length"),
  modelLength: at(null, "generator.max_input_length"),
  maskTruncated: at(false, "generator.apply_overlong_filtering"),
  overlongBuffer: null,
  klInLoss: at(true, algorithm("use_kl_loss")),
  klLossCoef: at(1e-3, algorithm("kl_loss_coef")),
  klLossEstimator: at("k3", algorithm("kl_estimator_type")),
  klInReward: at(false, algorithm("use_kl_in_reward")),
  klRewardCoef: at(1e-3, algorithm("kl_ctrl.kl_coef")),
  entropyCoef: at(0.01, algorithm("entropy_loss_coef")),
  clip: null,
  clipLow: at(0.2, algorithm("eps_clip_low")),
  clipHigh: at(0.2, algorithm("eps_clip_high")),
  dualClip: at(3, algorithm("clip_ratio_c")),
  ratioLevel: at("regular", algorithm("policy_loss_type")),
  aggregate: at("token_mean", algorithm("loss_reduction")),
  scale: at(true, algorithm("grpo_norm_by_std")),
  engine: at("vllm", "generator.backend"),
  correction: at(null, algorithm("off_policy_correction.tis_ratio_type"), algorithm("use_tis")),
  staleness: at(0, "trainer.fully_async.max_staleness_steps"),
  quantization: null,
  referenceSync: at(false, "trainer.update_ref_every_epoch"),
  groupFilter: at(null, algorithm("dynamic_sampling.type")),
  filterLimit: at(30, algorithm("dynamic_sampling.max_sample_batches")),
  gamma: at(1, algorithm("gamma")),
  lambda: at(1, algorithm("lambd")),
  criticWarmUp: at(0, "trainer.critic_warmup"),
  multiTurn: at(1, "generator.max_turns"),
  maskTools: null,
  rewardWeights: null,
};
