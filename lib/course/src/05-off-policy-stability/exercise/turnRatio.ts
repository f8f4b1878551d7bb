import { exp } from "turnwise/internal/base/elementary/exp";
import { createRng, type Rng } from "turnwise/internal/base/rng";
import { closeLists, diagnose, isNumbers, type Kind, type Mistake } from "../../shared/exercise/diagnose";
import { mean, sum } from "../../shared/exercise/groups";
import type { Passed } from "../../shared/exercise/verdict";

/** Computes the ratio of each turn of one trajectory from log-probs in nats and a mask, all [T][L]. */
export type TurnRatioAnswer = (
  logProb_tl: readonly (readonly number[])[],
  oldLogProb_tl: readonly (readonly number[])[],
  mask_tl: readonly (readonly number[])[],
) => ArrayLike<number>;

type Grid = readonly (readonly number[])[];

interface Trajectory {
  readonly logProb_tl: Grid;
  readonly oldLogProb_tl: Grid;
  readonly mask_tl: Grid;
}

/** Turns with these numbers of sampled tokens, padded to `width`; masked cells hold `filling`. */
function trajectoryOf(rng: Rng, lengths: readonly number[], width: number, filling?: number): Trajectory {
  const mask_tl = lengths.map((length) => Array.from({ length: width }, (_, l) => (l < length ? 1 : 0)));
  const draw = (): Grid =>
    mask_tl.map((row) =>
      row.map((mask) => (mask === 1 || filling === undefined ? -0.1 - 2 * rng.next() : filling)),
    );
  return { logProb_tl: draw(), oldLogProb_tl: draw(), mask_tl };
}

function kinds(rng: Rng): Kind<Trajectory>[] {
  const many = (name: string, make: (rng: Rng) => Trajectory): Trajectory[] =>
    Array.from({ length: 8 }, (_, i) => make(rng.split(name, i)));
  return [
    { label: "turns of equal length", inputs: many("equal", (r) => trajectoryOf(r, [3, 3], 3)) },
    {
      label: "turns of unequal length",
      inputs: many("unequal", (r) => trajectoryOf(r, [2, 4, 1], 4)),
      sentence: "it lets masked cells count; only tokens with mask 1 belong to a turn.",
    },
    {
      label: "NaN in masked cells",
      inputs: many("poison", (r) => trajectoryOf(r, [1, 3, 2], 4, NaN)),
      sentence: "it reads masked cells: a NaN there reaches the result, since 0 * NaN is NaN; skip them.",
    },
    {
      label: "a turn without tokens",
      inputs: many("empty", (r) => trajectoryOf(r, [2, 0, 3], 3, NaN)),
      sentence: "it is wrong for a turn without sampled tokens; the task says what ratio such a turn has.",
    },
  ];
}

/** Computes a number for each turn from the log-ratios of its sampled tokens. */
function perTurn(
  { logProb_tl, oldLogProb_tl, mask_tl }: Trajectory,
  f: (d: readonly number[]) => number,
): number[] {
  return mask_tl.map((row, t) =>
    f(row.flatMap((mask, l) => (mask === 1 ? [logProb_tl[t]![l]! - oldLogProb_tl[t]![l]!] : []))),
  );
}

const orOne = (d: readonly number[], f: () => number): number => (d.length === 0 ? 1 : f());

const mistakes: readonly Mistake<Trajectory, ArrayLike<number>>[] = [
  {
    sentence:
      "it sums instead of averaging over the turn's tokens: that is the product, not the geometric mean.",
    run: (x) => perTurn(x, (d) => exp(sum(d))),
  },
  {
    sentence: "it averages the ratios of the tokens; average their logarithms.",
    run: (x) => perTurn(x, (d) => orOne(d, () => mean(d.map(exp)))),
  },
  {
    sentence: "it is old over new; the present policy stands above.",
    run: (x) => perTurn(x, (d) => orOne(d, () => exp(-mean(d)))),
  },
  {
    sentence: "it returns the log-ratio; take the exponential.",
    run: (x) => perTurn(x, (d) => (d.length === 0 ? 0 : mean(d))),
  },
  {
    sentence: "it averages over the width of the row; masked cells are no tokens.",
    run: (x) => perTurn(x, (d) => exp(sum(d) / x.mask_tl[0]!.length)),
  },
  {
    sentence: "it gives every turn the ratio of the whole trajectory; each turn has its own.",
    run: (x) => {
      const all: number[] = [];
      perTurn(x, (d) => all.push(...d));
      return x.mask_tl.map(() => exp(mean(all)));
    },
  },
  {
    sentence: "it uses the first token of the turn alone; all its tokens count.",
    run: (x) => perTurn(x, (d) => orOne(d, () => exp(d[0]!))),
  },
  {
    sentence:
      "it divides by zero for a turn without sampled tokens; the task says what ratio such a turn has.",
    run: (x) => perTurn(x, (d) => exp(mean(d))),
  },
];

/**
 * w_t = exp(mean over the turn's sampled tokens of log pi - log pi_old); 1 for a turn without sampled tokens.
 *
 * @see SORL, arXiv 2511.20718, for turns; GSPO, arXiv 2507.18071, for whole sequences
 */
export function checkTurnRatio(answer: TurnRatioAnswer): Passed {
  return diagnose<Trajectory, ArrayLike<number>>({
    exercise: "turnRatio",
    kinds: kinds(createRng(1).split("turnRatio")),
    right: (x) => perTurn(x, (d) => orOne(d, () => exp(mean(d)))),
    mistakes,
    form: (output, { mask_tl }) => {
      if (!isNumbers(output)) return "it must return a list of numbers, one for each turn.";
      if (output.length === mask_tl.length) return undefined;
      return `it must return one number for each turn; it returned ${String(output.length)} for ${String(mask_tl.length)}.`;
    },
    same: closeLists,
    call: ({ logProb_tl, oldLogProb_tl, mask_tl }) => {
      const copy = (grid: Grid): number[][] => grid.map((row) => [...row]);
      return answer(copy(logProb_tl), copy(oldLogProb_tl), copy(mask_tl));
    },
  });
}
