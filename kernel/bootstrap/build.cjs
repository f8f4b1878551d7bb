"use strict";
const crypto = require("crypto");
const fs = require("fs");
const path = require("path");
const { carryAll } = require("./carried.cjs");
const command = require("./command.cjs");
const { prune } = require("./prune.cjs");
const steps = require("./steps.cjs");
const { outputs, walk } = require("./sources.cjs");

const stampFile = path.join("build", ".sources.json");

/** One digest over the names, sizes and times of everything that the compiler reads. */
function digest(root, projects) {
  const hash = crypto.createHash("sha256");
  const add = (file) => {
    const stat = fs.statSync(file);
    hash.update(path.relative(root, file) + ":" + stat.size + ":" + stat.mtimeMs + "\n");
  };
  ["package-lock.json", ".tsconfig.base.json", "tsconfig.json"].forEach((name) => add(path.join(root, name)));
  projects.forEach((project) => {
    walk(path.join(root, project), (file) => {
      if (/\.(ts|cts|mts|json)$/.test(file)) add(file);
    });
  });
  return hash.digest("hex");
}

function readStamp(root) {
  try {
    return JSON.parse(fs.readFileSync(path.join(root, stampFile), "utf8"));
  } catch (_missing) {
    return {};
  }
}

/** Compiles the given projects, unless none of their sources has changed. */
async function build(root, projects) {
  const key = projects.join("+");
  const now = digest(root, projects);
  const built = projects.every((project) => fs.existsSync(path.join(root, outputs[project][1])));
  if (built && readStamp(root)[key] === now) return;
  await steps.step("Building", async (progress) => {
    // First: what is left of an old source would be found instead of a new one.
    projects.forEach((project) => prune(root, project));
    const tsc = path.join(root, "node_modules", "typescript", "bin", "tsc");
    const result = await command.run(
      process.execPath,
      [tsc, "-b", "--verbose", "--pretty", "false"].concat(projects),
      {
        cwd: root,
        onLine: (line) => {
          const project = /Building project '.*?([^/\\]+)[/\\]tsconfig\.json'/.exec(line);
          if (project) progress(project[1]);
        },
      },
    );
    if (result.code !== 0) {
      const errors = result.output.split("\n").filter((line) => /error TS|^\s/.test(line));
      const denied = /EACCES|EROFS|EPERM/.test(result.output);
      throw new steps.Complaint(
        denied
          ? "Cannot build: " + root + " must be writable: " + command.tail(result.output, 1)
          : "Cannot build: the sources must compile: " +
              errors.length +
              " lines of errors\n" +
              errors.slice(0, 40).join("\n"),
        denied
          ? "To fix it, copy the folder to a place where you may write (cp -r . ~/turnwise)"
          : "To fix it, correct the lines above (git stash sets your changes aside), then run the same command again.",
      );
    }
    // Of the checkout: the kernel's package holds this file, too.
    const { makeLazy } = require("../../lib/turnwise/bin/lazy.cjs");
    const { writeModules } = require("../../lib/turnwise/bin/modules.cjs");
    projects
      .filter((project) => project.startsWith("lib/"))
      .forEach((project) => {
        makeLazy(path.join(root, outputs[project][1]));
        writeModules(path.join(root, project));
      });
    progress("packages carried inside");
    carryAll(root);
    const snapshot = path.join(root, "kernel", "dist", "types", "snapshot-make.js");
    if (projects.includes("kernel") && fs.existsSync(snapshot)) {
      progress("type service");
      // Kernels also start without it, only more slowly.
      await command.run(process.execPath, [snapshot], { cwd: root });
    }
    const stamp = readStamp(root);
    stamp[key] = now;
    fs.mkdirSync(path.join(root, "build"), { recursive: true });
    // In place: without the stamp, the next start builds again.
    fs.writeFileSync(path.join(root, stampFile), JSON.stringify(stamp, null, 1) + "\n");
    return projects.join(", ");
  });
}

module.exports = { build: build };
