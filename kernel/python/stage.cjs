"use strict";
// Lays the files of the wheel out: our packages as npm would publish them, and the packages that they need as they are locked.

const fs = require("node:fs");
const path = require("node:path");
const { run, tail } = require("../bootstrap/command.cjs");
const { npmCommand } = require("../bootstrap/install.cjs");
const { Complaint } = require("../bootstrap/steps.cjs");
const { keeps, needsNothing, unneeded } = require("./kept.cjs");

/** Each with its folder in the repository. */
const ours = {
  turnwise: "lib/turnwise",
  "turnwise-practice": "lib/practice",
  "turnwise-course": "lib/course",
  "turnwise-kernel": "kernel",
};

const readJson = (file) => JSON.parse(fs.readFileSync(file, "utf8"));

/** Runs a command; if it fails, the complaint holds its last words. */
async function must(what, file, args, options) {
  const result = await run(file, args, options);
  if (result.code !== 0)
    throw new Complaint("Cannot build the wheel: " + what + ":\n" + tail(result.output, 20));
}

/** Our packages, with the files that npm would publish. */
async function packOurs(root, modules) {
  const packed = fs.mkdtempSync(path.join(path.dirname(modules), "packed-"));
  const npm = npmCommand();
  const workspaces = Object.keys(ours).map((name) => "--workspace=" + name);
  await must(
    "npm pack must succeed",
    npm.file,
    npm.args.concat(["pack", "--pack-destination=" + packed], workspaces),
    { cwd: root, shell: npm.shell },
  );
  for (const name of Object.keys(ours)) {
    const { version } = readJson(path.join(root, ours[name], "package.json"));
    const folder = path.join(modules, name);
    fs.mkdirSync(folder, { recursive: true });
    const archive = path.join(packed, name + "-" + version + ".tgz");
    await must(
      "tar must unpack " + archive,
      "tar",
      ["-xzf", archive, "--strip-components=1", "-C", folder],
      {},
    );
    // Modules for bundlers, which do not look for packages in a Python environment.
    fs.rmSync(path.join(folder, "esm"), { recursive: true, force: true });
  }
  fs.rmSync(packed, { recursive: true });
}

/** The folder that Node would find a package in, from another package's folder. */
function installed(root, from, name) {
  for (let folder = from; ; folder = path.dirname(folder)) {
    const candidate = path.join(folder, "node_modules", name);
    if (fs.existsSync(path.join(candidate, "package.json"))) return candidate;
    if (folder === root) return undefined;
  }
}

/** The folders of all packages that ours need, below node_modules of the repository. */
function needed(root) {
  const found = new Set();
  const visit = (folder) => {
    const { name, dependencies, optionalDependencies } = readJson(path.join(folder, "package.json"));
    for (const one of Object.keys({ ...dependencies, ...optionalDependencies })) {
      if (ours[one] !== undefined || unneeded.includes(one)) continue;
      const place = installed(root, folder, one);
      if (place === undefined) {
        // As for another system: such a package compiles or speeds something up, and the one that asks for it runs without.
        if (optionalDependencies && optionalDependencies[one] !== undefined) continue;
        throw new Complaint(
          "Cannot build the wheel: " + name + " needs " + one + ", which must be installed.",
          "npm ci",
        );
      }
      if (found.has(place)) continue;
      found.add(place);
      if (!needsNothing.includes(one)) visit(place);
    }
  };
  for (const folder of Object.values(ours)) visit(path.join(root, folder));
  return [...found];
}

/** Packages with code for one system only do not belong into a wheel for all. */
function isForOneSystem(folder) {
  const { os, cpu } = readJson(path.join(folder, "package.json"));
  return os !== undefined || cpu !== undefined;
}

function copyPackage(from, to) {
  const name = readJson(path.join(from, "package.json")).name;
  const keep = keeps(name, from);
  const copy = (below) => {
    for (const entry of fs.readdirSync(path.join(from, below), { withFileTypes: true })) {
      const file = path.posix.join(below, entry.name);
      // What lies in a package's own node_modules is copied for itself.
      if (entry.isDirectory() && entry.name !== "node_modules") copy(file);
      else if (entry.isFile() && keep(file)) {
        fs.mkdirSync(path.dirname(path.join(to, file)), { recursive: true });
        fs.copyFileSync(path.join(from, file), path.join(to, file));
      }
    }
  };
  copy("");
}

/**
 * A file that stands for a folder that the packages write to, which makes them write to the user's cache instead: pip removes the files
 * that it has installed, and no others.
 */
const written = ["turnwise-kernel/dist/snapshot", "turnwise/dist/.cache", "turnwise/native/built"];
const whyFile =
  "This file keeps the place of a folder. What would be in it is in the user's cache folder: pip would not remove it.\n";

/** Lays the wheel's files out in an empty folder. */
async function stage(root, folder) {
  const source = path.join(root, "kernel", "python");
  for (const name of ["pyproject.toml", "README.md", "turnwise_kernel"]) {
    fs.cpSync(path.join(source, name), path.join(folder, name), {
      recursive: true,
      filter: (file) => path.basename(file) !== "__pycache__",
    });
  }
  fs.copyFileSync(path.join(root, "LICENSE"), path.join(folder, "LICENSE"));
  const modules = path.join(folder, "turnwise_kernel", "node_modules");
  fs.mkdirSync(modules);
  await packOurs(root, modules);
  for (const place of needed(root)) {
    if (!isForOneSystem(place))
      copyPackage(place, path.join(modules, path.relative(path.join(root, "node_modules"), place)));
  }
  for (const file of written) {
    fs.mkdirSync(path.dirname(path.join(modules, file)), { recursive: true });
    fs.writeFileSync(path.join(modules, file), whyFile);
  }
  shareWithJupyter(path.join(modules, "turnwise-kernel"), path.join(folder, "share", "jupyter"));
}

/** Writes the files that Jupyter looks for in share/jupyter of a Python environment. */
function shareWithJupyter(kernel, share) {
  const { kernelspec, writeKernelspec, defaultKernelName } = require(
    path.join(kernel, "dist", "cli", "kernelspec.js"),
  );
  const { writeLabextension } = require(path.join(kernel, "dist", "cli", "labextension.js"));
  // Jupyter replaces "python" by the Python of the environment.
  const argv = ["python", "-m", "turnwise_kernel", "{connection_file}"];
  writeKernelspec(share, defaultKernelName, { ...kernelspec(), argv });
  const extension = writeLabextension(share);
  const manager = {
    packageManager: "python",
    packageName: "turnwise-kernel",
    uninstallInstructions: "pip uninstall turnwise-kernel",
  };
  fs.writeFileSync(path.join(extension, "install.json"), JSON.stringify(manager, null, 2) + "\n");
}

module.exports = { stage, ours };
