import assert from "node:assert/strict";
import { removeTemporaryFolders } from "../support/command.js";
import { patient } from "../support/patient.js";
import { pythonWith } from "../support/python.js";
import { playByClients } from "../support/trainerClients.js";

// Words of several kinds, several words in one argument, agents that alternate, a dash in a tool's name, random answers.
const worlds = ["LookUp-v0", "ApiChain-v0", "Codebreaker-v0", "HandOver-v0", "Tiger-v0"];
const trainers = ["trl", "skyrl", "verifiers", "verl"];

describe("the clients of trainers, in the trainers' own packages", function () {
  this.timeout(patient(240_000));
  this.slow(120_000);
  let python = "";
  before(async function () {
    python = await pythonWith(this, "clientTests");
  });
  after(removeTemporaryFolders);

  it("are paid what the worlds pay here, and list the same tools", async () => {
    for (const told of await playByClients(python, worlds, trainers)) {
      const [first, ...others] = trainers.map((trainer) => told[trainer]!.tools);
      assert.ok(first!.length >= 2);
      for (const tools of others) assert.deepEqual(tools, first);
    }
  });
});
