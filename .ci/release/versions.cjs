"use strict";
// Versions of a release: one for all packages and for what they ask of one another, and its heading in the changelog.
const fs = require("node:fs");
const path = require("node:path");
const { replaceFile } = require("../../kernel/bootstrap/replace-file.cjs");
const { Complaint } = require("../../kernel/bootstrap/steps.cjs");

const read = (root, file) => fs.readFileSync(path.join(root, file), "utf8");
const kinds = ["major", "minor", "patch"];
const dependencyFields = ["dependencies", "devDependencies", "peerDependencies", "optionalDependencies"];

/** The package.json of each of our packages, the repository's own first. */
function manifests(root) {
  const { workspaces } = JSON.parse(read(root, "package.json"));
  return ["", ...workspaces].map((folder) => {
    const file = path.posix.join(folder, "package.json");
    return { folder, file, manifest: JSON.parse(read(root, file)) };
  });
}

/** The version that all packages have now. */
function currentVersion(root) {
  const all = manifests(root);
  const version = all[0].manifest.version;
  const ours = new Set(all.map(({ manifest }) => manifest.name));
  const wrong = all.flatMap(({ file, manifest }) => [
    ...(manifest.version === version ? [] : [`${file} has version ${manifest.version}`]),
    ...dependencyFields.flatMap((field) =>
      Object.entries(manifest[field] ?? {})
        .filter(([name, asked]) => ours.has(name) && asked !== version)
        .map(([name, asked]) => `${file} asks for ${name} ${asked}`),
    ),
  ]);
  if (wrong.length === 0) return version;
  throw new Complaint(`Cannot release: all packages must have version ${version}, but ${wrong.join(", ")}.`);
}

const parsed = (version) => /^(\d+)\.(\d+)\.(\d+)$/.exec(version)?.slice(1).map(Number);

/** The version after another: by "major", "minor" or "patch", or as it is given. */
function nextVersion(current, wanted) {
  const numbers = parsed(current);
  const at = kinds.indexOf(wanted);
  if (at >= 0) return numbers.map((n, i) => (i < at ? n : i === at ? n + 1 : 0)).join(".");
  const given = parsed(wanted);
  const isNewer = given && (given[0] - numbers[0] || given[1] - numbers[1] || given[2] - numbers[2]) > 0;
  if (isNewer) return wanted;
  throw new Complaint(
    `Cannot release: the version must be ${kinds.join(", ")}, or one above ${current} such as ${nextVersion(current, "minor")}, got ${wanted}.`,
  );
}

/** The changelog with a heading for the version above what was unreleased. */
function releasedChangelog(text, version, date) {
  const heading = "## Unreleased\n";
  const at = text.indexOf(heading);
  const end = text.indexOf("\n## ", at + heading.length);
  const entries = at < 0 ? "" : text.slice(at + heading.length, end < 0 ? undefined : end);
  if (!/^- /m.test(entries)) {
    throw new Complaint(
      'Cannot release: CHANGELOG.md must list under "## Unreleased" what the version brings, but nothing is there.',
    );
  }
  if (text.includes(`\n## ${version}`)) {
    throw new Complaint(
      `Cannot release: CHANGELOG.md must have no version ${version} yet, but there is a heading.`,
    );
  }
  return `${text.slice(0, at)}${heading}\n## ${version} - ${date}\n${text.slice(at + heading.length)}`;
}

/** The text of every file that a release changes, by its path. */
function releasedFiles(root, version, date) {
  const ours = new Set(manifests(root).map(({ manifest }) => manifest.name));
  const raise = (one) => {
    if (one.version !== undefined) one.version = version;
    for (const field of dependencyFields)
      for (const name of Object.keys(one[field] ?? {})) if (ours.has(name)) one[field][name] = version;
  };
  const json = (value) => `${JSON.stringify(value, null, 2)}\n`;
  const files = { "CHANGELOG.md": releasedChangelog(read(root, "CHANGELOG.md"), version, date) };
  for (const { file, manifest } of manifests(root)) {
    raise(manifest);
    files[file] = json(manifest);
  }
  const lock = JSON.parse(read(root, "package-lock.json"));
  lock.version = version;
  for (const { folder } of manifests(root)) raise(lock.packages[folder]);
  files["package-lock.json"] = json(lock);
  return files;
}

/** Writes these files into a folder. */
function writeFiles(folder, files) {
  for (const [file, text] of Object.entries(files)) replaceFile(path.join(folder, file), text);
}

module.exports = { currentVersion, manifests, nextVersion, releasedChangelog, releasedFiles, writeFiles };
