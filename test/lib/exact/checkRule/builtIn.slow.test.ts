import { noFaultInEveryValue } from "./everyValue.js";

describe("the card of many rows", () => {
  it("finds no fault in two more rows that recipe() accepts, with every value of every choice", () => {
    noFaultInEveryValue(2, 2);
  }).timeout(120_000);
});
