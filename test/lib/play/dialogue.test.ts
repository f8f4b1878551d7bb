import assert from "node:assert/strict";
import { createPolicy, createRng, make } from "turnwise";
import { sampleDialogues } from "turnwise/internal/play/dialogue";

describe("the dialogue of the playground", () => {
  it("leaves the agent that is being trained as it is, also a table that has not met the question", () => {
    const env = make("LookUp-v0");
    const policy = createPolicy(env.spec);
    const before = JSON.stringify(policy.state());
    const [first] = sampleDialogues(env, policy, createRng(1), 2);
    assert.equal(first!.lines[0]!.speaker, "environment");
    assert.equal(JSON.stringify(policy.state()), before);
  });
});
