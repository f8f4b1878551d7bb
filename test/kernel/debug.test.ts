import assert from "node:assert/strict";
import { murmur2 } from "turnwise-kernel/dist/session/node/debug/murmur2.js";
import type { JsonObject } from "turnwise-kernel";
import { debuggerOf } from "./debugging.js";
import { resultText, sharedKernel, streamText } from "./with-kernel.js";

describe("Murmur2", () => {
  it("gives the hashes by which front ends name cells", () => {
    // Computed with ipykernel 7.4 (ipykernel.compiler.murmur2_x86, seed 0xc70f6907).
    const seed = 0xc70f6907;
    assert.deepEqual(
      ["", "a", "ab", "abc", "abcd", "x = 1\ny = 2", "naïve – \u{1f600}"].map((text) => murmur2(text, seed)),
      [3990065800, 2167009006, 2805137849, 3350977461, 804720481, 3169793168, 2995828193],
    );
  });
});

describe("a debugger", function () {
  this.timeout(60_000);
  const kernel = sharedKernel();
  const { ask, body, next, where, scope, breakAt } = debuggerOf(kernel);

  it("is described before it has started, and refuses what it does not know", async () => {
    const info = await body("debugInfo");
    assert.equal(info.isStarted, false);
    assert.equal(info.hashMethod, "Murmur2");
    assert.deepEqual(info.stoppedThreads, []);
    const code = "let described = 1";
    const { sourcePath } = await body("dumpCell", { code });
    assert.equal(
      sourcePath,
      `${String(info.tmpFilePrefix)}${murmur2(code, info.hashSeed as number)}${String(info.tmpFileSuffix)}`,
    );
    const unknown = await ask("frobnicate");
    assert.equal(unknown.success, false);
    assert.equal(unknown.message, "The debugger does not know frobnicate");
    // A name that every object has is no command either.
    for (const name of ["constructor", "toString", "__proto__", "hasOwnProperty"])
      assert.deepEqual((({ success, message }) => ({ success, message }))(await ask(name)), {
        success: false,
        message: `The debugger does not know ${name}`,
      });
    const early = await ask("next");
    assert.equal(early.message, "Cannot continue: the program must have stopped, but it is running.");
  });

  it("stops at a breakpoint of a TypeScript cell, shows its variables, steps, and goes on", async () => {
    await body("initialize", { clientID: "test" });
    await body("attach");
    const code = [
      "interface Point { x: number; y: number }",
      "function norm(p: Point): number {",
      "  const square: number = p.x ** 2 + p.y ** 2;",
      "  return Math.sqrt(square);",
      "}",
      "const lengths: number[] = [];",
      "lengths.push(norm({ x: 3, y: 4 }));",
      "lengths",
    ].join("\n");
    const path = await breakAt(code, 4);
    await body("configurationDone");
    const running = kernel().execute(code);
    assert.deepEqual(await next("stopped"), { reason: "breakpoint", threadId: 1, allThreadsStopped: true });
    assert.deepEqual(await where(), { line: 4, name: "norm", path });
    const locals = await scope("Locals");
    assert.equal(locals.square, "25");
    const evaluated = await body("evaluate", { expression: "square + p.x", frameId: 1 });
    assert.equal(evaluated.result, "28");
    const wrong = await ask("evaluate", { expression: "nothingThere", frameId: 1 });
    assert.equal(wrong.message, "ReferenceError: nothingThere is not defined");
    const rich = await body<{ data: JsonObject }>("richInspectVariables", { variableName: "p", frameId: 1 });
    assert.equal(rich.data["text/plain"], "{ x: 3, y: 4 }");
    assert.deepEqual((await body("debugInfo")).stoppedThreads, [1]);

    await body("stepOut");
    await next("stopped");
    assert.equal((await where()).line, 7);
    await body("next");
    assert.equal((await next("stopped")).reason, "step");
    assert.equal((await where()).line, 8);
    await body("continue");
    await next("continued");
    assert.equal(resultText(await running), "[ 5 ]");
    assert.deepEqual(await body("source", { source: { path } }), {
      content: code,
      mimeType: "text/typescript",
    });
  });

  it("stops in a function of an earlier cell, and after a wait", async () => {
    const code =
      "async function later(n: number) {\n  await new Promise((r) => setTimeout(r, 5));\n  return n + 1;\n}";
    await kernel().execute(code);
    const path = await breakAt(code, 3);
    const running = kernel().execute("await later(41)");
    await next("stopped");
    assert.deepEqual(await where(), { line: 3, name: "later", path });
    await body("continue");
    assert.equal(resultText(await running), "42");
    await breakAt(code);
    assert.equal(
      resultText(await kernel().execute("await later(1)")),
      "2",
      "a breakpoint that was taken away",
    );
  });

  it("steps out of a function to the end of its cell", async () => {
    const code = "function last(n: number): number {\n  return n * 2;\n}\nlast(4)";
    const path = await breakAt(code, 2);
    const running = kernel().execute(code);
    await next("stopped");
    await body("stepOut");
    await next("stopped");
    assert.deepEqual([(await where()).line, (await where()).path], [4, path]);
    await body("continue");
    assert.equal(resultText(await running), "8");
  });

  it("finds the lines of a cell that is down-leveled", async () => {
    const code =
      "enum Mode { Train, Test }\nconst mode: Mode = Mode.Test;\nconst chosen = Mode[mode];\nchosen";
    const path = await breakAt(code, 3);
    const running = kernel().execute(code);
    await next("stopped");
    assert.deepEqual([(await where()).line, (await where()).path], [3, path]);
    await body("continue");
    assert.equal(resultText(await running), "'Test'");
  });

  it("can be interrupted while halted at a breakpoint in a loop", async () => {
    const code = "let turns = 0;\nfor (;;) {\n  turns += Math.sign(1);\n}";
    await breakAt(code, 3);
    const running = kernel().execute(code);
    await next("stopped");
    await kernel().interrupt();
    assert.equal((await running).error!.ename, "KernelInterrupt");
    assert.equal(resultText(await kernel().execute("turns < 1000")), "true");
  });

  it("lists the variables of the notebook, and their members", async () => {
    await kernel().execute("const box = { a: 1, b: { c: 'text' } }; var old = 2; let never = 1");
    const { variables } = await body<{
      variables: { name: string; value: string; variablesReference: number }[];
    }>("inspectVariables");
    const box = variables.find(({ name }) => name === "box")!;
    const members = await body<{ variables: { name: string; value: string }[] }>("variables", {
      variablesReference: box.variablesReference,
    });
    assert.deepEqual(
      members.variables.map(({ name, value }) => [name, value]),
      [
        ["a", "1"],
        ["b", "Object"],
      ],
    );
    assert.ok(variables.some(({ name, value }) => name === "old" && value === "2"));
    assert.ok(
      !variables.some(({ name }) => name === "process" || name === "display"),
      "only what cells declared",
    );
    const rich = await body<{ data: JsonObject }>("richInspectVariables", { variableName: "box" });
    assert.equal(rich.data["text/plain"], "{ a: 1, b: { c: 'text' } }");
  });

  it("stops at exceptions when it is asked to", async () => {
    await body("setExceptionBreakpoints", { filters: ["all"] });
    const running = kernel().execute("function fails() {\n  throw new Error('here');\n}\nfails()");
    assert.equal((await next("stopped")).reason, "exception");
    assert.deepEqual([(await where()).line, (await where()).name], [2, "fails"]);
    await body("setExceptionBreakpoints", { filters: [] });
    await body("continue");
    assert.equal((await running).error!.evalue, "here");
  });

  it("lets cells run freely after it is gone", async () => {
    const code = "const free = 1;\nconsole.log(free);";
    await breakAt(code, 2);
    await body("disconnect");
    assert.equal((await body("debugInfo")).isStarted, false);
    assert.deepEqual((await body("debugInfo")).breakpoints, []);
    assert.equal(streamText(await kernel().execute(code)), "1\n");
  });
});
