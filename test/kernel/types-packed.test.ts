import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { buildTypes, siteParts } from "../support/browserTypes.js";
import { repository } from "./with-kernel.js";

/** What asks types, but for packages that are installed beside a notebook: none are in a browser. */
const files = ["augmentations", "engines", "hints", "inspect", "requests"];

describe("types from the packed declarations of a browser", function () {
  this.timeout(400_000);

  it("answer whatever the tests of the type service ask, as those on the disk do", async () => {
    await buildTypes();
    const tests = files.map((name) => join(__dirname, `${name}.test.js`));
    const mocha = spawn(
      process.execPath,
      [join(repository, "node_modules/mocha/bin/mocha.js"), "--reporter", "dot", ...tests],
      {
        cwd: repository,
        env: { ...process.env, TURNWISE_DECLARATIONS: join(siteParts, "declarations.json") },
        stdio: ["ignore", "pipe", "pipe"],
      },
    );
    let said = "";
    for (const stream of [mocha.stdout, mocha.stderr])
      stream.on("data", (part: Buffer) => (said += part.toString()));
    await once(mocha, "close");
    assert.equal(mocha.exitCode, 0, said);
    const passed = Number(/(\d+) passing/.exec(said)?.[1]);
    assert.ok(passed >= 57, `${passed} of them passed`);
  });
});
