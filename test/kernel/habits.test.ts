import assert from "node:assert/strict";
import type { ExecuteResult } from "turnwise-kernel";
import { plain, resultText, sharedKernel, started, streamText } from "./with-kernel.js";

describe("habits of other consoles", function () {
  this.timeout(60_000);
  const kernel = sharedKernel();

  const run = async (code: string, answers: string[] = []): Promise<ExecuteResult & { asked: string[] }> => {
    const asked: string[] = [];
    const result = await kernel().execute(code, {
      onInput: (prompt) => {
        asked.push(prompt);
        return answers.shift() ?? "";
      },
    });
    assert.equal(result.status, "ok", plain(result.error?.traceback));
    return { ...result, asked };
  };
  const refusal = async (code: string): Promise<string | undefined> =>
    (await kernel().execute(code)).error?.evalue;

  describe("earlier values", () => {
    it("are _, __ and ___, and Out and In by the number of their cell", async () => {
      const { executionCount: first } = await run("6 * 7");
      await run("'text'");
      await run("const silent = 1;");
      assert.equal(resultText(await run("[_, __]")), "[ 'text', 42 ]");
      assert.equal(resultText(await run(`[Out[${first}], In[${first}]]`)), "[ 42, '6 * 7' ]");
      assert.equal(resultText(await run(`Out[${first + 2}]`)), undefined);
    });

    it("leave a name alone that the notebook has taken", async () => {
      await run("_ = 'mine'");
      await run("1 + 1");
      assert.equal(resultText(await run("_")), "'mine'");
      await run("let __ = 'declared'");
      await run("1 + 1");
      assert.equal(resultText(await run("__")), "'declared'");
    });

    it("are kept for as many cells as the notebook wants", async () => {
      await run("%config results = 2");
      await run("'one'");
      await run("'two'");
      await run("'three'");
      assert.equal(resultText(await run("Object.values(Out).join()")), "'two,three'");
      await run("%config results = default");
    });
  });

  describe("questions", () => {
    it("wait for their answers without await", async () => {
      const name = await run("const who = prompt('Name?'); 'Hello ' + who", ["Ada"]);
      assert.deepEqual(name.asked, ["Name? "]);
      assert.equal(resultText(name), "'Hello Ada'");
      const initial = await run("prompt('Seeds?', '20')");
      assert.deepEqual(initial.asked, ["Seeds? [20] "]);
      assert.equal(resultText(initial), "'20'");
      const sure = await run("[confirm('Sure?'), confirm('Sure?'), confirm('Sure?')]", ["y", "", "Yes"]);
      assert.deepEqual(sure.asked, Array(3).fill("Sure? [y/N] "));
      assert.equal(resultText(sure), "[ true, false, true ]");
      assert.deepEqual((await run("alert('Read me')")).asked, ["Read me [Enter] "]);
    });

    it("can be interrupted, and are refused where nobody can answer", async () => {
      const { result } = await started(kernel(), "prompt('never')", {
        allowStdin: true,
        onInput: () => new Promise<string>(() => undefined),
      });
      await kernel().interrupt();
      assert.equal((await result).error?.ename, "KernelInterrupt");
      assert.equal(
        await refusal("confirm('?')"),
        "Cannot ask for input: the front end must allow it, but allow_stdin is false.",
      );
    });

    it("are asked by readline on process.stdin, one for each line that is wanted", async () => {
      const result = await run(
        `import { createInterface } from "node:readline/promises";
const rl = createInterface({ input: process.stdin, output: process.stdout });
const one = await rl.question("First? ");
const two = await rl.question("Second? ");
rl.close();
one + "/" + two`,
        ["a", "b"],
      );
      assert.equal(resultText(result), "'a/b'");
      assert.equal(result.asked.length, 2);
      assert.match(streamText(result), /First\? .*Second\? /s);
      const again = await run(
        `const again = createInterface({ input: process.stdin });
const line = await again.question("Third? ");
again.close();
line`,
        ["c"],
      );
      assert.equal(resultText(again), "'c'");
    });
  });

  it("leaves the console by exit and quit, unless the notebook has declared them", async () => {
    for (const word of ["exit", "quit", "exit()", "quit();"]) {
      const { content } = (await run(word)).reply;
      assert.deepEqual(content.payload, [{ source: "ask_exit", keepkernel: false }], word);
    }
    assert.equal(resultText(await run("const quit = () => 'stayed'; quit()")), "'stayed'");
    assert.equal(resultText(await run("quit()")), "'stayed'");
  });

  it("says how to import what Deno imports otherwise, and what is not installed", async () => {
    assert.match(
      (await refusal('import _ from "npm:lodash@4/fp";'))!,
      /TS2307: .* Here the package must be installed: %install lodash@4$/,
    );
    assert.match(
      (await refusal('import { x } from "jsr:@std/path";'))!,
      /Here the package must be installed: %install @jsr\/std__path --@jsr:registry=https:\/\/npm\.jsr\.io, or use what Node has: node:path$/,
    );
    assert.match(
      (await refusal('import { x } from "@no-one/has-this/deep";'))!,
      /TS2307: .* Install it: %install @no-one\/has-this$/,
    );
    assert.equal(
      await refusal('// @ts-nocheck\nawait import("npm:@scope/name")'),
      'Cannot import "npm:@scope/name": the package must be installed: %install @scope/name.',
    );
  });

  describe("completion", () => {
    const complete = async (code: string): Promise<string[]> =>
      (await kernel().request("shell", "complete_request", { code, cursor_pos: code.length })).content
        .matches as string[];

    it("asks the value where its type tells nothing, and never changes anything", async () => {
      await run(
        'const parsed = JSON.parse(\'{ "alpha": { "beta": 1 }, "not a name": 2 }\'); let touched = 0;',
      );
      assert.deepEqual(await complete("parsed."), ["alpha"]);
      assert.deepEqual(await complete("parsed.alpha.be"), ["beta"]);
      await run("process.env.TURNWISE_SAMPLE_NAME = 'x';;");
      assert.deepEqual(await complete("process.env.TURNWISE_SAMPLE"), ["TURNWISE_SAMPLE_NAME"]);
      await run("const act = (): any => { touched++; return { gamma: 1 } };");
      assert.deepEqual(await complete("act()."), []);
      assert.equal(resultText(await run("touched")), "0");
    });

    it("knows the modules of Node and installed packages", async () => {
      assert.deepEqual(await complete('import { createHash } from "node:cry'), ["node:crypto"]);
      assert.ok((await complete('import ts from "types')).includes("typescript"));
    });
  });
});
