// Measures what a newcomer waits for: from a fresh clone with empty caches to a JupyterLab that answers, the second
// start, and the third with npm's own part left out. Run it with: node test/bench/start.mjs [--keep]
import { execFileSync, spawn } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { performance } from "node:perf_hooks";

const root = path.resolve(import.meta.dirname ?? path.dirname(process.argv[1]), "..", "..");
const folder = fs.mkdtempSync(path.join(os.tmpdir(), "turnwise bench-"));
const clone = path.join(folder, "clone");
const env = {
  ...process.env,
  npm_config_cache: path.join(folder, "npm-cache"),
  PIP_CACHE_DIR: path.join(folder, "pip-cache"),
  VIRTUAL_ENV: "",
};

/** Seconds until Lab answers, with the steps that were printed. */
function start(command, args) {
  const began = performance.now();
  const child = spawn(command, args, { cwd: clone, env, stdio: ["ignore", "pipe", "inherit"] });
  return new Promise((resolve, reject) => {
    let text = "";
    let seconds = NaN;
    child.stdout.setEncoding("utf8").on("data", (data) => {
      text += data;
      if (Number.isNaN(seconds) && text.includes("answers at")) {
        seconds = (performance.now() - began) / 1000;
        child.kill("SIGTERM");
      }
    });
    child.on("error", reject);
    child.on("close", () => {
      if (Number.isNaN(seconds)) reject(new Error("JupyterLab did not answer:\n" + text));
      else resolve({ seconds, steps: text.split("\n").filter((line) => / \.\.\. /.test(line)) });
    });
  });
}

function megabytes(name) {
  const [size] = execFileSync("du", ["-sm", path.join(clone, name)], { encoding: "utf8" }).split("\t");
  return size;
}

const rows = [];
const measure = async (title, command, args) => {
  const { seconds, steps } = await start(command, args);
  rows.push(`| ${title} | ${seconds.toFixed(1)} |`);
  console.log(`${title}: ${seconds.toFixed(1)} s`);
  for (const step of steps) console.log("    " + step);
};

try {
  execFileSync("git", ["clone", "--quiet", root, clone], { stdio: "inherit" });
  const lab = ["start", "--", "--no-browser", "--port=0"];
  await measure("fresh clone, empty caches", "npm", lab);
  await measure("second start", "npm", lab);
  const direct = [path.join(clone, "kernel", "bootstrap", "start.cjs"), "--no-browser", "--port=0"];
  await measure("second start without npm", process.execPath, direct);
  console.log(`\n| start | seconds until JupyterLab answers |\n|---|---|\n${rows.join("\n")}`);
  console.log(
    `\nnode_modules ${megabytes("node_modules")} MB, .venv ${fs.existsSync(path.join(clone, ".venv")) ? megabytes(".venv") : "not made: 0"} MB`,
  );
  console.log(`Node ${process.versions.node}, ${os.cpus().length} cores, load ${os.loadavg()[0].toFixed(1)}`);
} finally {
  if (process.argv.includes("--keep")) console.log("kept: " + folder);
  else fs.rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
}
