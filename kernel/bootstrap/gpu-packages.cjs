"use strict";
const fs = require("fs");
const path = require("path");
const command = require("./command.cjs");
const install = require("./install.cjs");
const steps = require("./steps.cjs");

/** Not in package-lock.json, as few want their 140 MB; pinned here instead. */
const packages = [
  {
    name: "webgpu",
    version: "0.6.2",
    integrity:
      "sha512-3L4GfmqJLvYUIEWJngEQY+2HQiUlAFkg8+P8NDDj3Xx5hHHIFO/r8JW+ynfqBj7kHN4mbnwO74uB+lrRtLhp4Q==",
  },
  {
    name: "@tensorflow/tfjs-backend-webgpu",
    version: "4.22.0",
    integrity:
      "sha512-lvIc7Af4Tl2BCdYp43iQmSCRq3asaKT0q2xaErphXiUZ+jqeB0bQa0ZvQys1Xatvto0U4/c90DVsHPfvkn5ftg==",
  },
];
const names = packages.map((one) => one.name + "@" + one.version);

function installed(root) {
  const place = path.join(root, "node_modules", ".package-lock.json");
  const found = fs.existsSync(place) ? JSON.parse(fs.readFileSync(place, "utf8")).packages : {};
  return (one) => found["node_modules/" + one.name];
}

/** Whether both are there as pinned. */
function complete(root) {
  const entry = installed(root);
  return packages.every((one) => (entry(one) || {}).integrity === one.integrity);
}

function reason(output) {
  const line = output.split("\n").find((text) => /getaddrinfo|E[A-Z]{5,}|[Ee]rror:/.test(text));
  return (line || command.tail(output, 1)).trim();
}

function complaint(why) {
  return new steps.Complaint(
    "Cannot install " + names.join(" and ") + ": npm must have them as pinned: " + why,
    "Everything else goes on with the default backend (turnwise doctor says which). To try again: npm run gpu",
  );
}

/**
 * Installs WebGPU into the node_modules of a folder, without a line in its package.json, and compares what came with what is
 * pinned. `more` holds what else must stay or come, and options of npm.
 */
async function installGpu(root, more, progress) {
  const npm = install.npmCommand();
  const quiet = ["--no-save", "--ignore-scripts", "--no-audit", "--no-fund"];
  const result = await command.run(npm.file, npm.args.concat(["install"], quiet, names, more), {
    cwd: root,
    shell: npm.shell,
    onLine: (line) => progress(line.slice(0, 60)),
  });
  if (result.code !== 0) throw complaint(reason(result.output));
  const entry = installed(root);
  const other = packages.find((one) => (entry(one) || {}).integrity !== one.integrity);
  if (other === undefined) return "as pinned";
  const came = (entry(other) || {}).integrity || "nothing";
  fs.rmSync(path.join(root, "node_modules", other.name), { recursive: true, force: true });
  throw complaint(other.name + " should have " + other.integrity + ", and came with " + came);
}

module.exports = { names: names, complete: complete, install: installGpu, reason: reason };
