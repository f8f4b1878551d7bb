import type { Verdict } from "turnwise/internal/base/verdict";
import type { Effect } from "turnwise/internal/verdict/effect";
import { verdicts, type Question } from "turnwise/internal/verdict/verdict";
import { echoTrapEffects } from "../shared/echoTrap/effects";
import { leverEffect, leverGain, type LeverEffect } from "../shared/echoTrap/leverEffect";
import { leverNames } from "../shared/echoTrap/levers";
import type { StoredRun } from "../shared/echoTrap/stored";
import type { TrapName } from "../shared/echoTrap/traps";

/** The traps that levers are tried in. */
export const leverTraps = Object.freeze(["reuse", "cost", "mismatch"] as const);

/** Effect of a lever in a trap, in one word. */
export type LeverWord =
  "fixes" | "helps" | "hurts" | "no effect that matters" | "not shown" | "too few seeds";

/** A cell of the matrix of levers and traps. */
export interface JudgedLever extends LeverEffect {
  /**
   * fixes: a gain that matters, to a mean of at least .9; helps: a gain that matters; hurts: a loss that matters; else what can
   * be said of a gain. Each is decided among all cells of the matrix, and has to be so in both halves of the seeds.
   */
  readonly word: LeverWord;
  /** The verdict on "this lever raises final success". */
  readonly verdict: Verdict;
}

const FIXED = 0.9;

/**
 * The effect of every lever that was measured in each of these traps, lever by lever, judged as one family of comparisons.
 *
 * Gains and losses are a family each, so that each side of an interval is asked once.
 */
export function leverMatrix(
  runs: readonly StoredRun[],
  traps: readonly TrapName[] = leverTraps,
): readonly JudgedLever[] {
  const cells = leverNames
    .filter((lever) => lever !== "vanilla")
    .flatMap((lever) => traps.flatMap((trap) => leverEffect(runs, trap, lever) ?? []));
  const gains = cells.map(({ trap, lever }) => leverGain(runs, trap, lever)!);
  const losses = cells.map(({ trap, lever }) => leverGain(runs, trap, "vanilla", "", lever)!);
  const [better, worse] = [family(gains), family(losses)];
  return cells.map((cell, i) => ({
    ...cell,
    word: wordOf(better[i]!, worse[i]!, cell.final.mean),
    verdict: better[i]!,
  }));
}

/** One verdict for each gain, all of one family. */
function family(gains: readonly Effect[]): readonly Verdict[] {
  const questions = gains.map((effect, i): [string, Question] => [
    String(i),
    { effect, smallestEffectOfInterest: echoTrapEffects.success },
  ]);
  const decided = verdicts(Object.fromEntries(questions));
  return gains.map((_, i) => decided[String(i)]!);
}

function wordOf(better: Verdict, worse: Verdict, final: number): LeverWord {
  if (better.kind === "holds") return final >= FIXED ? "fixes" : "helps";
  if (worse.kind === "holds") return "hurts";
  return better.kind === "no effect that matters" || better.kind === "too few seeds"
    ? better.kind
    : "not shown";
}
