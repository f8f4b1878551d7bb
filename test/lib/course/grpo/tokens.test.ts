import assert from "node:assert/strict";
import { make, scriptedBatch } from "turnwise";
import { historiesOf, tokensOf } from "turnwise-course/grpo-from-scratch";

describe("tokensOf", () => {
  // Two episodes of at most two turns of two tokens: eight cells. The first episode ends after its first turn.
  const world = make("LookUp-v0");
  const batch = scriptedBatch(world, [[["ANSWER", "0"]], [["LOOKUP", "0"], ["ANSWER", "3"]]]); // prettier-ignore
  const cells = tokensOf(batch);

  it("lists the cells in the order of the batch's arrays, padding with mask 0", () => {
    assert.deepEqual(
      cells.map(({ index, turn, episode, mask }) => [index, turn, episode, mask]),
      [
        [0, 0, 0, 1],
        [1, 0, 0, 1],
        [2, 1, 0, 0],
        [3, 1, 0, 0],
        [4, 2, 1, 1],
        [5, 2, 1, 1],
        [6, 3, 1, 1],
        [7, 3, 1, 1],
      ],
    );
  });

  it("tells the log-prob of when each token was sampled, here one of six words", () => {
    for (const { mask, oldLogProb } of cells) assert.equal(oldLogProb, mask === 1 ? Math.log(1 / 6) : 0);
  });

  it("walks a batch only once", () => {
    assert.equal(tokensOf(batch), cells);
  });
});

describe("historiesOf", () => {
  const world = make("LookUp-v0");
  const lookUp = (value: string) => [["LOOKUP", value], ["ANSWER", "3"]]; // prettier-ignore
  const batch = scriptedBatch(world, [lookUp("0"), lookUp("2"), lookUp("0"), [["ANSWER", "3"]]]);
  const [first, second, third, last] = historiesOf(batch);

  it("tells turns apart that read the same after other words of the agent", () => {
    assert.equal(batch.observation_nt[0]![1], batch.observation_nt[1]![1]);
    assert.notEqual(first![1], second![1]);
    assert.equal(first![1], third![1]);
    assert.equal(first![0], second![0]);
  });

  it("has one text for each turn that was played, without that turn's own words", () => {
    assert.deepEqual([first!.length, last!.length], [2, 1]);
    assert.equal(last![0], batch.observation_nt[3]![0]);
  });
});
