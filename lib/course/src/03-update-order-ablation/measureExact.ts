import { createRng } from "turnwise/internal/base/rng";
import { failureRate } from "turnwise/internal/exact/ensemble";
import { exactIteration, exactRun } from "turnwise/internal/exact/exactIteration";
import {
  clipStep,
  exactRule,
  gradientStep,
  type ExactRule,
  type ExactStep,
} from "turnwise/internal/exact/exactRule";
import { tablePolicy, uniformPolicy } from "turnwise/internal/exact/tablePolicy";
import * as games from "turnwise/internal/tree/games/index";
import type { ExactOrderResults } from "./exactClaims";

type Order = ExactRule["order"];
const orders = ["reverse", "forward", "random", "simultaneous"] as const satisfies readonly Order[];
const inTurn = ["reverse", "forward", "simultaneous"] as const satisfies readonly Order[];
const greedy: ExactStep = { kind: "greedy" };
const trees = 40;
const seed = 5;

/** Everything that the exact claims about the order of turns are measured on; about a second. */
export function measureExactOrders(): ExactOrderResults {
  return {
    greedyEnd: Object.fromEntries(orders.map((order) => [order, greedyEnd(order)])),
    randomWins:
      Array.from({ length: 400 }, (_, i) => greedyEnd("random", i)).filter((J) => J === 1).length / 400,
    trees,
    failures: failures(),
    toOptimum: toOptimum(),
    ladder: ladder(),
    unsolved: (["exact", "clipped", "off"] as const).map((carry) => ({
      carry,
      rate: notSolved({ step: greedy, order: "reverse", carry }, 3, 20),
    })),
    sharedRows: [greedy, clipStep(0.2), clipStep(0.5)].map(sharedRow),
    notes: inTurn.map((order) => ({ order, greedy: noteEnd(order) })),
  };
}

function greedyEnd(order: Order, run = 0): number {
  const tree = games.order();
  const o = { iterations: 6, rng: createRng(run) };
  return exactRun(tree, uniformPolicy(tree), exactRule({ step: greedy, order }), o).J.at(-1)!;
}

const notSolved = (cells: Partial<ExactRule>, turns: number, iterations: number): number =>
  failureRate(exactRule(cells), { trees, turns, iterations, seed }).rate;

function failures(): ExactOrderResults["failures"] {
  const row = (
    name: string,
    step: ExactStep,
    turns: number,
    iterations: number,
  ): ExactOrderResults["failures"] =>
    orders.map((order) => ({
      row: `${name}, T = ${turns}`,
      column: order,
      value: notSolved({ step, order }, turns, iterations),
    }));
  return [
    ...[2, 3, 4].flatMap((turns) => row("greedy", greedy, turns, 20)),
    ...row("mirror, eta 4", { kind: "mirror", eta: 4 }, 3, 400),
    ...row("clipped argmax", clipStep(), 3, 400),
    ...row("gradient, eta 64", gradientStep(64), 2, 400),
  ];
}

function toOptimum(): ExactOrderResults["toOptimum"] {
  const tree = games.order();
  const steps: Readonly<Record<string, ExactStep>> = {
    "mirror, eta 5": { kind: "mirror", eta: 5 },
    "clipped argmax": clipStep(0.2),
    "gradient, eta 5": gradientStep(5),
  };
  return Object.entries(steps).flatMap(([row, step]) =>
    inTurn.map((column) => {
      const rule = exactRule({ step, order: column });
      const { J } = exactRun(tree, uniformPolicy(tree), rule, { iterations: 60, target: 0.99 });
      return { row, column, value: J.length - 1, label: `${J.length - 1}` };
    }),
  );
}

function ladder(): ExactOrderResults["ladder"] {
  const [T, eta] = [4, 64];
  const tree = games.ladder(T);
  const climb = (carry: ExactRule["carry"]): { readonly J: readonly number[] } =>
    exactRun(tree, uniformPolicy(tree), exactRule({ order: "reverse", carry, step: gradientStep(eta) }), {
      iterations: 250,
    });
  return {
    T,
    eta,
    runs: {
      "reverse, exact carry": climb("exact"),
      "reverse, clipped carry": climb("clipped"),
      "reverse, no carry": climb("off"),
    },
  };
}

function sharedRow(step: ExactStep): ExactOrderResults["sharedRows"][number] {
  const rule = exactRule({ step, order: "reverse" });
  const row = { a: 0.6, b: 0.4 };
  const one = games.differToWin();
  const apart = games.differToWin({ shared: false });
  const { before, returns } = exactIteration(one, tablePolicy(one, { "both turns": row }), rule);
  const promise = exactIteration(apart, tablePolicy(apart, { "turn 1": row, "turn 2": row }), rule);
  return {
    before,
    "after turn 2": returns[0]!,
    "after turn 1": returns[1]!,
    "separate parameters": promise.after,
  };
}

function noteEnd(order: Order): number {
  const tree = games.note();
  const start = tablePolicy(tree, {
    "bit 0": { "write 0": 0.6, "write 1": 0.4 },
    "bit 1": { "write 0": 0.4, "write 1": 0.6 },
    "note 0": { "say 0": 0.55, "say 1": 0.45 },
    "note 1": { "say 0": 0.45, "say 1": 0.55 },
  });
  return exactRun(tree, start, exactRule({ order, step: greedy }), { iterations: 300, target: 0.99 }).J.at(
    -1,
  )!;
}
