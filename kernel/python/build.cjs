"use strict";
const fs = require("node:fs");
const os = require("node:os");
const path = require("node:path");
const { run, tail } = require("../bootstrap/command.cjs");
const { Complaint, step } = require("../bootstrap/steps.cjs");
const { stage } = require("./stage.cjs");

/** The Python that builds: any, as the backend comes into an environment of its own. */
async function pythonWithPip(root) {
  const { findPython, environmentPython } = require(
    path.join(root, "kernel", "dist", "cli", "jupyter", "python.js"),
  );
  const found = await findPython();
  for (const argv of [...(found ? [found.argv] : []), [environmentPython(path.join(root, ".venv"))]]) {
    const asked = await run(argv[0], [...argv.slice(1), "-m", "pip", "--version"], {}).catch(() => undefined);
    if (asked !== undefined && asked.code === 0) return argv;
  }
  throw new Complaint(
    "Cannot build the wheel: Python >= 3.9 with pip must be installed.",
    "On Debian: apt-get install python3-pip",
  );
}

function sizeOf(folder) {
  return fs
    .readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + fs.statSync(path.join(entry.parentPath || entry.path, entry.name)).size, 0);
}

/** Builds the wheel into a folder, replacing those that were there. */
async function buildWheel(root, out) {
  const python = await pythonWithPip(root);
  fs.mkdirSync(out, { recursive: true });
  for (const old of wheelsIn(out)) fs.rmSync(old);
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "turnwise-wheel-"));
  try {
    await step("Collecting the files", () => stage(root, folder));
    const unpacked = sizeOf(path.join(folder, "turnwise_kernel")) + sizeOf(path.join(folder, "share"));
    await pack(python, folder, out);
    const [file] = wheelsIn(out);
    return { file, bytes: fs.statSync(file).size, unpacked };
  } finally {
    fs.rmSync(folder, { recursive: true, force: true });
  }
}

/** Makes the wheel of the files in a folder. */
async function pack(python, folder, out) {
  await step("Building the wheel", async () => {
    const args = [
      "-m",
      "pip",
      "wheel",
      "--disable-pip-version-check",
      "--no-deps",
      "--wheel-dir",
      out,
      folder,
    ];
    const result = await run(python[0], [...python.slice(1), ...args], { cwd: out });
    if (result.code !== 0) {
      throw new Complaint("Cannot build the wheel: pip wheel failed.\n" + tail(result.output, 20));
    }
  });
}

function wheelsIn(folder) {
  return fs
    .readdirSync(folder)
    .filter((name) => /^turnwise_kernel-.*\.whl$/.test(name))
    .map((name) => path.join(folder, name));
}

module.exports = { buildWheel };
