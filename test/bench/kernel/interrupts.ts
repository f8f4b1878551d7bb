import { loadavg } from "node:os";
import { parseArgs } from "node:util";
import { startForTrials, tryRow } from "../../kernel/interrupts/battery.js";
import { rows } from "../../kernel/interrupts/rows.js";
import { printTable } from "../../kernel/interrupts/table.js";

// Usage: node build/test/bench/kernel/interrupts.js [--repeat 1000] [--rows 1,5,9] [--fresh 50]
// Interrupts each kind of work again and again in one kernel, or in a new one after a given number, and prints how it was stopped as a
// Markdown table. SIGINT ends it early, and the table then has what was tried until then. Row 19 takes its time otherwise: each of
// its interrupts starts a new type service, which learns all cells again.

const { values } = parseArgs({
  options: { repeat: { type: "string", default: "20" }, rows: { type: "string" }, fresh: { type: "string" } },
});

let ended = false;
process.once("SIGINT", () => (ended = true));

console.log(`Node ${process.version}, load ${loadavg()[0]!.toFixed(1)}`);
void printTable({
  rows,
  wanted: values.rows?.split(",").map(Number) ?? rows.map((_, i) => i + 1),
  repeat: Number(values.repeat),
  ...(values.fresh !== undefined && { fresh: Number(values.fresh) }),
  start: startForTrials,
  tryRow,
  hasEnded: () => ended,
}).then((failed) => process.exit(failed === 0 ? 0 : 1));
