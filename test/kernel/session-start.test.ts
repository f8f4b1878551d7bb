import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { root } from "../support/paths.js";

describe("the code of a session", () => {
  it("does not load TypeScript: every kernel would pay for it at its start and in memory", () => {
    const session = join(root, "kernel/dist/session/node/host.js");
    const script = `require(${JSON.stringify(session)}); console.log(Object.keys(require.cache).join("\\n"))`;
    const loaded = execFileSync(process.execPath, ["-e", script], { encoding: "utf8" }).trim().split("\n");
    assert.ok(loaded.some((file) => file.endsWith("notebook-modules.js")));
    assert.deepEqual(
      loaded.filter((file) => /[\\/]typescript[\\/]lib[\\/]/.test(file)),
      [],
    );
  });
});
