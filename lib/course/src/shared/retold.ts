import { didYouMean } from "turnwise/internal/base/suggest";
import type { Claim } from "turnwise/internal/plot/ledger";

/** A row of a lesson's ledger: a row of the whole ledger in the words of the lesson. */
export interface Retelling {
  /** The claim as the whole ledger states it. */
  readonly of: string;
  /** The claim as a teacher would repeat it; default: as it stands. */
  readonly claim?: string;
  /** The one figure that decides it, with its interval; default: all that was measured. */
  readonly measured?: string;
  /** Source of the claim, if learners cannot open the one that the whole ledger names; default: that one. */
  readonly source?: string;
}

/** Which kind of evidence a source is, such as [P] for a paper: the whole ledger says it, a lesson does not. */
const evidence = /\s*\[[PRNUDSA]\]/g;

/** Rows of a whole ledger in the words of a lesson: their verdicts, and the families these were decided in, stay as they are. */
export function retold(rows: readonly Claim[], retellings: readonly Retelling[]): Claim[] {
  return retellings.map(({ of, claim, measured, source }) => {
    const row = rows.find((one) => one.claim === of);
    if (row === undefined) {
      const names = rows.map((one) => one.claim);
      throw new RangeError(
        `Cannot retell a claim: the whole ledger must state it, got "${of}".${didYouMean(of, names)}`,
      );
    }
    return {
      ...row,
      claim: claim ?? row.claim,
      measured: measured ?? row.measured,
      source: source ?? row.source.replace(evidence, "").replace("this notebook", "this lesson"),
    };
  });
}
