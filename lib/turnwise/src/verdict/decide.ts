import type { VerdictKind } from "../base/verdict";
import { shareInterval } from "../base/share";
import { exactly, type Effect, type Ends, type Halves } from "./effect";

/** Claim about an effect: that there is a gain, that nothing changes, or that nothing is lost. */
export type Claimed = "gain" | "same" | "no loss";

/** Evidence for a verdict, in one setting. */
export type Evidence =
  | { readonly effect: Effect | Halves }
  | { readonly effect: number; readonly interval: Ends; readonly seeds: number }
  /** Whether there is a case. */
  | { readonly found: number; readonly searched: number }
  /** Whether there is none. */
  | { readonly counterexamples: number; readonly searched: number }
  | { readonly equal: number; readonly of: number };

/** A kind of verdict in one setting, where no condition is needed. */
export type Decision = Exclude<VerdictKind, "holds if">;

/** Evidence that can be asked for its decision at any level. */
export interface Judge {
  /** Whether it was sampled, so that it counts among the comparisons of a family. */
  readonly sampled: boolean;
  /** Whether its interval is known at one level only. */
  readonly fixed: boolean;
  readonly decide: (level: number) => { readonly kind: Decision; readonly reason: string };
}

/** Fewer seeds than this carry no verdict. */
export const fewestSeeds = 5;

/** Decision that an interval gives about a claim; the table is in `verdict`. */
export function decisionOf({ low, high }: Ends, smallest: number, claimed: Claimed): Decision {
  const within = low >= -smallest && high <= smallest;
  if (claimed === "same") {
    if (within) return "holds";
    return low > smallest || high < -smallest ? "refuted" : "not shown";
  }
  if (claimed === "no loss") {
    if (low >= -smallest) return "holds";
    return high < -smallest ? "refuted" : "not shown";
  }
  if (low > smallest) return "holds";
  if (within) return "no effect that matters";
  return high < 0 ? "refuted" : "not shown";
}

/** @throws {RangeError} if the evidence is measured and no smallest effect is named, or a count is impossible */
export function judgeOf(evidence: Evidence, smallest: number | undefined, claimed: Claimed): Judge {
  if ("equal" in evidence) return equality(evidence);
  if ("found" in evidence) return existence(evidence, smallest);
  const needed = expectSmallest(smallest);
  if ("counterexamples" in evidence) return universal(evidence, needed);
  const { effect } = evidence;
  if (typeof effect !== "number")
    return "at" in effect ? single(effect, needed, claimed) : halves(effect, needed, claimed);
  const { interval, seeds } = evidence as Extract<Evidence, { interval: unknown }>;
  const given: Effect = { mean: effect, n: seeds, method: "interval as given", at: () => interval };
  return { ...single(given, needed, claimed), fixed: true };
}

function expectSmallest(smallest: number | undefined): number {
  if (smallest !== undefined && smallest >= 0) return smallest;
  throw new RangeError(
    `Cannot decide a claim: smallestEffectOfInterest must be a number >= 0, got ${smallest}.`,
  );
}

function single(effect: Effect, smallest: number, claimed: Claimed): Judge {
  return {
    sampled: Number.isFinite(effect.n),
    fixed: false,
    decide: (level) => {
      const ends = effect.at(level);
      const kind = effect.n < fewestSeeds ? "too few seeds" : decisionOf(ends, smallest, claimed);
      return { kind, reason: figures(effect, ends, level) };
    },
  };
}

/** Two halves decide together: the same in both, or it is not shown. */
function halves({ find, confirm }: Halves, smallest: number, claimed: Claimed): Judge {
  const judges = [find, confirm].map((half) => half && single(half, smallest, claimed));
  return {
    sampled: judges.some((judge) => judge?.sampled),
    fixed: false,
    decide: (level) => {
      const two = judges.map((judge) => judge?.decide(level) ?? { kind: "too few seeds", reason: "not run" });
      const [first, second] = two as [ReturnType<Judge["decide"]>, ReturnType<Judge["decide"]>];
      const reason = `found: ${first.kind}, ${first.reason}; confirmed: ${second.kind}, ${second.reason}`;
      const few = two.some(({ kind }) => kind === "too few seeds");
      return {
        kind: few ? "too few seeds" : first.kind === second.kind ? first.kind : "not shown",
        reason,
      };
    },
  };
}

function equality({ equal, of }: { readonly equal: number; readonly of: number }): Judge {
  const kind = of === 0 ? "not shown" : equal === of ? "holds" : "refuted";
  return certain(kind, `${equal} of ${of} as claimed`);
}

/** A claim that there is a case: one shows it; none leaves it open, or bounds the share by the exact binomial interval. */
function existence(
  { found, searched }: { readonly found: number; readonly searched: number },
  smallest: number | undefined,
): Judge {
  if (found > 0) return certain("holds", `${found} found in ${searched}`);
  if (smallest === undefined || searched === 0) return certain("not shown", `0 found in ${searched}`);
  return none(searched, smallest, "found", "no effect that matters");
}

/** A claim about all cases: one counterexample refutes it; none bounds their share. */
function universal(
  { counterexamples, searched }: { readonly counterexamples: number; readonly searched: number },
  smallest: number,
): Judge {
  const words = counterexamples === 1 ? "counterexample" : "counterexamples";
  if (counterexamples > 0) return certain("refuted", `${counterexamples} ${words} in ${searched}`);
  if (searched === 0) return certain("not shown", "nothing was searched");
  return none(searched, smallest, "counterexamples", "holds");
}

/** Nothing in n cases: decided if the exact binomial interval leaves at most the smallest share. */
function none(searched: number, smallest: number, what: string, decided: Decision): Judge {
  return {
    sampled: true,
    fixed: false,
    decide: (level) => {
      const { high } = shareInterval(0, searched, level);
      const reason = `0 ${what} in ${searched}, so below ${number(high)} of all at ${percent(level)}`;
      return { kind: high <= smallest ? decided : "not shown", reason };
    },
  };
}

function certain(kind: Decision, reason: string): Judge {
  return { sampled: false, fixed: false, decide: () => ({ kind, reason }) };
}

function figures({ mean, n, method }: Effect, { low, high }: Ends, level: number): string {
  if (method === exactly(0).method) return `effect ${number(mean)}, exact`;
  // The interval of a bootstrap or of Welch's t over one run has no width, which would look like certainty.
  if (n === 1) return `effect ${number(mean)}, n = 1, which has no interval`;
  return `effect ${number(mean)} [${number(low)}, ${number(high)}] at ${percent(level)} by ${method}, n = ${n}`;
}

const percent = (level: number): string => `${Number((100 * level).toPrecision(4))} %`;

/** Three decimals, or two digits of what they would not show. */
export function number(x: number): string {
  const short = x.toFixed(3);
  return Number(short) === 0 && x !== 0 ? x.toPrecision(2) : short;
}
