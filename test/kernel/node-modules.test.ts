import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { ExecuteResult } from "turnwise-kernel";
import {
  host,
  plain,
  resultText,
  sharedKernel,
  started,
  streamText,
  temporaryFolder,
} from "./with-kernel.js";

describe("modules of Node in cells", function () {
  this.timeout(60_000);
  const folder = temporaryFolder();
  const kernel = sharedKernel(() => ({ cwd: folder() }));

  const run = async (code: string, answers: string[] = []): Promise<ExecuteResult> => {
    const onInput = (): string => answers.shift() ?? "";
    const result = await kernel().execute(code, { onInput });
    assert.equal(result.status, "ok", plain(result.error?.traceback));
    return result;
  };
  const value = async (code: string, answers: string[] = []): Promise<string | undefined> =>
    resultText(await run(code, answers));
  const refusal = async (code: string): Promise<string | undefined> =>
    (await kernel().execute(`// @ts-nocheck\n${code}`)).error?.evalue;

  describe("node:events", () => {
    it("tells listeners in their order, once where that is asked, and those that have gone no more", async () => {
      await run(`import EventEmitter, { errorMonitor, once, on } from "node:events";
class Agent extends EventEmitter {}
const agent = new Agent();
const heard: string[] = [];
agent.on("turn", (n: number) => heard.push("second " + n));
agent.prependListener("turn", (n: number) => heard.push("first " + n));
agent.once("turn", (n: number) => heard.push("once " + n));
const gone = () => heard.push("gone");
agent.addListener("turn", gone).off("turn", gone);`);
      assert.equal(
        await value(`[agent.emit("turn", 1), agent.emit("turn", 2), agent.emit("other")].join()`),
        "'true,true,false'",
      );
      assert.equal(await value("heard.join()"), "'first 1,second 1,once 1,first 2,second 2'");
      assert.equal(
        await value(
          `[agent.listenerCount("turn"), agent.eventNames().join(), agent instanceof EventEmitter].join()`,
        ),
        "'2,turn,true'",
      );
      assert.equal(await value(`agent.removeAllListeners("turn").emit("turn", 3)`), "false");
    });

    it("throws an error that nobody hears, and lets it be watched", async () => {
      const watched = `let seen = ""; agent.on(errorMonitor, (error: Error) => { seen = error.message; });`;
      await run(watched);
      assert.equal(await refusal(`agent.emit("error", new RangeError("no such turn"))`), "no such turn");
      assert.equal(await value("seen"), "'no such turn'");
      assert.equal(await refusal(`agent.emit("error", "text")`), "Unhandled error. ('text')");
      assert.equal(
        await refusal(`agent.on("turn", 3)`),
        'The "listener" argument must be of type function. Received type number (3)',
      );
    });

    it("gives the next event as a promise, and all of them one after the other, until a signal ends it", async () => {
      assert.equal(
        await value(`setTimeout(() => agent.emit("turn", 1, 2), 5); (await once(agent, "turn")).join()`),
        "'1,2'",
      );
      assert.equal(
        await refusal(
          `setTimeout(() => agent.emit("error", new Error("lost")), 5); await once(agent, "turn")`,
        ),
        "lost",
      );
      assert.equal(
        await value(`const ender = new AbortController();
const all: unknown[] = [];
setTimeout(() => { agent.emit("turn", 1); agent.emit("turn", 2); ender.abort(); }, 5);
try {
  for await (const [n] of on(agent, "turn", { signal: ender.signal })) all.push(n);
} catch (error) {
  all.push((error as Error).name);
}
all.join()`),
        "'1,2,AbortError'",
      );
      assert.equal(await value(`agent.listenerCount("turn")`), "0");
    });

    it("is what old code makes without new", async () => {
      assert.equal(
        await value(`// @ts-nocheck
const Emitter = require("events");
function Old() { Emitter.call(this); }
Object.setPrototypeOf(Old.prototype, Emitter.prototype);
const old = new Old();
let told = 0;
old.on("x", (n) => { told = n; });
old.emit("x", 7);
told`),
        "7",
      );
    });
  });

  describe("node:readline", () => {
    it("asks by a callback, and tells lines as events, behind the prompt", async () => {
      const asked = await run(
        `import * as readline from "node:readline";
const lines = readline.createInterface({ input: process.stdin, output: process.stdout, prompt: "next> " });
const who = await new Promise<string>((resolve) => lines.question("Who? ", resolve));
lines.prompt();
const [said] = (await once(lines, "line")) as [string];
lines.close();
who + " " + said`,
        ["Ada", "hello"],
      );
      assert.equal(resultText(asked), "'Ada hello'");
      assert.match(streamText(asked), /Who\? .*next> /s);
    });

    it("gives lines one after the other, until it is closed", async () => {
      assert.equal(
        await value(
          `const many = readline.createInterface({ input: process.stdin });
const got: string[] = [];
for await (const line of many) {
  if (line === "") break;
  got.push(line);
}
many.close();
got.join()`,
          ["a", "b", ""],
        ),
        "'a,b'",
      );
      assert.equal(await refusal(`many.question("More? ", () => {})`), "readline was closed");
    });

    it("can be interrupted while it waits, and asks again in a later cell", async () => {
      const { result } = await started(
        kernel(),
        `const { createInterface: promised } = await import("node:readline/promises");
const slow = promised({ input: process.stdin, output: process.stdout });
await slow.question("Never? ")`,
        { allowStdin: true, onInput: () => new Promise<string>(() => undefined) },
      );
      await kernel().interrupt();
      assert.equal((await result).error?.ename, "KernelInterrupt");
      const again = "const later = promised({ input: process.stdin }); await later.question('?')";
      assert.equal(await value(again, ["now"]), "'now'");
    });

    it("says that the front end cannot ask", async () => {
      // The question waits for ever: the cell is interrupted as soon as it has said why.
      const { result } = await started(
        kernel(),
        "const unheard = promised({ input: process.stdin, output: process.stdout }); await unheard.question('?')",
        {
          onMessage: ({ content }) => {
            if (content.name === "stderr") void kernel().interrupt();
          },
        },
      );
      assert.match(
        streamText(await result, "stderr"),
        /Cannot ask for input: the front end must allow it, but allow_stdin is false\./,
      );
    });
  });

  describe("node:assert", () => {
    it("compares values deeply, strictly or not", async () => {
      await run('import assert from "node:assert"; import strict from "node:assert/strict"');
      await run(`assert.deepEqual({ a: [1, "2"] }, { a: ["1", 2] });
strict.deepEqual(new Map([[{ k: 1 }, new Set([1, [2]])]]), new Map([[{ k: 1 }, new Set([1, [2]])]]));
strict.deepEqual([new Date(5), /x/g, Float32Array.of(NaN, 1)], [new Date(5), /x/g, Float32Array.of(NaN, 1)]);
const ring: { own?: object } = {}; ring.own = ring;
const other: { own?: object } = {}; other.own = other;
strict.deepEqual(ring, other);
strict.notDeepEqual([0], [-0]);
strict.notDeepEqual([1, , 3], [1, undefined, 3]);
strict.notDeepEqual({ a: undefined }, {});
strict.notDeepEqual(new Set([1, 2]), new Set([1, 3]));
strict.notDeepEqual(new (class A {})(), {});
assert.equal(1, "1" as unknown);`);
      assert.match(
        (await refusal("strict.deepEqual({ a: 1, b: 2 }, { a: 1, b: 3 })"))!,
        /^Expected values to be strictly deep-equal:\n\+ actual - expected\n[^]*\n {4}a: 1,\n\+ {3}b: 2\n- {3}b: 3\n/,
      );
      assert.equal(await refusal("strict.equal(1, 2)"), "Expected values to be strictly equal:\n\n1 !== 2\n");
      assert.equal(await refusal("assert.equal(1, 2)"), "1 == 2");
      assert.equal(await refusal("assert.ok(false, 'my own words')"), "my own words");
    });

    it("says what a function must throw, and a promise", async () => {
      await run(`const bad = () => { throw new RangeError("too far"); };
assert.throws(bad, RangeError);
assert.throws(bad, /too far/);
assert.throws(bad, { name: "RangeError", message: /far/ });
assert.throws(bad, (error: unknown) => error instanceof Error);
await assert.rejects(async () => bad(), { message: "too far" });
strict.match("abc", /b/);`);
      assert.equal(await refusal("assert.throws(() => 1)"), "Missing expected exception.");
      assert.equal(
        await refusal("assert.throws(() => 1, TypeError)"),
        "Missing expected exception (TypeError).",
      );
      assert.equal(await refusal("await assert.rejects(Promise.resolve(1))"), "Missing expected rejection.");
      assert.equal(
        await refusal("assert.throws(bad, TypeError)"),
        'The error is expected to be an instance of "TypeError". Received "RangeError"\n\nError message:\n\ntoo far',
      );
      assert.equal(
        await refusal("strict.match('abc', /x/)"),
        "The input did not match the regular expression /x/. Input:\n\n'abc'\n",
      );
      assert.equal(
        await value(
          "let code; try { strict(0, 'zero'); } catch (error) { code = `${(error as assert.AssertionError).code} ${error}`; } code",
        ),
        "'ERR_ASSERTION AssertionError [ERR_ASSERTION]: zero'",
      );
    });
  });

  it("chdir changes the folder in which files are opened, while imports stay with the notebook", async () => {
    mkdirSync(join(folder(), "deep"));
    writeFileSync(join(folder(), "deep", "here.txt"), "found");
    writeFileSync(join(folder(), "beside.ts"), "export const beside = 'the notebook';");
    await run(
      'import process from "node:process"; import { existsSync, readFileSync, writeFileSync } from "node:fs"',
    );
    assert.equal(await value('process.chdir("deep"); process.cwd()'), `'${join(folder(), "deep")}'`);
    assert.equal(await value('readFileSync("here.txt", "utf8")'), "'found'");
    assert.equal(await value('(await import("./beside.ts")).beside'), "'the notebook'");
    assert.equal(
      await value('writeFileSync("made.txt", ""); process.chdir(".."); existsSync("deep/made.txt")'),
      "true",
    );
    assert.match(
      (await refusal('process.chdir("nowhere")'))!,
      /^ENOENT: no such file or directory, chdir '.*' -> '(.*\/)?nowhere'$/,
    );
  });

  it("turns the address of a file into its path, and back", async () => {
    await run('import { fileURLToPath, pathToFileURL, URLSearchParams as Query } from "node:url"');
    assert.equal(await value("pathToFileURL('/a b/c#.txt').href"), "'file:///a%20b/c%23.txt'");
    assert.equal(await value("fileURLToPath('file:///a%20b/c%23.txt')"), "'/a b/c#.txt'");
    assert.equal(
      await value('fileURLToPath(new URL("deep/here.txt", import.meta.url))'),
      `'${join(folder(), "deep", "here.txt")}'`,
    );
    assert.equal(await value("new Query({ seed: '3' }).toString()"), "'seed=3'");
    assert.equal(await refusal("fileURLToPath('ftp://a/b')"), "The URL must be of scheme file");
    assert.equal(await value("(await import(pathToFileURL('beside.ts').href)).beside"), "'the notebook'");
  });

  if (host === "browser")
    it("say what a page cannot do", async () => {
      for (const [code, told] of [
        [
          "require('url').parse('/a')",
          "Cannot parse an address in the old way of Node: Node.js must do that. Use new URL(...).",
        ],
        [
          "require('readline').createInterface({ input: 'text' })",
          "Cannot read lines: input must be process.stdin or another stream, got text.",
        ],
        ["process.exit(1)", "Cannot exit: a process must end, but a web page has none. Restart the kernel."],
        [
          "process.stdin.read()",
          "Cannot read bytes of process.stdin: a page must have them, but it asks for lines. Use readline.",
        ],
        [
          "new (require('events'))({ captureRejections: true })",
          "Cannot make an emitter: captureRejections must be false in a page, got true. Catch in the listener.",
        ],
      ] as const)
        assert.equal(await refusal(code), told);
    });

  it("gives buffers and a clock", async () => {
    assert.equal(
      await value('import { Buffer as Bytes } from "node:buffer"; Bytes.from("Grüße").toString("base64")'),
      "'R3LDvMOfZQ=='",
    );
    assert.equal(
      await value(
        'import { performance as clock } from "node:perf_hooks"; const from = clock.now(); clock.now() >= from',
      ),
      "true",
    );
    assert.equal(await value("Buffer === Bytes && process === globalThis.process"), "true");
  });
});
