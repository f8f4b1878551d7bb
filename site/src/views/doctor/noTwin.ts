/** Replacement of lib/practice/src/twin in the page: it trains for minutes, and is the command's. */

const refusal = (): never => {
  throw new RangeError("Cannot train a twin in this page: run npx turnwise doctor run/ --twin");
};

export const expectTwinOptions = refusal;
export const twinOf = refusal;
export const measuredMismatch = refusal;
export const twin = refusal;
