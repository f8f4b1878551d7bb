import type { MetricName } from "turnwise/internal/base/glossary";
import { median } from "turnwise/internal/base/statistics";
import type { SignalEvent } from "../report/events";
import type { TwinRun } from "./job";
import type { TwinWorldName } from "./worlds";

/** The signals that moved in a run, as far as they were logged. */
export interface RunMoves {
  readonly events: readonly SignalEvent[];
  /** The step from which success was low; null if it did not fall. */
  readonly fellAt: number | null;
  /** The metrics that the log has. */
  readonly logged: ReadonlySet<MetricName>;
}

/** A signal that moved in most lost runs of a twin. */
export interface TwinMove {
  readonly title: string;
  readonly metric: MetricName | "success";
  readonly rose: boolean;
  /** Lost runs in which it moved, and the median update from which it did. */
  readonly runs: number;
  readonly from: number;
  /** Whether it moved the same way in most healthy runs: then it belongs to learning. */
  readonly usual: boolean;
}

/** The lost runs of a twin, compared with the run. */
export interface Likeness {
  readonly world: TwinWorldName;
  /** Lost runs. */
  readonly of: number;
  /** In their order. */
  readonly moves: readonly TwinMove[];
  /** Titles, where a run was given: of signals that both have. */
  readonly both: readonly string[];
  readonly onlyRun: readonly string[];
  readonly onlyTwin: readonly string[];
  /** The other way in each. */
  readonly opposite: readonly string[];
  /** Of pairs of signals that moved in both and whose order both tell, those in the same order. */
  readonly sameOrder: number;
  readonly pairs: number;
}

/** Signals that a twin has no counterpart of: its worlds have no limit of length and no second engine. */
const notHere = /^(tokens\/fracTruncated|mismatch\/|staleness\/|critic\/|tools\/failed|tokens\/mean)/;

/** Names of what a signal did, as pages print it. */
const named = ({ title, rose }: { readonly title: string; readonly rose: boolean }): string =>
  `${title} ${rose ? "rises" : "falls"}`;

/** The movements of the lost runs of a world, and what they share with those of the run. */
export function likenessOf(
  world: TwinWorldName,
  runs: readonly TwinRun[],
  healthy: readonly TwinRun[],
  run: RunMoves | undefined,
): Likeness | undefined {
  const lost = runs.filter((one) => one.lost);
  if (lost.length === 0) return undefined;
  const usual = new Set(movesOf(healthy).map(({ metric, rose }) => `${metric} ${rose}`));
  const moves = movesOf(lost).map((move): TwinMove => ({
    ...move,
    usual: usual.has(`${move.metric} ${move.rose}`),
  }));
  const none = { both: [], onlyRun: [], onlyTwin: [], opposite: [], sameOrder: 0, pairs: 0 };
  if (run === undefined) return { world, of: lost.length, moves, ...none };
  const theirs = firstOfEach(run.events.filter(({ metric }) => !notHere.test(metric)));
  const ours = moves.filter(({ metric }) => metric !== "success" && run.logged.has(metric));
  const wayOf = new Map(theirs.map(({ metric, rose }) => [metric, rose] as const));
  const both = ours.filter(({ metric, rose }) => wayOf.get(metric as MetricName) === rose);
  const opposite = ours.filter(({ metric, rose }) => wayOf.get(metric as MetricName) === !rose);
  const mine = new Set(ours.map(({ metric }) => metric));
  return {
    world,
    of: lost.length,
    moves,
    both: both.map(named),
    opposite: opposite.map(({ title }) => title),
    onlyRun: theirs.filter(({ metric }) => !mine.has(metric)).map(named),
    onlyTwin: ours.filter(({ metric }) => !wayOf.has(metric as MetricName)).map(named),
    ...orderOf(both, moves, theirs, run.fellAt),
  };
}

type Moved = Omit<TwinMove, "usual">;
type Named = Omit<Moved, "runs" | "from">;

/** The signals that moved the same way in at least half of some runs. */
function movesOf(lost: readonly TwinRun[]): readonly Moved[] {
  const froms = new Map<string, { move: Named; from: number[] }>();
  const add = (move: Named, from: number): void => {
    const key = `${move.metric} ${move.rose}`;
    const known = froms.get(key) ?? { move, from: [] };
    known.from.push(from);
    froms.set(key, known);
  };
  for (const { events, fell } of lost) {
    for (const { metric, title, rose, from } of firstOfEach(events)) add({ metric, title, rose }, from);
    if (fell !== null) add({ metric: "success", title: "success", rose: false }, fell);
  }
  return [...froms.values()]
    .filter(({ from }) => 2 * from.length >= lost.length)
    .map(({ move, from }) => ({ ...move, runs: from.length, from: median(from) }))
    .sort((a, b) => a.from - b.from);
}

/** The first movement of a signal that rises and falls again. */
function firstOfEach(events: readonly SignalEvent[]): readonly SignalEvent[] {
  return events.filter((one, i) => events.findIndex(({ metric }) => metric === one.metric) === i);
}

function orderOf(
  both: readonly Moved[],
  moves: readonly Moved[],
  theirs: readonly SignalEvent[],
  fellAt: number | null,
): { readonly sameOrder: number; readonly pairs: number } {
  const success = moves.find(({ metric }) => metric === "success");
  const at = [
    ...both.map((move) => [move.from, theirs.find(({ metric }) => metric === move.metric)!.from] as const),
    ...(success !== undefined && fellAt !== null ? [[success.from, fellAt] as const] : []),
  ];
  const signs = at.flatMap(([a, x], i) =>
    at.slice(i + 1).flatMap(([b, y]) => (a === b || x === y ? [] : [Math.sign(a - b) === Math.sign(x - y)])),
  );
  return { sameOrder: signs.filter(Boolean).length, pairs: signs.length };
}
