// Uses internals of turnwise-kernel/session, turnwise-kernel/types.
import { readFileSync } from "node:fs";
import vm from "node:vm";
import ts from "typescript";
import { declared } from "turnwise-kernel/dist/session/declared.js";
import { cellTypesIn } from "turnwise-kernel/dist/types/default-engine.js";
import { topLevelAwait } from "turnwise-kernel/dist/types/names.js";
import { useNode } from "turnwise-kernel/dist/types/node-host.js";
import { parse } from "turnwise-kernel/dist/types/transform/parse.js";
import { cut, declaredNames } from "./cut.js";
import { difference, type Outcome } from "./outcome.js";
import { randomOf } from "./random.js";
import { describe, Realm } from "./realm.js";
import { harness, headOf, leftOut as leftOut262, type Head } from "./test262.js";
import { asJavaScript, leftOut as leftOutTypeScript } from "./typescript.js";

/** A file to compare, as the parent sends it. */
export interface Task {
  kind: "test262" | "typescript";
  root: string;
  path: string;
  seed: number;
}

/** What came of it. */
export type Told =
  | { leftOut: string }
  | {
      cells: number;
      barred: number;
      difference: string | undefined;
      /** As a single cell it is as the file. */
      byCut?: boolean;
      /** It is refused as it should be, but by the check of types. */
      byTypes?: boolean;
      file: string;
    };

const noHead: Head = { flags: [], includes: [], features: [], isRefused: false };

const longestWaitMs = 1_000;

useNode();
const types = cellTypesIn(process.cwd());
types.prepare({ code: "%types off", name: "first.ts", expressions: {} });

/** With a check of types, as in a notebook where nobody has turned it off. Rules of JavaScript itself have numbers below 2000. */
const checked = cellTypesIn(process.cwd());
const rulesOfNames = [2300, 2451, 2440, 18013, 18016, 18028, 18030];

function isRefusedByTypes(text: string): boolean {
  checked.answer({ t: "request", id: 0, kind: "reset", request: {} });
  const prepared = checked.prepare({ code: text, name: "cell_1.ts", expressions: {} });
  if (prepared.ok) return false;
  const codes = [...prepared.error.traceback.join("\n").matchAll(/ - TS(\d+):/g)].map(([, code]) =>
    Number(code),
  );
  return codes.some((code) => code < 2000 || rulesOfNames.includes(code));
}

let stray: string[] = [];
process.on("unhandledRejection", (reason) => stray.push(nameOf(reason)));
process.on("uncaughtException", (error) => stray.push(nameOf(error)));

process.on("message", (task: Task) => void tell(task).then((told) => process.send!(told)));

/** Runs a file as one script and as cells, and compares. */
async function tell({ kind, root, path, seed }: Task): Promise<Told> {
  const text = readFileSync(path, "utf8");
  const parsed = ts.createSourceFile("file.ts", text, ts.ScriptTarget.ESNext, true);
  const head = kind === "test262" ? headOf(text) : noHead;
  const why = kind === "test262" ? leftOut262(path, head) : leftOutTypeScript(path, text, parsed);
  if (why !== undefined) return { leftOut: why };
  const before = kind === "test262" ? harness(root, head) : "";
  const script = kind === "test262" ? text : asJavaScript(text);
  const waits = head.flags.includes("async");
  if (kind === "typescript" && topLevelAwait(parsed))
    return { leftOut: "awaits at top level, as no script can" };
  const asFile = { before, waits, names: declaredNames(parsed) };
  const runFile = (): Promise<Outcome> =>
    run(asFile, (realm) => void realm.script(`"use strict";${script}`, "file.js"));
  const file = await runFile();
  if (file.thrown === "ERR_SCRIPT_EXECUTION_TIMEOUT") return { leftOut: "does not end" };
  if (kind === "test262" && (!head.isRefused || needsUsing(head)) && file.refused === true)
    return { leftOut: "has syntax that this Node does not know" };
  // What V8 refuses as a whole says nothing once it is cut.
  const refused = head.isRefused || file.refused === true;
  const pieces = refused
    ? { cells: [text], barred: 0 }
    : cut(text, parse(text, "file.ts"), randomOf(seed, path.slice(root.length)));
  const asCells = async (cells: readonly string[]): Promise<string | undefined> => {
    const names: string[] = [];
    const outcome = await run({ before, waits, names }, (realm) => inCells(realm, cells, names));
    // Of what later cells declare, a file that was cut short has the functions, and cells have nothing.
    const values = Object.fromEntries(Object.entries(file.values).filter(([name]) => names.includes(name)));
    return difference({ ...file, values }, outcome);
  };
  const found = await asCells(pieces.cells);
  if (found !== undefined && refused && file.thrown === "SyntaxError" && isRefusedByTypes(text))
    return { cells: 1, barred: 0, difference: undefined, byTypes: true, file: "SyntaxError" };
  if (found !== undefined && kind === "typescript" && !refused && isRefusedByTypes(text))
    return { leftOut: "is no TypeScript, by a rule that its parser leaves to its checker" };
  if (found !== undefined && difference(file, await runFile()) !== undefined)
    return { leftOut: "is not the same twice" };
  if (found !== undefined && !refused && isNoModule(script))
    return { leftOut: "has await as a name: a cell may await, so it is none there" };
  const byCut = found !== undefined && pieces.cells.length > 1 && (await asCells([text])) === undefined;
  const how = file.thrown === "" ? "ends" : file.thrown;
  return { cells: pieces.cells.length, barred: pieces.barred, difference: found, byCut, file: how };
}

/** Whether V8 refuses as a module what it takes as a strict script. */
function isNoModule(text: string): boolean {
  const { SourceTextModule } = vm as unknown as { SourceTextModule: new (text: string) => unknown };
  try {
    return !new SourceTextModule(text);
  } catch {
    return true;
  }
}

function needsUsing({ features }: Head): boolean {
  if (!features.includes("explicit-resource-management")) return false;
  try {
    return !new vm.Script("{ using x = null }");
  } catch {
    return true;
  }
}

async function run(
  { before, waits, names }: { before: string; waits: boolean; names: readonly string[] },
  how: (realm: Realm) => unknown,
): Promise<Outcome> {
  stray = [];
  const realm = new Realm();
  const outcome: Outcome = { thrown: "", words: "", printed: realm.printed, values: {} };
  try {
    realm.library(before);
    await how(realm);
  } catch (error) {
    outcome.refused = realm.refused;
    outcome.thrown = nameOf(error);
    outcome.words = String((error as { message?: unknown } | undefined)?.message);
  }
  const until = Date.now() + longestWaitMs;
  const isOver = (): boolean => realm.printed.some((line) => line.startsWith("Test262:Async"));
  do await new Promise((resolve) => setImmediate(resolve));
  while (waits && outcome.thrown === "" && !isOver() && Date.now() < until);
  for (const name of names) {
    const value = realm.valueOf(name);
    if (value !== undefined) outcome.values[name] = value;
  }
  realm.printed.push(...stray.map((name) => `unhandled ${name}`));
  realm.close();
  return outcome;
}

/** Runs cells as a session does, up to the first that fails. */
async function inCells(realm: Realm, cells: readonly string[], names: string[]): Promise<void> {
  types.answer({ t: "request", id: 0, kind: "reset", request: {} });
  const evaluator = realm.cells();
  for (const [i, code] of cells.entries()) {
    if (code.trim() === "") continue;
    names.push(...declaredNames(parse(code, "cell.ts")));
    const name = `cell_${i + 1}.ts`;
    const prepared = types.prepare({ code, name, expressions: {} });
    if (!prepared.ok) throw Object.assign(new Error(prepared.error.evalue), { name: prepared.error.ename });
    const { code: script } = declared(prepared, evaluator.missing(prepared.vars));
    await new Promise<void>((resolve, reject) =>
      evaluator.run(script, name, {}, (result) => {
        if (result.ok) resolve();
        else if ("thrown" in result) reject(result.thrown as Error);
        else reject(Object.assign(new Error(result.syntaxError), { name: "SyntaxError" }));
      }),
    );
    evaluator.release();
  }
}

function nameOf(error: unknown): string {
  try {
    if ((typeof error !== "object" && typeof error !== "function") || error === null)
      return `thrown ${describe(error)}`;
    const { name, constructor } = error as { name?: unknown; constructor?: { name?: unknown } };
    const { code } = error as { code?: unknown };
    if (code === "ERR_SCRIPT_EXECUTION_TIMEOUT") return code;
    return String(name ?? constructor?.name ?? "thrown object");
  } catch {
    return "thrown object";
  }
}
