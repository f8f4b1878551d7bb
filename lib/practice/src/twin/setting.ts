import { recipe, type Recipe } from "turnwise/internal/rule/index";

/** The part of a configuration that is trained in the small worlds. */
export interface TwinSetting {
  /** The rule, with its steps per batch. Its optimizer is that of the world. */
  readonly rule: Recipe;
  readonly groupSize: number;
  readonly temperature: number;
  readonly topP: number;
  /** In updates. */
  readonly staleness: number;
  /** Mean gap between the log-probs of the engine and the trainer, in nats. */
  readonly logProbGap: number;
}

/** The settings that the run is compared with, in words. */
export const healthyInWords =
  "one optimizer step on each batch, a clip at .2, no division by std, no penalty or filter, groups of 8, temperature 1, and engines that agree";

/** The advantage of a setting, or GRPO's own, under healthy settings. */
export function healthy({ rule }: Pick<TwinSetting, "rule"> = { rule: recipe("grpo") }): TwinSetting {
  const plain = recipe("grpo");
  return {
    rule: recipe("grpo", {
      advantage: rule.advantage,
      scale: "none",
      gate: { kind: "clip", clipLow: 0.2, clipHigh: 0.2 },
      aggregate: "tokenMean",
      update: { epochs: 1, minibatches: 1, optimizer: plain.update.optimizer },
    }),
    groupSize: 8,
    temperature: 1,
    topP: 1,
    staleness: 0,
    logProbGap: 0,
  };
}

/** Whether both train the same. */
export const sameSetting = (a: TwinSetting, b: TwinSetting): boolean =>
  JSON.stringify(a) === JSON.stringify(b);
