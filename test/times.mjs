// Times the tiers from clean clones, for the table of test/README.md: node test/times.mjs [--runs=3] [--tier=fast|slow] [--busy=4]
// Each run clones the last commit, installs, and runs one tier. --busy keeps so many processes computing beside the tests.
import { execFileSync, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { availableParallelism, loadavg, tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "..");
const { runs, tier, busy } = parseArgs({
  options: {
    runs: { type: "string", default: "3" },
    tier: { type: "string", default: "fast" },
    busy: { type: "string", default: "0" },
  },
}).values;
const script = tier === "slow" ? ["run", "--silent", "test:all"] : ["test", "--silent"];

/** Runs npm to its end, showing what it prints; gives its output, its status and the seconds that it took. */
function npm(cwd, args) {
  const started = Date.now();
  return new Promise((resolve) => {
    const child = spawn("npm", args, { cwd, stdio: ["ignore", "pipe", "inherit"] });
    let output = "";
    child.stdout.setEncoding("utf8").on("data", (text) => {
      output += text;
      process.stderr.write(text);
    });
    child.on("close", (status) => resolve({ output, status, seconds: (Date.now() - started) / 1000 }));
  });
}

const span = (seconds) =>
  `${Math.floor(seconds / 60)} min ${String(Math.round(seconds % 60)).padStart(2, "0")} s`;
const commit = execFileSync("git", ["rev-parse", "--short=8", "HEAD"], {
  cwd: root,
  encoding: "utf8",
}).trim();
const computing = Array.from({ length: Number(busy) }, () => spawn(process.execPath, ["-e", "for (;;);"]));
const rows = [];
let failed = false;
for (let run = 1; run <= Number(runs); run++) {
  const folder = mkdtempSync(path.join(tmpdir(), "turnwise-times-"));
  try {
    execFileSync("git", ["clone", "--quiet", root, folder]);
    const prepared = await npm(folder, [...script, "--", "--prepare"]);
    const building = Number(/^Building \.\.\. .*?([\d.]+) s$/m.exec(prepared.output)?.[1] ?? 0);
    const load = loadavg()[0];
    const { output, status, seconds } = await npm(folder, script);
    failed ||= status !== 0;
    const said = output.trimEnd().split("\n").at(-1);
    rows.push([
      tier,
      run,
      commit,
      load.toFixed(1),
      span(prepared.seconds - building),
      span(building),
      span(seconds),
      said,
    ]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
for (const one of computing) one.kill("SIGKILL");
console.log(
  `Node ${process.versions.node}, ${availableParallelism()} cores, ${busy} computing processes beside the tests`,
);
console.log("| tier | run | commit | load before | installing | building | tests | result |");
console.log("| --- | --- | --- | --- | --- | --- | --- | --- |");
for (const row of rows) console.log(`| ${row.join(" | ")} |`);
process.exitCode = failed ? 1 : 0;
