"use strict";
const fs = require("fs");
const path = require("path");
const command = require("./command.cjs");
const steps = require("./steps.cjs");

function readJson(file) {
  try {
    return JSON.parse(fs.readFileSync(file, "utf8"));
  } catch (_missing) {
    return undefined;
  }
}

/**
 * The first locked package that is not installed as locked, or "" if all are.
 * npm writes node_modules/.package-lock.json last, so an installation that was cut short has none.
 */
function missingPackage(root) {
  const wanted = readJson(path.join(root, "package-lock.json")).packages;
  const hidden = readJson(path.join(root, "node_modules", ".package-lock.json"));
  if (!hidden) return "node_modules";
  const names = Object.keys(wanted).filter((name) => name.startsWith("node_modules/"));
  const absent = names.find((name) => {
    const want = wanted[name];
    const have = hidden.packages[name];
    if (want.link) return !fs.existsSync(path.join(root, name, "package.json"));
    if (!have) return !want.optional;
    return have.version !== want.version || !fs.existsSync(path.join(root, name, "package.json"));
  });
  return absent || "";
}

function npmCommand() {
  const script = process.env.npm_execpath;
  if (script && /npm-cli\.c?js$/.test(script))
    return { file: process.execPath, args: [script], shell: false };
  return { file: "npm", args: [], shell: process.platform === "win32" };
}

/** Turns npm's output into a sentence that helps. */
function npmComplaint(root, output) {
  const line = (pattern) => (output.split("\n").find((text) => pattern.test(text)) || "").trim();
  const retry = "then run the same command again; nothing else has to be undone.";
  if (
    /E(NOTFOUND|AI_AGAIN|CONNREFUSED|CONNRESET|TIMEDOUT|HOSTUNREACH|NETUNREACH)|ERR_SOCKET_TIMEOUT/.test(
      output,
    )
  ) {
    return new steps.Complaint(
      "Cannot install the npm packages: the package registry must be reachable: " +
        line(/E(NOTFOUND|AI_AGAIN|CONNREFUSED|CONNRESET|TIMEDOUT|HOSTUNREACH|NETUNREACH)|ERR_SOCKET_TIMEOUT/),
      "To fix it, connect to the network (behind a proxy: npm config set proxy <url>), " + retry,
    );
  }
  if (/EACCES|EROFS|EPERM/.test(output)) {
    return new steps.Complaint(
      "Cannot install the npm packages: " + root + " must be writable: " + line(/EACCES|EROFS|EPERM/),
      "To fix it, copy the folder to a place where you may write (cp -r . ~/turnwise), " + retry,
    );
  }
  if (/ENOSPC/.test(output)) {
    return new steps.Complaint(
      "Cannot install the npm packages: the disk must have about 400 MB free: " + line(/ENOSPC/),
      "To fix it, free some space (npm cache clean --force), " + retry,
    );
  }
  if (/EUSAGE/.test(output)) {
    return new steps.Complaint(
      "Cannot install the npm packages: package-lock.json must match package.json.",
      "To fix it, run: npm install",
    );
  }
  return new steps.Complaint(
    "Cannot install the npm packages: npm ci failed.\n" + command.tail(output),
    "To fix it, run: npm ci --ignore-scripts",
  );
}

function assertWritable(root) {
  try {
    fs.accessSync(root, fs.constants.W_OK);
  } catch (error) {
    throw npmComplaint(root, error.code + ": permission denied, open '" + root + "'");
  }
}

/** Installs the locked packages, unless they are there. No package needs its install script. */
async function installPackages(root) {
  const reason = missingPackage(root);
  if (!reason) return;
  assertWritable(root);
  await steps.step("Installing npm packages", async (progress) => {
    const lock = readJson(path.join(root, "package-lock.json"));
    const total = Object.keys(lock.packages).filter((name) => /node_modules\//.test(name)).length;
    const npm = npmCommand();
    let fetched = 0;
    let unreachable = 0;
    let result;
    try {
      result = await command.run(
        npm.file,
        npm.args.concat([
          "ci",
          "--ignore-scripts",
          "--no-audit",
          "--no-fund",
          "--loglevel=http",
          "--fetch-retries=2",
          "--fetch-retry-mintimeout=2000",
          "--fetch-retry-maxtimeout=10000",
        ]),
        {
          cwd: root,
          shell: npm.shell,
          onLine: (line, stop) => {
            // Without a network npm tries every package three times; ten misses and no hit are evidence enough.
            if (/attempt \d+ failed/.test(line)) {
              if (++unreachable >= 10 && fetched === 0) stop();
            } else if (/npm http (fetch|cache)/.test(line)) {
              progress(Math.min(++fetched, total) + " of " + total);
            }
          },
        },
      );
    } catch (error) {
      if (error instanceof steps.Complaint) throw error;
      throw new steps.Complaint(
        "Cannot install the npm packages: npm must be found: " + error.message,
        "To fix it, install Node with npm (nodejs.org, or on Debian: apt-get install npm)",
      );
    }
    if (result.code !== 0) throw npmComplaint(root, result.output);
    return total + " packages";
  });
}

module.exports = { installPackages: installPackages, missingPackage: missingPackage, npmCommand: npmCommand };
