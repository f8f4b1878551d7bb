import type { Claim } from "../../plot";

/** What the claims that exact games decide are measured on. */
export interface ExactOrderResults {
  /** Where greedy steps end in the order game; its optimum is 1. */
  readonly greedyEnd: Readonly<Record<string, number>>;
  /** Share of runs in random order that reach 1. */
  readonly randomWins: number;
  /** Share of random trees not solved, by step ("greedy, T = 3") and order. */
  readonly failures: readonly { readonly row: string; readonly column: string; readonly value: number }[];
  /** Iterations to .99 of the order game's optimum, by step and order; 60 where it was not reached. */
  readonly toOptimum: readonly {
    readonly row: string;
    readonly column: string;
    readonly value: number;
    readonly label: string;
  }[];
  /** Returns on a ladder of T rungs with gradient steps of eta, by order and carry. */
  readonly ladder: {
    readonly T: number;
    readonly eta: number;
    readonly runs: Readonly<
      Record<
        "reverse, exact carry" | "reverse, clipped carry" | "reverse, no carry",
        { readonly J: readonly number[] }
      >
    >;
  };
  /** Share of random trees that a greedy reverse sweep does not solve with each carry: exact, clipped, off. */
  readonly unsolved: readonly { readonly carry: string; readonly rate: number }[];
  /** One parameter for both turns: a greedy step first, a wide clip last. */
  readonly sharedRows: readonly {
    readonly before: number;
    readonly "after turn 2": number;
    readonly "after turn 1": number;
    readonly "separate parameters": number;
  }[];
  /** Where greedy steps end in the note game. */
  readonly notes: readonly { readonly order: string; readonly greedy: number }[];
}

/** The claims of part A and C1 to C2, each by name, since others stand between them. */
export function exactOrderClaims(
  results: ExactOrderResults,
): Readonly<Record<"globalOptimum" | "otherOrders" | "carry" | "enough", Claim>> {
  return {
    globalOptimum: globalOptimum(results),
    otherOrders: otherOrders(results),
    carry: carryOfRatios(results),
    enough: orderAlone(results),
  };
}

function globalOptimum({ greedyEnd, randomWins, failures }: ExactOrderResults): Claim {
  const { reverse, forward, simultaneous } = greedyEnd as Readonly<
    Record<"reverse" | "forward" | "simultaneous", number>
  >;
  const rate = (order: string): string =>
    failures.find(({ row, column }) => row === "greedy, T = 3" && column === order)!.value.toFixed(2);
  const rates = ["reverse", "forward", "random", "simultaneous"].map(rate);
  return {
    claim: "Reverse order reaches the global optimum where other orders stop at a Nash point",
    source: "SeeUPO Theorem 2 [R]",
    measured:
      `order game, greedy: reverse ${reverse}, forward ${forward}, simultaneous ${simultaneous}, ` +
      `random 1 in ${(100 * randomWins).toFixed(0)} %; random trees T = 3 not solved: ${rates.join(" / ")}`,
    verdict:
      reverse === 1 && forward < 1 && rates[0] === "0.00"
        ? "holds only if steps are greedy, every history has its own parameters and the policy sees all of it"
        : "not reproduced",
  };
}

function otherOrders({ toOptimum }: ExactOrderResults): Claim {
  return {
    claim: "Other orders cannot reach the optimum",
    source: "notes [N]",
    measured: `order game to .99: ${toOptimum.map((c) => `${c.row} ${c.column} ${c.label}`).join(", ")} iterations`,
    verdict: toOptimum.every(({ value }) => value < 60)
      ? "not reproduced: with full support every order gets there"
      : "holds",
  };
}

function carryOfRatios({ ladder: { T, eta, runs }, unsolved }: ExactOrderResults): Claim {
  const near = (carry: "exact carry" | "clipped carry" | "no carry"): number =>
    runs[`reverse, ${carry}`].J.findIndex((J) => J >= 0.95);
  const [exact, off] = [near("exact carry"), near("no carry")];
  return {
    claim: "The carry of ratios is what makes reverse order work",
    source: "this notebook",
    measured:
      `Ladder T = ${T}, eta ${eta}, iterations to .95: exact ${exact}, clipped ${near("clipped carry")}, off ${off}; ` +
      `greedy trees T = 3 not solved: ${unsolved.map((u) => `${u.carry} ${u.rate.toFixed(2)}`).join(", ")}`,
    verdict: unsolved[0]!.rate === 0 && unsolved.at(-1)!.rate > 0 && exact < off ? "holds" : "not reproduced",
  };
}

function orderAlone({ sharedRows, notes }: ExactOrderResults): Claim {
  const [greedy, wide] = [sharedRows[0]!, sharedRows.at(-1)!];
  const end = (order: string): number => notes.find((row) => row.order === order)!.greedy;
  const [reverse, forward] = [end("reverse"), end("forward")];
  return {
    claim: "Reverse order is enough for the global optimum",
    source: "notes [N]",
    measured:
      `shared p: J ${greedy.before.toFixed(2)} to ${greedy["after turn 2"].toFixed(2)} (greedy), ` +
      `${wide["after turn 1"].toFixed(2)} (clip .5, ${wide["separate parameters"].toFixed(2)} promised); ` +
      `note game: reverse ${reverse.toFixed(2)}, forward ${forward.toFixed(2)}`,
    verdict:
      greedy["after turn 1"] < greedy.before && reverse < forward
        ? "not reproduced: shared parameters and limited memory break it"
        : "holds",
  };
}
