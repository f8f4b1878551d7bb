import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { KernelClient } from "turnwise-kernel";
import { plain, resultText, sharedKernel, streamText, temporaryFolder, startKernel } from "./with-kernel.js";

describe("what nothing closes", function () {
  this.timeout(60_000);
  const kernel = sharedKernel();

  const cases: [code: string, message: string, frame: string][] = [
    [
      "console.log(1",
      "1:12 - TS1005: ')' expected. Nothing closes this (",
      "  1 | console.log(1\n    |            ^",
    ],
    [
      "const a = [1, 2",
      "1:11 - TS1005: ']' expected. Nothing closes this [",
      "  1 | const a = [1, 2\n    |           ^",
    ],
    [
      "let a = 1\nif (true) {\n  a++\n\n",
      "2:11 - TS1005: '}' expected. Nothing closes this {",
      "  1 | let a = 1\n  2 | if (true) {\n    |           ^",
    ],
    [
      "const t = `open ${1} and\nmore",
      "1:11 - TS1160: Unterminated template literal. Nothing closes this `",
      "  1 | const t = `open ${1} and\n    |           ^",
    ],
    [
      "let b = 1 /* open",
      "1:11 - TS1010: '*/' expected. Nothing closes this /*",
      "  1 | let b = 1 /* open\n    |           ^^",
    ],
    ["f(g(1), [2]", "1:2 - TS1005: ')' expected. Nothing closes this (", "  1 | f(g(1), [2]\n    |  ^"],
  ];
  for (const policy of ["", "// @ts-nocheck\n"]) {
    for (const [code, message, frame] of cases) {
      const where = policy === "" ? "" : ", in a cell without a check";
      it(`is shown where it is opened: ${JSON.stringify(code)}${where}`, async () => {
        const { error } = await kernel().execute(policy + code);
        assert.equal(error!.ename, "SyntaxError");
        const moved = (text: string): string =>
          policy === "" ? text : text.replace(/^(\d+)(?=:)/, (line) => String(Number(line) + 1));
        assert.equal(error!.evalue.replace(/^cell_\d+\.ts:/, ""), moved(message));
        if (policy === "") assert.equal(plain(error!.traceback).replace(/^[^\n]*\n/, ""), frame);
      });
    }
  }

  it("comes before errors of types, which often follow from it", async () => {
    const { error } = await kernel().execute("const n: number = 'text'\nconsole.log([n)");
    assert.match(error!.evalue, /^cell_\d+\.ts:2:15 - TS1005: ',' expected/);
  });
});

describe("the stack of an error", function () {
  this.timeout(60_000);
  const kernel = sharedKernel();

  const declared =
    "interface Shape { a: number }\nfunction deep(): never {\n  const s: Shape = { a: 1 }; throw new Error(`deep ${s.a}`)\n}\nfunction outer(): void {\n  deep()\n}";
  // From left to right: the throw, the call in outer, the call in the cell.
  const expected = ["deep (cell_1.ts:3:36)", "outer (cell_1.ts:6:3)"];

  before(async () => {
    const result = await kernel().execute(declared);
    assert.equal(result.status, "ok", plain(result.error?.traceback));
  });

  const frames = (text: string): string[] =>
    text.split("\n").flatMap((line) => /^\s*at (?:async )?(.*)$/.exec(line)?.[1] ?? []);

  const uses: [what: string, code: string, last: string][] = [
    ["that is logged", "try { outer() } catch (e) { console.error(e) }", ":1:7"],
    ["that a cell reads", "try { outer() } catch (e) { console.log((e as Error).stack) }", ":1:7"],
    ["that is a result", "let kept: unknown; try { outer() } catch (e) { kept = e }\nkept", ":1:26"],
    ["inside of a result", "let inner: unknown; try { outer() } catch (e) { inner = [e] }\ninner", ":1:27"],
    ["that nothing catches", "outer()", ":1:1"],
  ];
  for (const [what, code, last] of uses) {
    it(`${what} holds the cells' own lines, and none of the kernel`, async () => {
      const result = await kernel().execute(code);
      const text = `${streamText(result, "stderr")}${streamText(result)}${resultText(result) ?? ""}${plain(result.error?.traceback)}`;
      assert.deepEqual(frames(text), [...expected, `cell_${result.executionCount}.ts${last}`], text);
    });
  }

  it("of console.trace ends at the cell", async () => {
    const result = await kernel().execute("console.trace('here')");
    assert.deepEqual(frames(streamText(result, "stderr")), [`cell_${result.executionCount}.ts:1:9`]);
  });

  it("stays right where the cell has put a function of its own instead of the kernel's", async () => {
    const result = await kernel().execute(
      "// @ts-nocheck\nconst before = Error.prepareStackTrace\nError.prepareStackTrace = undefined\nlet own: unknown; try { outer() } catch (e) { own = e; e.stack }\nError.prepareStackTrace = before\nthrow own",
    );
    assert.deepEqual(frames(plain(result.error!.traceback)).slice(0, 2), expected);
  });

  it("of a failed promise of Node, which may have no frame, holds the line that awaits it", async () => {
    const result = await kernel().execute(
      "import { readFile } from 'node:fs/promises'\nasync function open(): Promise<string> {\n  return await readFile('/not/there', 'utf8')\n}\nawait open()",
    );
    const cell = `cell_${result.executionCount}.ts`;
    const found = frames(plain(result.error!.traceback)).filter((frame) => frame.includes("cell_"));
    assert.match(found[0]!, new RegExp(`(^|\\()${cell}:3:10\\)?$`));
    assert.match(plain(result.error!.traceback), /3 \| {3}return await readFile[^\n]*\n {4}\| {10}\^/);
  });

  it("is shown in the cell that awaits in a cell of TypeScript's printer, too", async () => {
    const result = await kernel().execute(
      "enum Mode { Read }\nimport { open } from 'node:fs/promises'\n\nawait open('/not/there', Mode.Read)",
    );
    assert.match(plain(result.error!.traceback), /4 \| await open\('\/not\/there', Mode.Read\)\n {4}\| \^/);
  });

  it("of an error that is its own cause is told once", async () => {
    const { error } = await kernel().execute(
      "const round: Error & { cause?: unknown } = new Error('round'); round.cause = round; throw round",
    );
    const lines = plain(error!.traceback).split("\n");
    assert.deepEqual(lines.slice(-2), ["Caused by:", "Error again, as above"]);
  });

  const untold = "a value that cannot be shown, since looking at it throws";
  const hostile: [what: string, code: string, evalue: string][] = [
    [
      "a proxy that is revoked",
      "const { proxy, revoke } = Proxy.revocable({}, {}); revoke(); throw proxy",
      untold,
    ],
    [
      "an error whose stack throws",
      "const bad = new Error('no stack'); Object.defineProperty(bad, 'stack', { get() { throw 1 } }); throw bad",
      "no stack",
    ],
    [
      "an error whose message throws",
      "const worse = new Error(''); Object.defineProperty(worse, 'message', { get() { throw 1 } }); throw worse",
      "its message cannot be read",
    ],
    ["an object that has no prototype", "throw Object.create(null)", "[Object: null prototype] {}"],
  ];
  for (const [what, code, evalue] of hostile) {
    it(`of ${what} ends the cell, and the next one runs`, async () => {
      const { error } = await kernel().execute(`// @ts-nocheck\n${code}`);
      assert.equal(error!.evalue, evalue);
      assert.equal(resultText(await kernel().execute("1 + 1")), "2");
    });
  }

  it("of a cell that does not compile points at what V8 refuses", async () => {
    const { error } = await kernel().execute("// @ts-nocheck\nlet twice = 1\nlet twice = 2");
    assert.equal(error!.evalue, "Identifier 'twice' has already been declared");
    assert.match(plain(error!.traceback), /3 \| let twice = 2\n {4}\| {5}\^$/);
  });
});

describe("a local file that cannot be imported", function () {
  this.timeout(60_000);
  const folder = temporaryFolder();
  let kernel: KernelClient;
  before(async () => {
    const files: Record<string, string> = {
      "lib/open.ts": "export const a = 1\nexport const b = (1 +\n",
      "outer.ts": "export { a } from './lib/open'",
      "bad.mjs": "export const a = 1\nexport const = 2\n",
      "outer.mjs": "export { a } from './bad.mjs'\n",
      "bad.cjs": "exports.a = 1\nexports.b = = 2\n",
      "bad.json": '{ "a": 1,\n  "b": }\n',
      "throws.ts":
        "interface Long {\n  a: number\n}\nexport const fails = (): never => { throw new Error('there') }\n",
    };
    mkdirSync(join(folder(), "lib"));
    for (const [path, text] of Object.entries(files)) writeFileSync(join(folder(), path), text);
    kernel = await startKernel({ cwd: folder() });
  });
  after(() => kernel.shutdown());

  const open = "2, column 18: ')' expected. Nothing closes this (";
  const places: [imported: string, file: string, place: string, frame: string][] = [
    ["./lib/open", "lib/open.ts", open, "  2 | export const b = (1 +\n    |                  ^"],
    ["./outer", "lib/open.ts", open, "  2 | export const b = (1 +\n    |                  ^"],
    [
      "./bad.mjs",
      "bad.mjs",
      "2, column 14: Variable declaration expected.",
      "  2 | export const = 2\n    |              ^",
    ],
    [
      "./outer.mjs",
      "bad.mjs",
      "2, column 14: Variable declaration expected.",
      "  2 | export const = 2\n    |              ^",
    ],
    [
      "./bad.cjs",
      "bad.cjs",
      "2, column 13: Expression expected.",
      "  2 | exports.b = = 2\n    |             ^",
    ],
    ["./bad.json", "bad.json", "2, column 8: Expression expected.", '  2 |   "b": }\n    |        ^'],
  ];
  for (const [imported, file, place, frame] of places) {
    it(`is named with line and column: ${file} by ${imported}`, async () => {
      const { error } = await kernel.execute(`// @ts-nocheck\nimport ${JSON.stringify(imported)}`);
      const name = file.split("/").at(-1)!;
      assert.equal(error!.ename, "SyntaxError");
      assert.equal(error!.evalue, `Cannot import ${name}: it has a syntax error: line ${place}`);
      const text = plain(error!.traceback);
      assert.ok(text.includes(`\n${frame}\n`), text);
      const [line, column] = /^(\d+), column (\d+)/.exec(place)!.slice(1);
      assert.ok(text.includes(`at ${join(folder(), file)}:${line}:${column}`), text);
    });
  }

  it("or that throws is shown with its own lines, also where it is logged", async () => {
    const result = await kernel.execute(
      "import { fails } from './throws'\ntry { fails() } catch (e) { console.log((e as Error).stack) }\nfails()",
    );
    const place = `at fails (${join(folder(), "throws.ts")}:4:43)`;
    assert.ok(streamText(result).includes(place), streamText(result));
    assert.ok(plain(result.error!.traceback).includes(place));
    assert.match(plain(result.error!.traceback), /throws\.ts:4\n {2}3 \| }\n {2}4 \| export const fails/);
  });
});

describe("an error that is larger than a notebook", function () {
  this.timeout(60_000);
  const kernel = sharedKernel({ env: { ...process.env, TURNWISE_TYPES: "off" } });

  const cases: [code: string, name: string][] = [
    ['throw new Error("m".repeat(5_000_000));', "Error"],
    ['throw new Error("a line of it\\n".repeat(1_000_000));', "Error"],
    ['throw Object.assign(new Error("a"), { name: "N".repeat(1_000_000) });', "N".repeat(200)],
    ['throw Object.assign(new Error("a"), { stack: "    at f (/a.ts:1:1) ".repeat(1_000_000) });', "Error"],
    [
      'throw new AggregateError(Array.from({ length: 50 }, () => new Error("m".repeat(1_000_000))));',
      "AggregateError",
    ],
    ['throw Object.fromEntries(Array.from({ length: 100_000 }, (_, i) => ["key" + i, i]));', "Thrown"],
    ['throw new Error("a", { cause: "c".repeat(5_000_000) });', "Error"],
  ];
  for (const [code, name] of cases)
    it(`is shown by its beginning, and says how much was left out: ${code}`, async () => {
      const { error } = await kernel().execute(code);
      assert.ok(error!.ename.startsWith(name));
      const size = JSON.stringify(error).length;
      assert.ok(size < 300_000, `${size} characters`);
      if (error!.evalue.length > 20_000 || name.startsWith("N"))
        assert.match(JSON.stringify(error), /\.\.\. [\d,]+ more (characters|lines)/);
    });

  it("or thrown later is shown as briefly", async () => {
    const result = await kernel().execute(
      'setTimeout(() => { throw new Error("m".repeat(5_000_000)); }, 1); await new Promise((go) => setTimeout(go, 100));',
    );
    assert.match(streamText(result, "stderr"), /m \.\.\. 4,980,000 more characters/);
  });
});
