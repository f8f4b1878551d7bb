import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { PassThrough } from "node:stream";
import { projectFolders, type Folders } from "turnwise-kernel/dist/cli/folders.js";
import { makeVenv } from "turnwise-kernel/dist/cli/jupyter/venv.js";
import { removeTemporaryFolders, temporaryFolder } from "../support/command.js";
import { root } from "../support/paths.js";
import { skip } from "../support/needs.js";

const stub = path.join(root, "test", "support", "fake-python.sh");
const changed = ["PATH", "FAKE_PIP", "FAKE_VERSION", "FAKE_VENV"] as const;
const saved = changed.map((name) => process.env[name]);

/** A project folder with a blank in its path, and a PATH on which python3 is the stand-in. */
function project(): Folders {
  const folder = temporaryFolder("turn wise");
  const bin = path.join(folder, "bin");
  fs.mkdirSync(bin);
  fs.copyFileSync(stub, path.join(bin, "python3"));
  process.env.PATH = `${bin}${path.delimiter}/usr/bin${path.delimiter}/bin`;
  return projectFolders(folder);
}

function quietly(folders: Folders): { made: ReturnType<typeof makeVenv>; text(): string } {
  const out = new PassThrough();
  let text = "";
  out.setEncoding("utf8").on("data", (data: string) => (text += data));
  return { made: makeVenv(folders, { out }), text: () => text };
}

describe("the project's .venv", function () {
  before(function () {
    if (process.platform === "win32") skip(this, "needs a POSIX system");
  });
  beforeEach(() => {
    process.env.FAKE_PIP = "ok";
  });
  afterEach(() => {
    changed.forEach((name, i) => {
      if (saved[i] === undefined) Reflect.deleteProperty(process.env, name);
      else process.env[name] = saved[i];
    });
  });
  after(removeTemporaryFolders);

  it("gets the pinned packages by pip with one retry, and is marked as complete", async () => {
    const folders = project();
    const jupyter = await quietly(folders).made;
    assert.deepEqual(jupyter, {
      argv: [path.join(folders.venv, "bin", "python"), "-m", "jupyterlab"],
      version: "4.6.4",
      where: ".venv",
    });
    const pip = fs.readFileSync(path.join(folders.venv, "pip-arguments"), "utf8");
    assert.match(
      pip,
      /^-m pip install --retries 1 .*jupyterlab==4\.\d+\.\d+ jupyterlab_widgets==3\.\d+\.\d+\n$/,
    );
    assert.equal(fs.existsSync(path.join(folders.venv, ".unfinished")), false);
  });

  const halves: [string, (venv: string) => void, RegExp][] = [
    ["an empty folder", () => undefined, /rebuilt: it has no Python/],
    [
      "a mark that its making was cut short",
      (venv) => {
        fs.writeFileSync(path.join(venv, ".unfinished"), "");
      },
      /rebuilt: its installation was cut short/,
    ],
    [
      "a Python without pip",
      (venv) => {
        fs.mkdirSync(path.join(venv, "bin"));
        fs.writeFileSync(path.join(venv, "pyvenv.cfg"), "");
        fs.copyFileSync(stub, path.join(venv, "bin", "python"));
        fs.writeFileSync(path.join(venv, "no-pip"), "");
      },
      /rebuilt: it has no pip/,
    ],
    [
      "a link to a Python that is gone",
      (venv) => {
        fs.mkdirSync(path.join(venv, "bin"));
        fs.writeFileSync(path.join(venv, "pyvenv.cfg"), "");
        fs.symlinkSync("/nowhere/python3", path.join(venv, "bin", "python"));
      },
      /rebuilt: it has no Python/,
    ],
  ];
  for (const [what, make, told] of halves) {
    it(`is rebuilt, and says so, when a half-made one holds ${what}`, async () => {
      const folders = project();
      fs.mkdirSync(folders.venv);
      fs.writeFileSync(path.join(folders.venv, "rubbish"), "");
      make(folders.venv);
      const { made, text } = quietly(folders);
      await made;
      assert.match(text(), told);
      assert.equal(fs.existsSync(path.join(folders.venv, "rubbish")), false);
      assert.equal(fs.existsSync(path.join(folders.venv, "jupyterlab")), true);
    });
  }

  it("that somebody else made, and that is sound, only gets what is missing", async () => {
    const folders = project();
    fs.mkdirSync(path.join(folders.venv, "bin"), { recursive: true });
    fs.writeFileSync(path.join(folders.venv, "pyvenv.cfg"), "");
    fs.copyFileSync(stub, path.join(folders.venv, "bin", "python"));
    fs.writeFileSync(path.join(folders.venv, "mine"), "kept");
    await quietly(folders).made;
    assert.equal(fs.readFileSync(path.join(folders.venv, "mine"), "utf8"), "kept");
    process.env.FAKE_PIP = "no";
    fs.rmSync(path.join(folders.venv, "jupyterlab"));
    await assert.rejects(quietly(folders).made, /pip failed\.\nno$/);
    assert.ok(fs.existsSync(path.join(folders.venv, "mine")), "a failure does not remove it either");
  });

  const failures: [string, string, RegExp][] = [
    [
      "without network",
      "Failed: NewConnectionError(Temporary failure in name resolution)",
      /index must be reachable, but pip had no connection\./,
    ],
    [
      "on a full disk",
      "OSError: [Errno 28] No space left on device",
      /about 400 MB free: OSError: \[Errno 28\]/,
    ],
    ["otherwise", "ERROR: odd", /pip failed\.\nERROR: odd/],
  ];
  for (const [what, said, expected] of failures) {
    it(`when pip fails ${what}: a sentence, and nothing is left, so that the next try works`, async () => {
      const folders = project();
      process.env.FAKE_PIP = said;
      await assert.rejects(quietly(folders).made, (error: Error & { advice?: string }) => {
        assert.match(error.message, expected);
        assert.match(error.advice ?? "", /^To fix it, .*run the same command again/);
        return true;
      });
      assert.equal(fs.existsSync(folders.venv), false);
      process.env.FAKE_PIP = "ok";
      assert.equal((await quietly(folders).made).version, "4.6.4");
    });
  }

  it("needs a Python >= 3.9 that can make environments, and says what is missing", async () => {
    const folders = project();
    process.env.FAKE_VERSION = "3.8.10";
    await assert.rejects(
      quietly(folders).made,
      /Python >= 3\.9 with venv must be found, but python3 is 3\.8\.10\.$/,
    );
    process.env.FAKE_VERSION = "3.12.1";
    process.env.FAKE_VENV = "no";
    await assert.rejects(quietly(folders).made, (error: Error & { advice?: string }) => {
      assert.match(error.message, /python3 3\.12\.1 has no venv or ensurepip module\.$/);
      assert.match(error.advice ?? "", /apt-get install python3-venv/);
      return true;
    });
    process.env.PATH = temporaryFolder();
    await assert.rejects(quietly(folders).made, /there is no python3 on PATH/);
    assert.equal(fs.existsSync(folders.venv), false);
  });
});
