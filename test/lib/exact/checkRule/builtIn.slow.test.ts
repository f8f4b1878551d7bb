import { noFaultInEveryValue } from "./everyValue.js";

describe("the card of many rows", () => {
  it("finds no fault in three rows that recipe() accepts, with every value of every choice", () => {
    noFaultInEveryValue(3, 1);
  }).timeout(120_000);
});
