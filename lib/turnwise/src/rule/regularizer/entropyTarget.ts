import { group, number, orNull, renamed } from "../../schema";
import { term } from "../term";

/** A weight of the entropy bonus that follows the entropy; where it stands now, the trainer knows. */
export const entropyTarget = term({
  equation: String.raw`-c_kH(\pi)\,\mathbb{1}[e_{k-1}<e^*],\quad c_{k+1}=\mathrm{clip}\big(c_k+\Delta\,\mathrm{sign}(e^*-e_k),\ c_{lo},\ c_{hi}\big)`,
  source:
    "Skywork-OR1, arXiv 2505.22312; github.com/SkyworkAI/Skywork-OR1 at 64e96af, verl/trainer/ppo/core_algos.py:56-74; TRL 1.16.0, trl/trainer/grpo_trainer.py:3203-3240, github.com/huggingface/trl",
  field: orNull(
    group(
      {
        target: number(0.2, {
          atLeast: 0,
          help: "Below it the bonus is paid and grows; above it nothing is paid and the bonus shrinks.",
          unit: "nats per token",
          slider: { min: 0, max: 3, step: 0.01 },
        }),
        step: number(0.005, {
          atLeast: 0,
          help: "Change of the weight after an update; it starts at entropyCoef.",
        }),
        min: renamed("least", number(0, { atLeast: 0, help: "The least weight of the bonus." })),
        max: renamed("most", number(1, { atLeast: 0, help: "The largest weight of the bonus." })),
      },
      { help: "Entropy towards which the weight of the entropy bonus is steered; null leaves it as it is." },
    ),
  ),
  label: (field) => (field === null ? [] : [`entropy to ${field.target} by ${field.step}`]),
});

/** The field of a rule. */
export type EntropyTarget = NonNullable<(typeof entropyTarget.field)["static"]>;

/** Current weight of a bonus with a target. */
export interface EntropyCoefficient {
  readonly coef: number;
  /** Whether the entropy was below its target when it was last seen: only then the bonus is paid. */
  readonly paid: boolean;
}

/** Initial weight. */
export const firstCoefficient = (entropyCoef: number): EntropyCoefficient => ({
  coef: entropyCoef,
  paid: true,
});

/** Price of a nat. */
export const paidCoefficient = ({ coef, paid }: EntropyCoefficient): number => (paid ? coef : 0);

/** The weight after an update whose batch had this entropy, in nats per token. */
export function nextCoefficient(
  { target, step, min, max }: EntropyTarget,
  { coef }: EntropyCoefficient,
  entropy: number,
): EntropyCoefficient {
  const paid = entropy < target;
  return { coef: Math.max(min, Math.min(max, coef + (paid ? step : -step))), paid };
}
