/** Whether a row of the ledger of the appendix to lesson 05 is one of those that only offPolicy.slow.test.ts computes again. */
export const isAboutEstimators = (claim: string): boolean =>
  ["The product over the trajectory", "A turn's geometric ratio estimates"].some((start) =>
    claim.startsWith(start),
  );
