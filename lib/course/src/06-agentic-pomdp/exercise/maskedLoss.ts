import { createRng, type Rng } from "turnwise/internal/base/rng";
import { close, diagnose, type Kind, type Mistake } from "../../shared/exercise/diagnose";
import { mean, sum } from "../../shared/exercise/groups";
import type { Passed } from "../../shared/exercise/verdict";

/** Writer of a token of the context. */
export type Writer = "prompt" | "policy" | "tool" | "padding";

/** Computes a trajectory's loss from the loss and the writer of each token, both [T][L]. */
export type MaskedLossAnswer = (
  loss_tl: readonly (readonly number[])[],
  writer_tl: readonly (readonly Writer[])[],
) => number;

interface Trajectory {
  readonly loss_tl: readonly (readonly number[])[];
  readonly writer_tl: readonly (readonly Writer[])[];
}

function trajectoryOf(rng: Rng, writer_tl: readonly (readonly Writer[])[], poison: boolean): Trajectory {
  const loss_tl = writer_tl.map((row) =>
    row.map((writer) => (writer === "policy" || !poison ? 0.5 + 3 * rng.next() : NaN)),
  );
  return { loss_tl, writer_tl };
}

/** A turn: what the policy wrote, what the tool said to it, and padding. */
function turn(policy: number, tool: number, width: number, prompt = 0): Writer[] {
  const parts = [prompt, policy, tool, width - prompt - policy - tool] as const;
  return (["prompt", "policy", "tool", "padding"] as const).flatMap((writer, i) =>
    Array.from({ length: parts[i]! }, () => writer),
  );
}

function kinds(rng: Rng): Kind<Trajectory>[] {
  const many = (name: string, writers: Writer[][], poison = false): Trajectory[] =>
    Array.from({ length: 8 }, (_, i) => trajectoryOf(rng.split(name, i), writers, poison));
  const long = [turn(2, 3, 8, 2), turn(1, 4, 8), turn(4, 0, 8)];
  return [
    { label: "a trajectory with prompt, tool and padding", inputs: many("plain", long) },
    {
      label: "NaN in tokens that the policy did not write",
      inputs: many("poison", long, true),
      sentence:
        "it reads tokens that are masked: a NaN there reaches the result, since 0 * NaN is NaN; skip them.",
    },
    {
      label: "a trajectory in which the policy wrote nothing",
      inputs: many("empty", [turn(0, 3, 5, 1)], true),
      sentence: "it is wrong when the policy wrote nothing; the task says what loss there is then.",
    },
  ];
}

const tokens = (x: Trajectory, ...by: Writer[]): number[] =>
  x.loss_tl.flatMap((row, t) => row.filter((_, l) => by.includes(x.writer_tl[t]![l]!)));
const orZero = (values: readonly number[], f = mean): number => (values.length === 0 ? 0 : f(values));

const mistakes: readonly Mistake<Trajectory, number>[] = [
  {
    sentence: "it counts the tool's tokens too; the policy did not choose them, so they carry no gradient.",
    run: (x) => orZero(tokens(x, "policy", "tool")),
  },
  {
    sentence: "it counts the prompt's tokens too; the policy did not choose them.",
    run: (x) => orZero(tokens(x, "policy", "prompt")),
  },
  {
    sentence: "it masks the padding alone; prompt and tool are not the policy's either.",
    run: (x) => orZero(tokens(x, "policy", "tool", "prompt")),
  },
  {
    sentence: "it averages over every cell, padding included; nothing is masked.",
    run: (x) => mean(x.loss_tl.flat()),
  },
  {
    sentence: "it divides by the number of all cells; divide by the number of tokens that the policy wrote.",
    run: (x) => sum(tokens(x, "policy")) / x.loss_tl.flat().length,
  },
  {
    sentence: "it returns the sum; the task asks for the mean over tokens.",
    run: (x) => sum(tokens(x, "policy")),
  },
  {
    sentence:
      "it averages within each turn first, so that tokens of short turns weigh more; every token weighs the same.",
    run: (x) => {
      const turns = x.loss_tl.map((row, t) => row.filter((_, l) => x.writer_tl[t]![l] === "policy"));
      return orZero(turns.filter((row) => row.length > 0).map((row) => mean(row)));
    },
  },
  {
    sentence: "the mask is turned round: it counts what the policy did not write.",
    run: (x) => orZero(tokens(x, "tool", "prompt", "padding")),
  },
  {
    sentence: "it divides by zero when the policy wrote nothing; the task says what loss there is then.",
    run: (x) => mean(tokens(x, "policy")),
  },
];

/**
 * The mean loss over the tokens that the policy wrote; 0 if it wrote none.
 *
 * @see Search-R1, arXiv 2503.09516, which masks retrieved tokens in loss and KL
 */
export function checkMaskedLoss(answer: MaskedLossAnswer): Passed {
  return diagnose<Trajectory, number>({
    exercise: "maskedLoss",
    kinds: kinds(createRng(1).split("maskedLoss")),
    right: (x) => orZero(tokens(x, "policy")),
    mistakes,
    form: (output) => (typeof output === "number" ? undefined : "it must return one number."),
    same: close,
    call: ({ loss_tl, writer_tl }) =>
      answer(
        loss_tl.map((row) => [...row]),
        writer_tl.map((row) => [...row]),
      ),
  });
}
