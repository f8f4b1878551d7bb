import assert from "node:assert/strict";
import { fusedReport } from "turnwise/tensor";
import { skip } from "../../../support/needs.js";
import { compareTrainings } from "./trainings.js";

describe("training runs on native kernels", function () {
  this.timeout(300_000);

  it("have the records and parameters of WebAssembly, bit by bit, and the curves of doubles, for every network in three worlds", async function () {
    if (fusedReport().kernels !== "native") skip(this, `no native kernels here: ${fusedReport().reason}`);
    const { broken } = await compareTrainings(9);
    assert.deepEqual(broken, []);
  });
});
