import { at, type SettingTable } from "./contract";

const sampling = (name: string): readonly [string, string] => [
  `orchestrator.train.sampling.${name}`,
  `orchestrator.sampling.${name}`,
];

/**
 * prime-rl, whose loss has a rule of its own.
 *
 * @see https://github.com/PrimeIntellect-ai/prime-rl at 559b44772e471d1538537b8805cc77f3824a5e64: `src/prime_rl/configs/trainer.py`
 * and `src/prime_rl/configs/orchestrator.py`
 */
export const primeRl: SettingTable = {
  estimator: null,
  groupSize: at(8, "orchestrator.group_size", "orchestrator.rollouts_per_example"),
  temperature: at(1, ...sampling("temperature")),
  topP: at(1, ...sampling("top_p")),
  topK: at(-1, ...sampling("top_k")),
  minP: at(0, ...sampling("min_p")),
  batch: at(128, "orchestrator.batch_size"),
  minibatch: null,
  epochs: null,
  learningRate: at(1e-6, "trainer.optim.lr"),
  maxGradNorm: at(1, "trainer.optim.max_norm"),
  loraRank: at(undefined, "trainer.model.lora.rank"),
  weightsType: at("float32", "trainer.model.optimization_dtype"),
  maxResponse: at(undefined, ...sampling("max_completion_tokens"), ...sampling("max_tokens")),
  maxPrompt: null,
  modelLength: at(undefined, "seq_len", "orchestrator.seq_len"),
  maskTruncated: null,
  overlongBuffer: null,
  klInLoss: null,
  klLossCoef: null,
  klLossEstimator: null,
  klInReward: null,
  klRewardCoef: null,
  entropyCoef: null,
  clip: null,
  clipLow: at(0.2, "trainer.loss.dppo_mask_low"),
  clipHigh: at(0.2, "trainer.loss.dppo_mask_high"),
  dualClip: null,
  ratioLevel: null,
  aggregate: null,
  scale: null,
  engine: at("vllm", "inference.backend"),
  correction: null,
  staleness: at(1, "max_async_level", "orchestrator.max_async_level"),
  quantization: null,
  referenceSync: null,
  groupFilter: null,
  filterLimit: null,
  gamma: null,
  lambda: null,
  criticWarmUp: null,
  multiTurn: null,
  maskTools: null,
  rewardWeights: null,
};
