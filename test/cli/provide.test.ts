import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { PassThrough } from "node:stream";
import { protocolTests } from "turnwise-kernel/bootstrap/python-packages.cjs";
import { removeTemporaryFolders, runNode, temporaryFolder } from "../support/command.js";
import { skip } from "../support/needs.js";
import { root } from "../support/paths.js";
import { provideFor, textsOf } from "../support/provide.js";

const changed = ["PATH", "FAKE_PIP", "VIRTUAL_ENV"] as const;
const unit = "build/test/support/paths.js";
const protocol = "build/test/protocol/nbclient.slow.test.js";
const trainers = "build/test/protocol/trainerFlags.slow.test.js";

describe("what npm test provides", function () {
  const saved = changed.map((name) => process.env[name]);
  let folder = "";
  let text = "";
  const provide = (...files: string[]): Promise<boolean> => {
    text = "";
    const out = new PassThrough();
    out.setEncoding("utf8").on("data", (data: string) => (text += data));
    return provideFor(files, { root: folder, out });
  };
  const environment = (): string => path.join(folder, ".turnwise", "protocol-venv");

  before(function () {
    if (process.platform === "win32") skip(this, "needs a POSIX system");
  });
  beforeEach(() => {
    folder = temporaryFolder("turn wise");
    fs.mkdirSync(path.join(folder, "bin"));
    fs.copyFileSync(
      path.join(root, "test", "support", "fake-python.sh"),
      path.join(folder, "bin", "python3"),
    );
    process.env.PATH = `${path.join(folder, "bin")}${path.delimiter}/usr/bin${path.delimiter}/bin`;
    process.env.FAKE_PIP = "ok";
  });
  afterEach(() => {
    changed.forEach((name, i) => {
      if (saved[i] === undefined) Reflect.deleteProperty(process.env, name);
      else process.env[name] = saved[i];
    });
  });
  after(removeTemporaryFolders);

  it("is nothing for a test that needs no Python", async () => {
    assert.equal(await provide(unit), true);
    assert.equal(text, "");
    assert.equal(fs.existsSync(path.join(folder, ".turnwise")), false);
  });

  it("is what a helper beside the test needs, too", () => {
    const sign = /support\/webgpu\.js"/;
    const [own, ...helpers] = textsOf(["build/test/gpu/webgpu.matrix.test.js"]);
    assert.doesNotMatch(own!, sign);
    assert.ok(helpers.some((helper) => sign.test(helper)));
    // A helper of support/ is the sign itself: what it imports is not looked at.
    assert.equal(textsOf(["build/test/cli/provide.test.js"]).length, 1);
  });

  it("is an environment with the pinned packages for the protocol tests, made once", async () => {
    assert.equal(await provide(unit, protocol), true);
    assert.match(text, /^Installing the Python of the protocol tests into protocol-venv \.\.\. /);
    const pip = fs.readFileSync(path.join(environment(), "pip-arguments"), "utf8");
    assert.match(pip, /^-m pip install --retries 1 /);
    assert.ok(pip.endsWith(` ${protocolTests.join(" ")}\n`), pip);
    assert.equal(await provide(protocol), true);
    assert.equal(text, "", "it is there");
  });

  it("reports environments that are made side by side one after the other", async () => {
    assert.equal(await provide(trainers, protocol), true);
    const lines = text.trimEnd().split("\n");
    assert.equal(lines.length, 2, text);
    assert.match(lines[0]!, /^Installing the Python of the protocol tests into protocol-venv \.\.\. .* s$/);
    assert.match(lines[1]!, /^Installing what the parsers of trainers need into trainers-venv \.\.\. .* s$/);
  });

  it("is told where it cannot be had, and the tests go on without it", async () => {
    process.env.FAKE_PIP = "NewConnectionError";
    assert.equal(await provide(protocol), false);
    assert.match(
      text,
      /Cannot install the Python of the protocol tests: the Python package index must be reachable/,
    );
    assert.equal(fs.existsSync(environment()), false);
  });
});

describe("npm test", function () {
  this.timeout(120_000);
  const npmTest = (...args: string[]): ReturnType<typeof runNode> =>
    runNode([path.join(root, "kernel", "bootstrap", "test.cjs"), ...args]);

  it("runs a test that is named by its source", async () => {
    const { code, stdout } = await npmTest("test/cli/node-version.test.ts");
    assert.equal(code, 0, stdout);
    assert.match(stdout, /\n\d+ passed, 0 failed, 0 skipped\n$/);
  });

  it("hands options to mocha, also those whose value is called like a folder", async () => {
    const { code, stdout } = await npmTest("cli/node-version.test.ts", "-g", "cli");
    assert.equal(code, 0, stdout);
    assert.match(stdout, /\n0 passed, 0 failed, 0 skipped\n$/);
  });

  it("refuses a name that is no test, before it runs any", async () => {
    const { code, stderr } = await npmTest("test/cli/node-versions.test.ts");
    assert.equal(code, 1);
    assert.equal(
      stderr,
      'Cannot run test/cli/node-versions.test.ts: no such test or folder of tests.\nDid you mean "test/cli/node-version.test.ts"?\n',
    );
  });
});
