"use strict";
// Installs the files of a release as their users would, and uses them.
const fs = require("node:fs");
const os = require("node:os");
const path = require("node:path");
const { run, tail } = require("../../kernel/bootstrap/command.cjs");
const { npmCommand } = require("../../kernel/bootstrap/install.cjs");
const { Complaint } = require("../../kernel/bootstrap/steps.cjs");

/** Runs a program in a folder that must succeed; gives its output. */
async function must(what, file, args, options) {
  const result = await run(file, args, options);
  if (result.code === 0) return result.output;
  throw new Complaint(
    `Cannot release: ${what} must succeed, but it ended with ${result.code}.\n${tail(result.output)}`,
  );
}

function npm(what, args, options) {
  const command = npmCommand();
  return must(what, command.file, [...command.args, ...args], { ...options, shell: command.shell });
}

/** The packages of npm in an empty folder: command, kernel, library, course. */
async function tryPackages(files, version, progress) {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "turnwise release-"));
  const at = (name) => path.join(folder, name);
  const turnwise = (what, args) => npm(what, ["exec", "--", "turnwise", ...args], { cwd: folder });
  try {
    // In place: the folder is new.
    fs.writeFileSync(at("package.json"), '{ "private": true }\n');
    progress("npm install");
    await npm("npm install of the packages", ["install", "--no-audit", "--no-fund", ...files], {
      cwd: folder,
    });
    const said = (await turnwise("turnwise --version", ["--version"])).trim().split("\n").at(-1);
    if (said !== version)
      throw new Complaint(`Cannot release: turnwise --version must print ${version}, got ${said}.`);
    progress("turnwise install");
    await turnwise("turnwise install", ["install", "--prefix", folder]);
    const spec = JSON.parse(fs.readFileSync(at("share/jupyter/kernels/turnwise/kernel.json"), "utf8"));
    if (!fs.existsSync(spec.argv[1]))
      throw new Complaint(
        `Cannot release: the kernelspec must start a file that exists, got ${spec.argv[1]}.`,
      );
    progress("turnwise doctor");
    await turnwise("turnwise doctor", ["doctor"]);
    progress("lesson 00");
    await turnwise("turnwise new", ["new", "course"]);
    await turnwise("lesson 00", ["run", "course/notebooks/00-start-here.ipynb", "--out", at("out")]);
    return "command, kernelspec, doctor and lesson 00 work";
  } finally {
    fs.rmSync(folder, { recursive: true, force: true });
  }
}

/** The wheel in an empty environment of Python. */
async function tryWheel(file, version, progress) {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "turnwise-wheel-"));
  const bin = path.join(folder, process.platform === "win32" ? "Scripts" : "bin");
  try {
    progress("venv");
    await must(
      "python -m venv",
      process.platform === "win32" ? "python" : "python3",
      ["-m", "venv", folder],
      {},
    );
    progress("pip install");
    await must(
      "pip install of the wheel",
      path.join(bin, "python"),
      ["-m", "pip", "install", "--retries", "1", file],
      {},
    );
    const said = await must("turnwise --version", path.join(bin, "turnwise"), ["--version"], {});
    if (!said.trim().endsWith(version))
      throw new Complaint(
        `Cannot release: turnwise --version of the wheel must print ${version}, got ${said.trim()}.`,
      );
    const spec = path.join(folder, "share", "jupyter", "kernels", "turnwise", "kernel.json");
    if (!fs.existsSync(spec))
      throw new Complaint(`Cannot release: the wheel must install ${spec}, which is missing.`);
    return "command and kernelspec are there";
  } finally {
    fs.rmSync(folder, { recursive: true, force: true });
  }
}

module.exports = { must, npm, tryPackages, tryWheel };
