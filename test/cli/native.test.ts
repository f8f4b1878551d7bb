import assert from "node:assert/strict";
import { turnwise } from "../support/command.js";

describe("turnwise native", function () {
  this.timeout(30_000);

  it("says what there is to compile, and compiles nothing where the kernels are turned off", async () => {
    const { code, stdout, stderr } = await turnwise(["native"], { env: { TURNWISE_NATIVE: "off" } });
    assert.equal(code, 0, stderr);
    assert.equal(stdout, "Network kernels: nothing to compile on this machine\n");
  });
});
