import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { startKernel, type KernelClient } from "turnwise-kernel";
import { plain, resultText, runIn, sharedKernel, streamText, temporaryFolder } from "./with-kernel.js";

describe("a notebook whose folder has a tsconfig.json", function () {
  this.timeout(60_000);
  const folder = temporaryFolder();
  let kernel: KernelClient;

  before(async () => {
    const files: Record<string, string> = {
      "tsconfig.json": `{
        // A comment, as TypeScript's own template has many.
        "compilerOptions": {
          "experimentalDecorators": true,
          "jsx": "react",
          "jsxFactory": "h",
          "lib": ["ES2022"],
          "paths": { "@lib/*": ["./lib/*"], "@one": ["./nowhere", "./lib/one.ts"] }
        }
      }`,
      "lib/one.ts": "import { two } from '@lib/two'\nexport const one: number = two - 1",
      "lib/two.ts": "export const two: number = 2",
      "lib/element.tsx":
        "function h(tag: string): string { return tag.toUpperCase() }\nexport const made: string = <b></b> as any",
      "lib/sealed.ts":
        "const seen: unknown[] = []\nfunction note(target: unknown, key: unknown) { seen.push(key) }\nexport class Sealed { @note first = 1 }\nexport { seen }",
    };
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(folder(), path)), { recursive: true });
      writeFileSync(join(folder(), path), text);
    }
    kernel = await startKernel({ cwd: folder() });
  });
  after(() => kernel.shutdown());

  const run = runIn(() => kernel);
  const value = async (code: string): Promise<string | undefined> => resultText(await run(code));

  it("runs decorators as it checks them: with experimentalDecorators, those of old", async () => {
    const code =
      "const keys: string[] = []\nfunction key(_target: object, name: string): void { keys.push(name) }\nclass Marked { @key first = 1; @key second = 2 }\nkeys.join()";
    assert.equal(await value(code), "'first,second'");
    assert.equal(await value("import { seen } from './lib/sealed'\nseen.join()"), "'first'");
  });

  it("finds modules by its paths, from a cell, from a file, and by import()", async () => {
    assert.equal(await value("import { one } from '@one'\nimport { two } from '@lib/two'\none + two"), "3");
    assert.equal(await value("(await import('@lib/one')).one"), "1");
  });

  it("says which module is missing if its paths lead nowhere", async () => {
    const { error } = await kernel.execute("// @ts-nocheck\nimport '@lib/three'");
    assert.equal(error!.evalue, `Cannot find module '@lib/three' from ${folder()}.`);
  });

  it("imports a .tsx file, and runs JSX in a cell, checked", async () => {
    assert.equal(await value("import { made } from './lib/element'\nmade"), "'B'");
    const h =
      "function h(tag: string, _o: unknown, ...inner: string[]): string { return `${tag}(${inner})` }\n";
    const types =
      "declare global { namespace JSX { type Element = string; interface IntrinsicElements { b: object } } }\n";
    assert.equal(await value(`${types}${h}const shown: string = <b>bold</b>\nshown`), "'b(bold)'");
    assert.equal(await value("shown.length"), "7");
    const { error } = await kernel.execute("const wrong: number = <b>bold</b>");
    assert.equal(error!.evalue, "cell_9.ts:1:7 - TS2322: Type 'string' is not assignable to type 'number'.");
  });

  it("offers what its lib has, and nothing more", async () => {
    const { error } = await kernel.execute("[3, 1].toSorted()");
    assert.match(error!.evalue, /TS2550: Property 'toSorted' does not exist/);
  });

  it("resolves by import.meta.resolve what it imports: by its paths, and by address", async () => {
    const at = (name: string): string => pathToFileURL(join(folder(), name)).href;
    const resolved = async (specifier: string): Promise<string> =>
      streamText(await run(`console.log(import.meta.resolve(${JSON.stringify(specifier)}))`)).trim();
    assert.equal(await resolved("@one"), at("lib/one.ts"));
    assert.equal(await resolved("@lib/two"), at("lib/two.ts"));
    assert.equal(await resolved(at("lib/two")), at("lib/two.ts"));
    assert.equal(await resolved("./lib/two"), at("lib/two.ts"));
    const { error } = await kernel.execute("import.meta.resolve('@lib/three')");
    assert.match(error!.evalue, /^Cannot find package '@lib\/three' imported from /);
  });
});

describe("a notebook whose folder has no tsconfig.json", function () {
  this.timeout(60_000);
  const folder = temporaryFolder();
  const kernel = sharedKernel(() => ({ cwd: folder() }));

  it("is refused what its Node does not have, by a check that names it", async () => {
    const has = "groupBy" in Object;
    const result = await kernel().execute("Object.keys(Object.groupBy([1, 2, 3], (n) => n % 2)).join()");
    if (has) return assert.equal(resultText(result), "'0,1'");
    assert.equal(
      result.error!.evalue,
      "cell_1.ts:1:20 - TS2550: Property 'groupBy' does not exist on type 'ObjectConstructor'. " +
        `Node ${process.version.slice(1)}, which runs the cells, does not have it.`,
    );
  });

  const newest: [code: string, has: boolean, message: string][] = [
    ["Promise.try(() => 1)", "try" in Promise, "Property 'try' does not exist on type 'PromiseConstructor'."],
    [
      "RegExp.escape('a')",
      "escape" in RegExp,
      "Property 'escape' does not exist on type 'RegExpConstructor'.",
    ],
    ["new Float16Array(1)", "Float16Array" in globalThis, "Cannot find name 'Float16Array'."],
    [
      "Iterator.from([1])",
      "Iterator" in globalThis,
      "'Iterator' only refers to a type, but is being used as a value here.",
    ],
  ];
  for (const [code, has, message] of newest) {
    it(`is told so of ${code}, too, for which TypeScript proposes nothing`, async () => {
      const { error } = await kernel().execute(code);
      const limit = `${message} Node ${process.version.slice(1)}, which runs the cells, does not have it.`;
      if (has) assert.ok(!error?.evalue.includes("which runs the cells"));
      else assert.ok(error!.evalue.endsWith(limit), error!.evalue);
    });
  }

  it("offers what its Node has: every name that the check knows is there", async () => {
    const code = `using held = { [Symbol.dispose]() { console.log("disposed") } }
const names = [[].toSorted, "".isWellFormed, /a/v.unicodeSets, Symbol.dispose]
names.every((one) => one !== undefined)`;
    const result = await kernel().execute(code);
    assert.equal(resultText(result), "true", plain(result.error?.traceback));
    assert.equal(streamText(result), "disposed\n");
  });

  it("imports a .tsx file", async () => {
    writeFileSync(join(folder(), "plain.tsx"), "export const plain: number = 4");
    assert.equal(resultText(await kernel().execute("import { plain } from './plain'\nplain")), "4");
  });
});
