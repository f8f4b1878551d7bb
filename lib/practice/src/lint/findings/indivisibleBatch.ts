import { clear, found, inapplicable, unknown, type Change, type Finding } from "../contract";
import type { Subject } from "../subject";

interface Division {
  readonly whole: number;
  readonly part: number;
  readonly wholeName: string;
  readonly partName: string;
  /** A part that divides. */
  readonly change: Change;
}

/** Numbers that must be multiples of others. */
function division(s: Subject): Division {
  if (s.trainer === "trl") {
    const batch = s.numberOrNull("batch");
    const part = s.number("groupSize");
    if (batch !== null) return divided(s, "batch", batch, "groupSize", part);
    const own = ["per_device_train_batch_size", "gradient_accumulation_steps"].map((name, i) =>
      s.parts.given.number(name, i === 0 ? 8 : 1),
    );
    const whole = own[0]! * own[1]!;
    if (whole % part !== 0)
      return unknown(
        `${whole} rollouts for each process in groups of ${part}: it depends on the number of processes`,
      );
    return { ...divided(s, "groupSize", part, "groupSize", part), whole };
  }
  if (!s.has("minibatch")) return divided(s, "batch", s.number("batch"), "groupSize", s.number("groupSize"));
  if (s.trainer === "openrlhf") {
    const whole = s.number("batch") * s.number("groupSize");
    return divided(s, "batch", whole, "minibatch", s.number("minibatch"));
  }
  const [batch, minibatch] = [s.number("batch"), s.number("minibatch")];
  if (minibatch >= batch) return inapplicable("the minibatch is the batch");
  return divided(s, "batch", batch, "minibatch", minibatch);
}

function divided(
  s: Subject,
  of: "batch" | "groupSize",
  whole: number,
  by: "minibatch" | "groupSize",
  part: number,
): Division {
  let value = Math.max(1, Math.floor(part));
  while (whole % value !== 0) value -= 1;
  return { whole, part, wholeName: s.flagOf(of), partName: s.flagOf(by), change: { setting: by, value } };
}

export const indivisibleBatch: Finding = {
  title: "Batch sizes do not divide",
  severity: "error",
  confidence: "certain",
  why: "The rest is dropped, or forms a smaller last minibatch whose gradient counts as much as a full one; some trainers refuse to start.",
  source: "verl, trainer/ppo/ray_trainer.py (_validate_config); TRL, trainer/grpo_config.py (__post_init__)",
  lesson: "11-your-own-run",
  check: (s) => {
    const { whole, part, wholeName, partName, change } = division(s);
    if (whole % part === 0) return clear;
    return found(`${wholeName}=${whole} is no multiple of ${partName}=${part}`, [change]);
  },
};
