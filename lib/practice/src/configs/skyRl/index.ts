import type { ReadTrainer } from "../contract";
import { read } from "./read";

/**
 * SkyRL, which is read and not written.
 *
 * @see https://github.com/NovaSky-AI/SkyRL at 00127619475249c98d1af1f3d533463e046ef8a9: `skyrl/train/config/config.py` and
 * `skyrl/backends/skyrl_train/utils/ppo_utils.py`
 */
export const skyRl: ReadTrainer = {
  title: "SkyRL",
  version: "August 2026",
  read,
  groupSize: (given) => given.number("generator.n_samples_per_prompt", 5),
  optimizer: (given) => {
    const lr = "trainer.policy.optimizer_config.lr";
    const norm = "trainer.policy.optimizer_config.max_grad_norm";
    return {
      ...(given.has(lr) && { learningRate: given.number(lr, 1e-6) }),
      ...(given.has(norm) && { maxGradNorm: given.number(norm, 1) || null }),
    };
  },
  names:
    /^(trainer\.(algorithm|policy|critic|ref|placement|strategy|epochs|train_batch_size|policy_mini_batch_size|update_epochs_per_batch)\b|generator\.|environment\.)/,
  tells: /^(trainer\.algorithm\.|generator\.|trainer\.policy_mini_batch_size$)/,
  mentions: /skyrl/i,
};
