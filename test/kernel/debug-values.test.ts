import assert from "node:assert/strict";
import type { JsonObject } from "turnwise-kernel";
import { debuggerOf } from "./debugging.js";
import { plain, resultText, sharedKernel, streamText, temporaryFolder } from "./with-kernel.js";

interface Shown {
  name: string;
  value: string;
  variablesReference: number;
}

describe("a variable inspector", function () {
  this.timeout(60_000);
  const kernel = sharedKernel();
  const { ask, body } = debuggerOf(kernel);
  const listed = async (): Promise<Shown[]> =>
    (await body<{ variables: Shown[] }>("inspectVariables")).variables;

  it("lists and shows what the cells have declared before any debugger has started", async () => {
    assert.deepEqual(await listed(), []);
    await kernel().execute("const rate: number = .5; let grid = { size: [4, 4] }; class Agent { id = 7 }");
    assert.equal((await body("debugInfo")).isStarted, false);
    assert.deepEqual(
      (await listed()).map(({ name, value }) => [name, value]),
      [
        ["rate", "0.5"],
        ["grid", "Object"],
        ["Agent", "class Agent { id = 7 }"],
      ],
    );
    const { data } = await body<{ data: JsonObject }>("richInspectVariables", { variableName: "grid" });
    assert.equal(data["text/plain"], "{ size: [ 4, 4 ] }");
    const missing = await ask("richInspectVariables", { variableName: "nowhere" });
    assert.equal(missing.message, "ReferenceError: nowhere is not defined");
  });

  it("shows a value as the cell would, with all of its media types", async () => {
    await kernel().execute(
      'const card = { [Symbol.for("Jupyter.display")]: () => ({ "text/html": "<b>9</b>", "text/plain": "9" }) }',
    );
    const { data } = await body<{ data: JsonObject }>("richInspectVariables", { variableName: "card" });
    assert.deepEqual(data, { "text/html": "<b>9</b>", "text/plain": "9" });
  });

  it("does not keep a value that it has shown alive", async () => {
    await kernel().execute("let big: object | undefined = { size: 1 }; const ref = new WeakRef(big)");
    await listed();
    await body("richInspectVariables", { variableName: "big" });
    await kernel().execute("big = undefined");
    await listed();
    const collected = await kernel().execute(
      "require('node:v8').setFlagsFromString('--expose-gc'); const gc = require('node:vm').runInNewContext('gc'); " +
        "let turns = 0; for (; turns < 50; turns++) { gc(); if (!ref.deref()) break; await new Promise(r => setTimeout(r, 2)) }\nturns < 50",
    );
    assert.equal(resultText(collected), "true");
  });

  it("sets a variable of the notebook, and a member of a value", async () => {
    await kernel().execute("let steps = 3; const frozen = Object.freeze({ a: 1 })");
    const set = await body("setVariable", {
      variablesReference: 0,
      name: "steps",
      value: "(steps as number) * 2",
    });
    assert.deepEqual([set.value, set.variablesReference], ["6", 0]);
    const grid = (await listed()).find(({ name }) => name === "grid")!;
    await body("setVariable", {
      variablesReference: grid.variablesReference,
      name: "size",
      value: "{ w: 2 }",
    });
    assert.equal(resultText(await kernel().execute("[steps, grid]")), "[ 6, { size: { w: 2 } } ]");
    const frozen = (await listed()).find(({ name }) => name === "frozen")!;
    const refused = await ask("setVariable", {
      variablesReference: frozen.variablesReference,
      name: "a",
      value: "2",
    });
    assert.equal(refused.message, "TypeError: Cannot assign to read only property 'a' of object '#<Object>'");
    const stale = await ask("setVariable", { variablesReference: 999, name: "a", value: "2" });
    assert.equal(
      stale.message,
      "Cannot set a: its reference must be one of a scope or value that was shown, got 999.",
    );
  });
});

describe("a debugger at a breakpoint", function () {
  this.timeout(60_000);
  const kernel = sharedKernel();
  const { ask, body, next, scope, reference, breakAt } = debuggerOf(kernel);
  before(() => body("initialize"));

  it("evaluates TypeScript: assertions, type arguments, annotations, an enum", async () => {
    const code = "function twice(n: number): number {\n  return n * 2;\n}\ntwice(4)";
    await kernel().execute("const first = <T,>(list: T[]): T => list[0]!; enum Mode { Off, On }");
    await breakAt(code, 2);
    const running = kernel().execute(code);
    await next("stopped");
    // Without erasure `first<number>([n])` would compare, and the others would be syntax errors.
    const values: string[] = [];
    for (const expression of [
      "(n as number) + 1",
      "first<number>([n])",
      "n!",
      "({ n } satisfies { n: number }).n",
      "((m: number): number => m - 1)(n)",
      "Mode[Mode.On as Mode]",
    ])
      values.push(String((await body("evaluate", { expression, frameId: 1 })).result));
    assert.deepEqual(values, ["5", "4", "4", "4", "3", '"On"']);
    const wrong = await ask("evaluate", { expression: "n as", frameId: 1 });
    assert.equal(wrong.message, "SyntaxError: Type expected.");
    await body("continue");
    assert.equal(resultText(await running), "8");
  });

  it("sets variables of a block, a function, what encloses it, and the notebook", async () => {
    await kernel().execute("let factor = 10");
    const code = [
      "function outer(seed: number) {",
      "  return (n: number) => {",
      "    { const block = 1; n += block;",
      "      return n * seed * factor; }",
      "  };",
      "}",
      "outer(2)(3)",
    ].join("\n");
    await breakAt(code, 4);
    const running = kernel().execute(code);
    await next("stopped");
    const set = async (place: string, name: string, value: string): Promise<unknown> =>
      (await body("setVariable", { variablesReference: await reference(place), name, value })).value;
    assert.equal(await set("Locals", "n", "n + 1 as number"), "5");
    assert.equal(await set("Closure (outer)", "seed", "seed * 10"), "20");
    assert.equal(await set("Cells", "factor", "3"), "3");
    assert.equal((await scope("Locals")).n, "5");
    assert.equal((await body("evaluate", { expression: "n", frameId: 1 })).result, "5");
    await body("continue");
    // n = 3 + 1 + 1, seed = 2 * 10, factor = 3.
    assert.equal(resultText(await running), "300");
    assert.equal(resultText(await kernel().execute("factor")), "3");
  });
});

describe("a debugger that stops at uncaught errors", function () {
  this.timeout(60_000);
  const folder = temporaryFolder();
  const kernel = sharedKernel(() => ({ cwd: folder() }));
  const { body, next, where } = debuggerOf(kernel);
  before(async () => {
    await body("initialize");
    await body("setExceptionBreakpoints", { filters: ["uncaught"] });
  });

  /** The line and the text at which a cell stops; it must end with that error. */
  async function stopsAt(code: string): Promise<[line: number, text: unknown]> {
    const running = kernel().execute(code);
    const { reason, text } = await next("stopped");
    assert.equal(reason, "exception");
    const { line } = await where();
    await body("continue");
    const { error } = await running;
    // The cell may add what to do about it.
    const told = `${error?.ename}: ${error?.evalue}`;
    assert.ok(told.startsWith(String(text)), told);
    return [line, text];
  }

  it("stops at a throw of a cell and of a function that it calls", async () => {
    assert.deepEqual(await stopsAt("const n = 1;\nthrow new RangeError('here')"), [2, "RangeError: here"]);
    assert.deepEqual(await stopsAt("function f(n: number) {\n  throw new Error('in f');\n}\nf(1)"), [
      2,
      "Error: in f",
    ]);
    const missing = await stopsAt("1\n\nrequire('node:fs').readFileSync('/nowhere')");
    assert.deepEqual(missing, [3, "Error: ENOENT: no such file or directory, open '/nowhere'"]);
    assert.deepEqual(await stopsAt("let z = 1\n\nJSON.parse('{')"), [
      3,
      "SyntaxError: Expected property name or '}' in JSON at position 1" +
        (process.version.startsWith("v20") ? "" : " (line 1 column 2)"),
    ]);
  });

  it("stops after a wait, in an async function, and where a promise is rejected", async () => {
    await kernel().execute(
      "async function late(text: string) {\n  await new Promise((r) => setTimeout(r, 2));\n  throw new Error(text);\n}",
    );
    assert.deepEqual(await stopsAt("await late('awaited')"), [3, "Error: awaited"]);
    assert.deepEqual(await stopsAt("await 0;\nthrow new Error('cell')"), [2, "Error: cell"]);
    const rejects = "await new Promise((_, reject) =>\n  setTimeout(() =>\n    reject(new Error('no')), 2))";
    assert.deepEqual(await stopsAt(rejects), [3, "Error: no"]);
    assert.deepEqual(await stopsAt("await Promise.all([\n  late('all')])"), [3, "Error: all"]);
  });

  it("stops where a catch or a finally throws again, and tells what was thrown", async () => {
    assert.deepEqual(
      await stopsAt(
        "try {\n  null!.x\n} catch {\n  throw new Error('again')\n}".replace("null!.x", "(null as any).x"),
      ),
      [4, "Error: again"],
    );
    const running = kernel().execute("try { throw new TypeError('kept') } finally { 1 }");
    await next("stopped");
    assert.deepEqual(await body("exceptionInfo", { threadId: 1 }), {
      exceptionId: "TypeError",
      description: "TypeError: kept",
      breakMode: "unhandled",
    });
    await body("continue");
    assert.equal((await running).error!.evalue, "kept");
  });

  it("passes what cells and libraries catch, and says nothing of it", async () => {
    const quiet = [
      "let seen = 0; const nowhere: string = './nowhere.js'",
      "try { throw new Error('a') } catch { seen++ }",
      "try { [1].map(() => { throw new Error('b') }) } catch { seen++ }",
      "try { await late('c') } catch { seen++ }",
      "await late('d').catch(() => { seen++ })",
      "await late('e').then(() => 0, () => { seen++ })",
      "async function tries() { try { await late('f') } catch { seen++ } }\nawait tries()",
      "try { require(nowhere) } catch { seen++ }",
      "await import(nowhere).catch(() => { seen++ })",
      "await require('node:fs/promises').readFile('/nowhere').catch(() => { seen++ })",
      "for (let i = 0; i < 200; i++) try { JSON.parse('{') } catch { seen++ }",
      "seen",
    ].join("\n");
    let told = 0;
    kernel().onMessage(({ header }) => {
      if (header.msg_type === "debug_event") told++;
    });
    // Nine of their own, and 200.
    assert.equal(resultText(await kernel().execute(quiet)), "209");
    assert.equal(told, 0);
  });

  it("stops in a timer that no cell waits for", async () => {
    const running = kernel().execute(
      "setTimeout(() => {\n  throw new Error('tick') }, 1); await new Promise((r) => setTimeout(r, 50))",
    );
    assert.equal((await next("stopped")).text, "Error: tick");
    assert.equal((await where()).line, 2);
    await body("continue");
    assert.match(plain([streamText(await running, "stderr")]), /^Uncaught Error: tick\n/);
  });

  it("can be interrupted there, and stops no more once the filter is gone", async () => {
    const running = kernel().execute("throw new Error('held')");
    await next("stopped");
    await kernel().interrupt();
    assert.equal((await running).error!.evalue, "held");
    await body("setExceptionBreakpoints", { filters: [] });
    assert.equal((await kernel().execute("throw new Error('free')")).error!.evalue, "free");
    assert.deepEqual((await body("debugInfo")).stoppedThreads, []);
  });
});
