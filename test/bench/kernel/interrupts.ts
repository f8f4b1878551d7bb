import { loadavg } from "node:os";
import { parseArgs } from "node:util";
import { startForTrials, tryRow, type Trial } from "../../kernel/interrupts/battery.js";
import { rows } from "../../kernel/interrupts/rows.js";
import { quantile } from "./measure.js";

// Usage: node build/test/bench/kernel/interrupts.js [--repeat 1000] [--rows 1,5,9] [--fresh 50]
// Interrupts each kind of work again and again in one kernel, or in a new one after so many, and prints how it was stopped as a
// Markdown table. SIGINT ends it early, and the table then has what was tried until then. Row 19 takes its time otherwise: each of
// its interrupts starts a new type service, which learns all cells again.

const { values } = parseArgs({
  options: { repeat: { type: "string", default: "20" }, rows: { type: "string" }, fresh: { type: "string" } },
});
const repeat = Number(values.repeat);
const fresh = Number(values.fresh ?? Infinity);
const wanted = values.rows?.split(",").map(Number) ?? rows.map((_, i) => i + 1);

let ended = false;
process.once("SIGINT", () => (ended = true));

async function main(): Promise<number> {
  let kernel = await startForTrials();
  let failed = 0;
  console.log(`Node ${process.version}, load ${loadavg()[0]!.toFixed(1)}`);
  console.log("| | what the cell does | stopped and healthy | by | median, ms | slowest, ms |");
  console.log("|---|---|---|---|---|---|");
  for (const number of wanted) {
    if (ended) break;
    const row = rows[number - 1]!;
    const trials: Trial[] = [];
    for (let i = 0; i < repeat && !ended; i++) {
      if (i > 0 && i % fresh === 0) {
        await kernel.shutdown();
        kernel = await startForTrials();
      }
      // From at once to well under way, in even steps.
      const trial = await tryRow(kernel, row, i % 30);
      trials.push(trial);
      if (trial.faults.length > 0)
        process.stderr.write(`${row.title}, run ${i + 1}: ${trial.faults.join("; ")}\n`);
    }
    const good = trials.filter(({ faults }) => faults.length === 0).length;
    failed += trials.length - good;
    const steps = [...new Set(trials.map(({ step }) => step ?? "nothing"))]
      .map((step) => `${step} ${trials.filter((trial) => (trial.step ?? "nothing") === step).length}`)
      .join(", ");
    const times = trials.map(({ took }) => took);
    console.log(
      `| ${number} | ${row.title} | ${good} of ${trials.length} | ${steps} | ${quantile(times, 0.5).toFixed(0)} | ${Math.max(...times).toFixed(0)} |`,
    );
  }
  await kernel.shutdown();
  return failed;
}

void main().then((failed) => process.exit(failed === 0 ? 0 : 1));
