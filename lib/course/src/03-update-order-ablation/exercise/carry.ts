import { exp } from "turnwise/internal/base/elementary/exp";
import { createRng, type Rng } from "turnwise/internal/base/rng";
import { closeLists, diagnose, isNumbers, type Kind, type Mistake } from "../../shared/exercise/diagnose";
import type { Passed } from "../../shared/exercise/verdict";

/**
 * Computes the weight of each turn's update from the advantages [N], the ratios (after / before) of the turns [N][T], and the
 * number of turns of each trajectory [N]; row n of the result has that many numbers.
 */
export type CarryAnswer = (
  advantage_n: readonly number[],
  ratio_nt: readonly (readonly number[])[],
  turnCount_n: readonly number[],
) => readonly ArrayLike<number>[];

interface Batch {
  readonly advantage_n: readonly number[];
  readonly ratio_nt: readonly (readonly number[])[];
  readonly turnCount_n: readonly number[];
}

type Rows = readonly ArrayLike<number>[];

function batchOf(rng: Rng, turnCount_n: readonly number[], T: number, padding: number): Batch {
  return {
    advantage_n: turnCount_n.map(() => rng.normal()),
    ratio_nt: turnCount_n.map((count) =>
      Array.from({ length: T }, (_, t) => (t < count ? exp(0.6 * rng.normal()) : padding)),
    ),
    turnCount_n,
  };
}

function kinds(rng: Rng): Kind<Batch>[] {
  const many = (name: string, make: (rng: Rng) => Batch): Batch[] =>
    Array.from({ length: 8 }, (_, i) => make(rng.split(name, i)));
  return [
    { label: "trajectories of equal length", inputs: many("equal", (r) => batchOf(r, [3, 3, 3], 3, 1)) },
    {
      label: "trajectories of unequal length",
      inputs: many("unequal", (r) => batchOf(r, [4, 2, 1, 3], 4, 1.5)),
      sentence: "it multiplies by ratios of turns that a shorter trajectory does not have.",
    },
    {
      label: "NaN where a trajectory has no turn",
      inputs: many("poison", (r) => batchOf(r, [2, 4, 1], 4, NaN)),
      sentence: "it multiplies by padding: a NaN behind the last turn reaches the result.",
    },
  ];
}

function perRow(
  { advantage_n, ratio_nt, turnCount_n }: Batch,
  f: (ratios: readonly number[], t: number, advantage: number) => number,
): number[][] {
  return advantage_n.map((advantage, n) => {
    const ratios = ratio_nt[n]!.slice(0, turnCount_n[n]);
    return ratios.map((_, t) => f(ratios, t, advantage));
  });
}

const product = (ratios: readonly number[]): number => ratios.reduce((p, r) => p * r, 1);
const clip = (x: number): number => Math.min(Math.max(x, 0.8), 1.2);

const mistakes: readonly Mistake<Batch, Rows>[] = [
  {
    sentence: "the carry includes the current turn; it holds only the turns that were updated before it.",
    run: (b) => perRow(b, (ratios, t, A) => A * product(ratios.slice(t))),
  },
  {
    sentence: "the carry runs forward; in reverse order it is the later turns that were updated before.",
    run: (b) => perRow(b, (ratios, t, A) => A * product(ratios.slice(0, t))),
  },
  {
    sentence: "the carry is missing: every turn has the same weight, as in a simultaneous update.",
    run: (b) => perRow(b, (_ratios, _t, A) => A),
  },
  {
    sentence: "only the next turn's ratio is carried; all later turns count.",
    run: (b) => perRow(b, (ratios, t, A) => A * (ratios[t + 1] ?? 1)),
  },
  {
    sentence: "the carry is clipped, as in the released code; the task asks for Eq. 8, without a clip.",
    run: (b) =>
      perRow(
        b,
        (ratios, t, A) =>
          A *
          ratios
            .slice(t + 1)
            .reverse()
            .reduce((p, r) => clip(clip(r) * p), 1),
      ),
  },
  {
    sentence: "each ratio is clipped; the task asks for Eq. 8, without a clip.",
    run: (b) => perRow(b, (ratios, t, A) => A * product(ratios.slice(t + 1).map(clip))),
  },
  {
    sentence: "the advantage is missing: it returns the product of ratios alone.",
    run: (b) => perRow(b, (ratios, t) => product(ratios.slice(t + 1))),
  },
  {
    sentence: "it adds the ratios; they are multiplied.",
    run: (b) =>
      perRow(
        b,
        (ratios, t, A) => A * (t + 1 < ratios.length ? ratios.slice(t + 1).reduce((s, r) => s + r, 0) : 1),
      ),
  },
  {
    sentence: "each row is turned round: the first number must belong to the first turn.",
    run: (b) => perRow(b, (ratios, t, A) => A * product(ratios.slice(ratios.length - t))),
  },
  {
    sentence: "it divides by the ratios; they are after over before already.",
    run: (b) => perRow(b, (ratios, t, A) => A / product(ratios.slice(t + 1))),
  },
  {
    sentence: "the current turn's ratio is in the weight, and the later ones are not.",
    run: (b) => perRow(b, (ratios, t, A) => A * ratios[t]!),
  },
];

/**
 * M_{t+1} = A * product over the later turns j > t of ratio_j: the weight with which turn t is updated.
 *
 * @see SeeUPO, arXiv 2602.06554, Eq. 6 to 8
 */
export function checkCarry(answer: CarryAnswer): Passed {
  return diagnose<Batch, Rows>({
    exercise: "carry",
    kinds: kinds(createRng(1).split("carry")),
    right: (b) => perRow(b, (ratios, t, A) => A * product(ratios.slice(t + 1))),
    mistakes,
    form: (output, { turnCount_n }) => {
      if (!Array.isArray(output) || !output.every(isNumbers) || output.length !== turnCount_n.length) {
        return "it must return one list of numbers for each trajectory.";
      }
      const n = (output as Rows).findIndex((row, i) => row.length !== turnCount_n[i]);
      if (n < 0) return undefined;
      return `each row must have one number for each turn of the trajectory; a row with ${String(turnCount_n[n])} turns has ${String((output as Rows)[n]!.length)}.`;
    },
    same: (a, b) => a.length === b.length && a.every((row, n) => closeLists(row, b[n]!)),
    call: ({ advantage_n, ratio_nt, turnCount_n }) =>
      answer(
        [...advantage_n],
        ratio_nt.map((row) => [...row]),
        [...turnCount_n],
      ),
  });
}
