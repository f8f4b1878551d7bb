"use strict";
// npm run release -- [major|minor|patch|<version>] [--dry] [--out <folder>]: versions, changelog, packages, wheel, notes on where they come
// from, and an installation of exactly these files. Nothing is published. With --dry, the repository stays as it is.
const { execFileSync } = require("node:child_process");
const fs = require("node:fs");
const path = require("node:path");
const { replaceFile } = require("../../kernel/bootstrap/replace-file.cjs");
const { Complaint, report, step } = require("../../kernel/bootstrap/steps.cjs");
const { digests, provenance } = require("./provenance.cjs");
const { npm, tryPackages, tryWheel } = require("./try.cjs");
const { currentVersion, manifests, nextVersion, releasedFiles, writeFiles } = require("./versions.cjs");

const root = path.resolve(__dirname, "..", "..");
const usage = "npm run release -- [major|minor|patch|<version>] [--dry] [--out <folder>]";
const git = (...args) => execFileSync("git", args, { cwd: root, encoding: "utf8", maxBuffer: 2 ** 26 });

function options(args) {
  const given = { dry: false, out: path.join(root, "build", "release"), wanted: undefined };
  for (let i = 0; i < args.length; i++) {
    const arg = args[i];
    if (arg === "--dry") given.dry = true;
    else if (arg === "--out" && args[i + 1] !== undefined) given.out = path.resolve(args[++i]);
    else if (!arg.startsWith("-") && given.wanted === undefined) given.wanted = arg;
    else throw new Complaint(`Cannot release: --dry and --out <folder> are the options, got ${arg}.`, usage);
  }
  return { ...given, wanted: given.wanted ?? "minor" };
}

/** A copy of the repository and of what is built in it, for the files of another version. */
function copyTree(folder) {
  fs.rmSync(folder, { recursive: true, force: true });
  const copy = (name) => {
    if (!fs.existsSync(path.join(root, name))) return;
    // In place: the folder is new.
    fs.cpSync(path.join(root, name), path.join(folder, name), { recursive: true, verbatimSymlinks: true });
  };
  git("ls-files", "-z", "--cached", "--others", "--exclude-standard")
    .split("\0")
    .filter(Boolean)
    .forEach(copy);
  for (const { folder: workspace } of manifests(root).slice(1))
    ["dist", "esm"].forEach((name) => copy(`${workspace}/${name}`));
  fs.symlinkSync(path.join(root, "node_modules"), path.join(folder, "node_modules"), "junction");
}

async function pack(tree, out, packages) {
  const folders = packages.map(({ folder }) => `--workspace=${folder}`);
  await npm("npm pack", ["pack", `--pack-destination=${out}`, ...folders], { cwd: tree });
  const files = fs.readdirSync(out).filter((name) => name.endsWith(".tgz"));
  if (files.length === packages.length) return files.map((name) => path.join(out, name));
  throw new Complaint(
    `Cannot release: npm pack must make ${packages.length} files, got ${files.join(", ")}.`,
  );
}

async function wheel(tree, out) {
  await npm("npm run wheel", ["run", "wheel", "--", "--out", out], { cwd: tree });
  const files = fs.readdirSync(out).filter((name) => name.endsWith(".whl"));
  if (files.length === 1) return path.join(out, files[0]);
  throw new Complaint(`Cannot release: npm run wheel must make one file, got ${files.join(", ") || "none"}.`);
}

function assertUnchanged(files, before) {
  const after = digests(files);
  const changed = Object.keys(after).filter((name) => after[name] !== before[name]);
  if (changed.length > 0)
    throw new Complaint(
      `Cannot release: what was installed must be what is kept, but ${changed.join(", ")} changed.`,
    );
}

async function release(args) {
  const { dry, out, wanted } = options(args);
  const version = nextVersion(currentVersion(root), wanted);
  const isClean = git("status", "--porcelain").trim() === "";
  if (!dry && !isClean)
    throw new Complaint(
      "Cannot release: everything must be committed, but git status lists changes.",
      "To try it: add --dry",
    );
  const released = releasedFiles(root, version, new Date().toISOString().slice(0, 10));
  const tree = path.join(root, "build", "release-tree");
  fs.rmSync(out, { recursive: true, force: true });
  fs.mkdirSync(out, { recursive: true });
  try {
    await step("Building", () =>
      npm("npm run build", ["run", "--silent", "build"], { cwd: root }).then(() => ""),
    );
    await step(`Copying the repository as version ${version}`, async () => {
      copyTree(tree);
      writeFiles(tree, released);
    });
    const packages = manifests(tree).filter(({ manifest }) => manifest.private !== true);
    const files = await step("Packing", () => pack(tree, out, packages));
    const hasWheel = manifests(tree)[0].manifest.scripts.wheel !== undefined;
    const wheels = hasWheel ? [await step("Building the wheel", () => wheel(tree, out))] : [];
    const all = [...files, ...wheels];
    const before = digests(all);
    await step("Installing the packages", (progress) => tryPackages(files, version, progress));
    for (const file of wheels)
      await step("Installing the wheel", (progress) => tryWheel(file, version, progress));
    assertUnchanged(all, before);
    const npmVersion = (await npm("npm --version", ["--version"], { cwd: root })).trim();
    const notes = provenance({
      ...{ version, isClean, files: all, root: tree, packages, npm: npmVersion },
      ...{ commit: git("rev-parse", "HEAD").trim(), node: process.versions.node },
    });
    replaceFile(path.join(out, "PROVENANCE.md"), notes);
    const sums = Object.entries(before).map(([name, sum]) => `${sum}  ${name}\n`);
    replaceFile(path.join(out, "SHA256SUMS"), sums.join(""));
    if (!dry) writeFiles(root, released);
    for (const file of all) process.stdout.write(`${path.relative(process.cwd(), file)}\n`);
    const next = dry
      ? "Nothing was published, and the repository is as it was."
      : `Nothing was published. Commit the versions and CHANGELOG.md, tag v${version}, and read PROVENANCE.md.`;
    process.stdout.write(`${path.relative(process.cwd(), path.join(out, "PROVENANCE.md"))}\n${next}\n`);
  } finally {
    fs.rmSync(tree, { recursive: true, force: true });
  }
}

if (require.main === module) {
  release(process.argv.slice(2)).catch((error) => {
    report(error);
    process.exitCode = 1;
  });
}
