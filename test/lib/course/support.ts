import assert from "node:assert/strict";
import type { Claim } from "turnwise";

/** The start of a claim, what is changed of the results, and the verdict that follows. */
export type VerdictCase<R> = readonly [claim: string, change: Partial<R>, verdict: string];

/** Tests that made-up results lead to these verdicts, and that every claim is shown on both sides of its verdict. */
export function testVerdicts<R>(
  claims: (results: R) => readonly Claim[],
  base: R,
  cases: readonly VerdictCase<R>[],
): void {
  const rowOf = (rows: readonly Claim[], words: string): Claim => {
    const found = rows.filter(({ claim }) => claim.startsWith(words));
    assert.equal(found.length, 1, `${words}: ${found.length} claims`);
    return found[0]!;
  };
  // Half of the cases change nothing: their claims are computed once.
  let ofBase: readonly Claim[] | undefined;
  const claimsOf = (change: Partial<R>): readonly Claim[] =>
    Object.keys(change).length === 0 ? (ofBase ??= claims(base)) : claims({ ...base, ...change });
  for (const [words, change, verdict] of cases) {
    it(`"${words}": ${verdict}`, () => {
      assert.equal(String(rowOf(claimsOf(change), words).verdict), verdict);
    });
  }

  it("are shown on both sides of each verdict", () => {
    const open = claimsOf({}).filter(({ claim }) => {
      const own = cases.filter(([words]) => claim.startsWith(words));
      return new Set(own.map(([, , verdict]) => verdict)).size < 2;
    });
    assert.deepEqual(
      open.map(({ claim }) => claim),
      [],
    );
  });
}
