import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { builtTypes } from "../support/browserTypes.js";
import { repository } from "./with-kernel.js";

const tiers = [".test.js", ".slow.test.js", ".matrix.test.js"];

/** Runs files of tests, of which at least so many must pass, in kernels whose types are the packed declarations of a browser. */
export async function passesPacked(names: readonly string[], atLeast: number): Promise<void> {
  const folder = await builtTypes();
  const tests = names
    .flatMap((name) => tiers.map((tier) => join(__dirname, `${name}${tier}`)))
    .filter((file) => existsSync(file));
  const mocha = spawn(
    process.execPath,
    [join(repository, "node_modules/mocha/bin/mocha.js"), "--reporter", "dot", ...tests],
    {
      cwd: repository,
      env: { ...process.env, TURNWISE_DECLARATIONS: join(folder, "declarations.json") },
      stdio: ["ignore", "pipe", "pipe"],
    },
  );
  let said = "";
  for (const stream of [mocha.stdout, mocha.stderr])
    stream.on("data", (part: Buffer) => (said += part.toString()));
  await once(mocha, "close");
  assert.equal(mocha.exitCode, 0, said);
  const passed = Number(/(\d+) passing/.exec(said)?.[1]);
  assert.ok(passed >= atLeast, `${passed} of them passed`);
}
