import assert from "node:assert/strict";
import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { host, plain, resultText, runIn, sharedKernel, temporaryFolder } from "./with-kernel.js";

if (host === "node")
  describe("local modules, which are ES modules like cells", function () {
    this.timeout(60_000);
    const folder = temporaryFolder();
    const kernel = sharedKernel(() => ({ cwd: folder() }));
    const run = runIn(kernel);
    const value = async (code: string): Promise<string | undefined> => resultText(await run(code));
    const refusal = async (code: string): Promise<string> => {
      const { error } = await kernel().execute(code);
      assert.ok(error, "the cell must be refused");
      return plain(error.traceback);
    };
    const write = (files: Record<string, string>): void => {
      for (const [name, text] of Object.entries(files)) {
        const path = join(folder(), name);
        mkdirSync(dirname(path), { recursive: true });
        writeFileSync(path, text);
      }
    };

    it("know their place, await at top level, and have packages that can only be imported", async () => {
      write({
        "node_modules/only/package.json":
          '{ "name": "only", "version": "1.0.0", "exports": { ".": { "import": "./only.mjs" } } }',
        "node_modules/only/only.mjs": "export const only = 1;",
        "place.ts": `import { only } from "only";
export const place = [import.meta.url, import.meta.filename, import.meta.dirname, import.meta.resolve("./place.ts")];
export const waited: number = await Promise.resolve(only + 1);`,
      });
      const [url, path] = [pathToFileURL(join(folder(), "place.ts")).href, join(folder(), "place.ts")];
      assert.deepEqual(
        JSON.parse((await value("JSON.stringify((await import('./place')).place)"))!.slice(1, -1)),
        [url, path, folder(), url],
      );
      assert.equal(await value("import { waited } from './place'; waited"), "2");
    });

    it("import what Deno names by npm:, and what a page takes from a server of packages", async () => {
      write({
        "node_modules/named/package.json":
          '{ "name": "named", "version": "1.0.0", "exports": { ".": "./named.mjs", "./part": "./part.mjs" } }',
        "node_modules/named/named.mjs": "export const named = 'npm';",
        "node_modules/named/part.mjs": "export const part = 'page';",
        "names.ts": `// @ts-nocheck
import { named } from "npm:named@1";
import { part } from "https://esm.sh/named@1.0.0/part";
export const found = [named, part, import.meta.resolve("npm:named")].join();`,
      });
      const url = pathToFileURL(join(folder(), "node_modules/named/named.mjs")).href;
      assert.equal(await value("import { found } from './names'; found"), `'npm,page,${url}'`);
      assert.equal(await value("import.meta.resolve('npm:named')"), `'${url}'`);
    });

    it("have the same copy of a package as cells, whatever builds it has", async () => {
      write({
        "node_modules/two/package.json":
          '{ "name": "two", "version": "1.0.0", "exports": { ".": { "import": "./two.mjs", "require": "./two.cjs" } } }',
        "node_modules/two/two.mjs": "export class Doc {}",
        "node_modules/two/two.cjs": "exports.Doc = class Doc {};",
        "makes.ts": "// @ts-nocheck\nimport { Doc } from 'two';\nexport const doc = new Doc();",
        "makes.mjs": "import { Doc } from 'two';\nexport const doc = new Doc();",
      });
      const code = `// @ts-nocheck
import { Doc } from "two";
[(await import("./makes")).doc instanceof Doc, (await import("./makes.mjs")).doc instanceof Doc].join()`;
      assert.equal(await value(code), "'true,true'");
    });

    it("are evaluated again when they have changed, or what they import, and no others", async () => {
      write({
        "kept.ts": "export const kept: object = {};",
        "leaf.ts": "export const leaf: string = 'a';",
        "data.json": '{ "of": "a" }',
        "script.mjs": "export { old } from './old.cjs';\nexport const script = 'a';",
        "old.cjs": "exports.old = require('./older.cjs').older;",
        "older.cjs": "exports.older = 'a';",
        "top.ts": `import { leaf } from "./leaf.js";
import data from "./data.json";
import { old, script } from "./script.mjs";
export { kept } from "./kept";
export const all = [leaf, data.of, script, old].join("");`,
      });
      await run("const first = (await import('./top')).kept");
      const all = async (): Promise<string | undefined> => value("(await import('./top')).all");
      assert.equal(await all(), "'aaaa'");
      write({ "leaf.ts": "export const leaf: string = 'b';" });
      assert.equal(await all(), "'baaa'");
      write({ "data.json": '{ "of": "b" }' });
      assert.equal(await all(), "'bbaa'");
      write({ "script.mjs": "export { old } from './old.cjs';\nexport const script = 'b';" });
      assert.equal(await all(), "'bbba'");
      write({ "older.cjs": "exports.older = 'b';" });
      assert.equal(await all(), "'bbbb'");
      // Saved without a change, as an editor does: nothing is evaluated again.
      write({ "kept.ts": "export const kept: object = {};" });
      assert.equal(await value("(await import('./top')).kept === first"), "true");
    });

    it("that have failed are tried again: repaired, written, or no longer throwing", async () => {
      write({
        "outer.ts": "export * from './inner';\nexport { state } from './state';",
        "inner.ts": "export const inner = ;",
        "state.ts": "export const state: object = {};",
      });
      await run("const state = (await import('./state')).state");
      assert.match(
        await refusal("// @ts-nocheck\nimport './outer'"),
        /Cannot import inner\.ts: it has a syntax error: line 1, column 22/,
      );
      write({ "inner.ts": "export const inner = 1;\nthrow new RangeError('once');" });
      const thrown = await refusal("import { inner as one } from './outer'");
      assert.match(thrown, /^RangeError: once\ninner\.ts:2\n/);
      assert.match(thrown, /at .*inner\.ts:2:7$/);
      rmSync(join(folder(), "inner.ts"));
      assert.match(
        await refusal("// @ts-nocheck\nimport './outer'"),
        /^Error: Cannot find module '\.\/inner' imported from .*outer\.ts\.\nouter\.ts:1\n/,
      );
      write({ "inner.ts": "export const inner: number = 3;" });
      assert.equal(
        await value("import { inner, state as same } from './outer'; [inner, same === state].join()"),
        "'3,true'",
      );
    });

    it("are checked at their import, with those that they import", async () => {
      write({
        "lib/uses.ts": "import { wrong } from './wrong.js';\nexport const uses = wrong;",
        "lib/wrong.ts": "export const right = 1;\nexport const wrong: number = 'text';",
      });
      const told = `lib/wrong.ts:2:14 - TS2322: Type 'string' is not assignable to type 'number'.
  1 | export const right = 1;
  2 | export const wrong: number = 'text';
    |              ^^^^^
imported at cell_CELL.ts:1:22
  1 | import { uses } from './lib/uses'
    |                      ^^^^^^^^^^^^
"// @ts-nocheck" as the first line of lib/wrong.ts, or "%types warn", takes it as it is.`;
      const refused = await refusal("import { uses } from './lib/uses'");
      assert.equal(refused.replace(/cell_\d+/, "cell_CELL"), told);
      assert.equal(await value("// @ts-nocheck\n(await import('./lib/uses')).uses"), "'text'");
      write({ "lib/wrong.ts": "export const wrong: number = 2;" });
      assert.equal(await value("import { uses } from './lib/uses'\nuses"), "2");
    });

    it("are not held to settings that they were not written for", async () => {
      write({
        // Without strictNullChecks, the second return would not be a number.
        "strict.ts": `type Found = { ok: true; value: number } | { ok: false; error: string };
export function read(found: Found): number {
  if (!found.ok) return found.error.length;
  return found.value;
}`,
        "project/tsconfig.json": "{}",
        "project/own.ts": "export const own: number = 'settings of its own';",
      });
      assert.equal(await value("import { read } from './strict'; read({ ok: true, value: 4 })"), "4");
      assert.equal(await value("(await import('./project/own')).own"), "'settings of its own'");
    });

    it("and cells name file and line of a syntax error inside of a package, however deep", async () => {
      write({
        "node_modules/outside/package.json": '{ "name": "outside", "type": "module", "exports": "./all.js" }',
        "node_modules/outside/all.js": "export * from 'inside';",
        "node_modules/inside/package.json": '{ "name": "inside", "type": "module", "exports": "./bad.js" }',
        "node_modules/inside/bad.js": "export const a = 1;\nexport const b = ;",
        "by.ts": "// @ts-nocheck\nexport * from 'outside';",
      });
      for (const name of ["outside", "./by"]) {
        const told = await refusal(`// @ts-nocheck\nimport ${JSON.stringify(name)}`);
        assert.match(told, /Cannot import bad\.js: it has a syntax error: line 2, column 18/);
        assert.match(told, /at .*inside[\\/]bad\.js:2:18$/);
      }
    });

    it("pass on types as if they were values, as files do that are compiled as a whole", async () => {
      write({
        "types.ts":
          "export interface Shape { side: number }\nexport type Name = string;\nexport const three = 3;",
        "passes.ts": `export { Shape, three } from "./types";
import { Name } from "./types";
export { Name };
export enum Kind { Round = 7 }
export namespace Deep { export const n = 5 }`,
      });
      assert.equal(
        await value("import { three, Kind, Deep } from './passes'; [three, Kind.Round, Deep.n].join()"),
        "'3,7,5'",
      );
    });

    it("still have the names of CommonJS where they use them, and may be CommonJS modules", async () => {
      write({
        "uses.ts": "export const at = [require('node:path').basename(__filename), __dirname];",
        "gives.ts": "const given = { five: 5 };\nexport = given;",
        "gives.cts": "export enum Odd { One = 1 }",
        "ruled/package.json": '{ "type": "commonjs" }',
        "ruled/plain.js": "exports.name = module.filename === __filename;",
        "unruled.js": "export const form = typeof exports;",
      });
      assert.equal(await value("import { at } from './uses'; at.join()"), `'uses.ts,${folder()}'`);
      assert.equal(await value("import given from './gives'; given.five"), "5");
      assert.equal(await value("import { Odd } from './gives.cts'; Odd.One"), "1");
      assert.equal(await value("import { name } from './ruled/plain.js'; name"), "true");
      assert.equal(await value("import { form } from './unruled.js'; form"), "'undefined'");
    });

    it("have the Deno of cells where they use it, unless they ask whether there is one", async () => {
      write({
        "deno.ts": "export const read = (): string => Deno.readTextFileSync('told.txt');",
        "told.txt": "told",
        "asks.ts":
          "export const where = typeof Deno === 'undefined' ? 'Node' : Deno.version.deno;\nexport const at = () => Deno.cwd();",
        "tested.ts": "// @ts-nocheck\nexport const one = 1;\nDeno.test('one', () => {});",
      });
      assert.equal(await value("import { read } from './deno'; read()"), "'told'");
      assert.equal(await value("import { where } from './asks'; where"), "'Node'");
      assert.match(await refusal("import { one } from './tested'; one"), /import test from "node:test"/);
    });

    it("may be named as a file system allows, import each other in a ring, and be linked", async () => {
      const odd = process.platform === "win32" ? "grüße #1 100% (c)" : "grüße #1 100% a?b (c)";
      write({
        [`${odd}.ts`]: "export const odd = (): never => {\n  throw new Error('odd');\n};",
        "ring.ts": "import { other } from './ring2';\nexport const ring = (): string => 'r' + other();",
        "ring2.ts": "import { ring } from './ring';\nexport const other = (): string => typeof ring;",
        "folder/index.ts": "export { ring } from '../ring.js';",
      });
      const thrown = await refusal(`import { odd } from ${JSON.stringify(`./${odd}.ts`)}; odd()`);
      assert.ok(thrown.includes(`${odd}.ts:2\n`) && thrown.includes(`${odd}.ts:2:9)`), thrown);
      assert.equal(await value("import { ring } from './folder'; ring()"), "'rfunction'");
      // As code does that wants a module again: a cell has the newest anyway.
      for (const again of ["?1", "#1"])
        assert.equal(
          await value(`(await import("./ring.ts" + ${JSON.stringify(again)})).ring()`),
          "'rfunction'",
        );
      assert.ok(existsSync(join(folder(), "ring.ts")));
    });

    it("see JSON as one value, with attributes or without", async () => {
      write({
        "one.json": '{ "x": 1, "a-b": 2 }',
        "both.ts":
          'import a from "./one.json" with { type: "json" };\nimport b, { x } from "./one.json";\nexport const both = [a, b, x] as const;',
      });
      assert.equal(
        await value(
          "// @ts-nocheck\nimport { both } from './both'; import j from './one.json'; [both[0] === both[1], both[1] === j, both[2]].join()",
        ),
        "'true,true,1'",
      );
    });

    it("may be in several imports at once, and be left while they load for ever", async () => {
      write({
        "slow.ts": "export const slow: object = await new Promise((done) => setImmediate(done, {}));",
        "loops.ts": "console.log('loops');\nwhile (true) {}\nexport const never = 1;",
      });
      assert.equal(
        await value(
          "const two = await Promise.all([import('./slow'), import('./slow')]); two[0].slow === two[1].slow",
        ),
        "true",
      );
      const stopped = await kernel().execute("import { never } from './loops'", {
        onMessage: ({ header }) => {
          if (header.msg_type === "stream") void kernel().interrupt();
        },
      });
      assert.equal(stopped.error?.ename, "KernelInterrupt");
      write({ "loops.ts": "export const never = 2;" });
      assert.equal(await value("(await import('./loops')).never"), "2");
    });
  });
