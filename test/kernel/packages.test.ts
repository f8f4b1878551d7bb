import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { plain, sharedKernel, streamText, temporaryFolder } from "./with-kernel.js";

/** Packages of the forms in which public ones come. */
const packages: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  // ws: an ES module around CommonJS files, whose default has none of the other names.
  wrapped: {
    "package.json": '{"exports":{"import":"./wrapper.mjs","require":"./index.js"}}',
    "socket.js": "module.exports = class Socket {};",
    "server.js": "module.exports = class Server {};",
    "index.js": "module.exports = Object.assign(require('./socket'), { Server: require('./server') });",
    "wrapper.mjs":
      "import Socket from './socket.js'; import Server from './server.js'; export { Socket, Server }; export default Socket;",
  },
  // rxjs, zeromq, graphql: compiled from ES modules that have no default.
  flagged: {
    "package.json": '{"main":"main.js"}',
    "main.js":
      "Object.defineProperty(exports, '__esModule', { value: true }); exports.of = 1; exports.map = 2;",
  },
  plain: { "package.json": '{"main":"main.js"}', "main.js": "exports.a = 1; exports.b = [2];" },
  callable: {
    "package.json": '{"main":"main.js"}',
    "main.js": "module.exports = () => 'called'; module.exports.also = 3;",
  },
  modern: {
    "package.json": '{"type":"module","main":"main.js"}',
    "main.js": "export default 4; export const five = 5;",
  },
};

/** What a module gives by a default, a namespace and each of its names. */
const questions: readonly (readonly [imports: string, asks: string])[] = [
  ["import A, { Socket, Server } from 'wrapped'", "[typeof A, Socket === A, Server.name, A.name]"],
  ["import B, { of, map } from 'flagged'", "[B.of, B.map, of, map]"],
  ["import C, { a, b } from 'plain'", "[C.a, a, b]"],
  ["import D, { also } from 'callable'", "[D(), also]"],
  ["import E, { five } from 'modern'", "[E, five]"],
  ["import * as F from 'modern'", "[F.default, F.five, Object.keys(F)]"],
  ["import * as G from 'wrapped'", "[G.default.name, Object.keys(G)]"],
];

describe("imports of packages, beside those of a file that Node runs", function () {
  this.timeout(60_000);
  const folder = temporaryFolder();
  const kernel = sharedKernel(() => ({ cwd: folder(), env: { ...process.env, TURNWISE_TYPES: "off" } }));
  before(() => {
    for (const [name, files] of Object.entries(packages))
      for (const [path, text] of Object.entries(files)) {
        const file = join(folder(), "node_modules", name, path);
        mkdirSync(dirname(file), { recursive: true });
        writeFileSync(file, text);
      }
  });

  for (const [imports, asks] of questions)
    it(`give the same: ${imports}`, async () => {
      const code = `${imports};\nconsole.log(JSON.stringify(${asks}));`;
      const file = join(folder(), "node.mjs");
      writeFileSync(file, code);
      const result = await kernel().execute(`// @ts-nocheck\n${code}`);
      assert.equal(result.status, "ok", plain(result.error?.traceback));
      assert.equal(streamText(result), execFileSync(process.execPath, [file], { encoding: "utf8" }));
    });
});

describe("a notebook in a folder of its own", function () {
  this.timeout(60_000);
  const folder = temporaryFolder();
  const kernel = sharedKernel(() => ({ cwd: folder(), env: { ...process.env, TURNWISE_TYPES: "off" } }));
  const said = async (code: string): Promise<string> => {
    const result = await kernel().execute(`// @ts-nocheck\nconsole.log(${code});`);
    return result.status === "ok" ? streamText(result).trim() : result.error!.evalue.split("\n")[0]!;
  };
  before(() => {
    const files: Readonly<Record<string, string>> = {
      "package.json":
        '{"exports":{".":{"import":"./one.mjs","require":"./other.cjs"},"./modern":{"import":"./one.mjs"}}}',
      "one.mjs": "export const form = 'module';",
      "other.cjs": "exports.form = 'CommonJS';",
    };
    const place = join(folder(), "node_modules", "two-forms");
    mkdirSync(place, { recursive: true });
    for (const [path, text] of Object.entries(files)) writeFileSync(join(place, path), text);
    const paths: Readonly<Record<string, string>> = {
      "package.json": '{"main":"./index.js"}',
      "index.js": "",
      "plugin.js": "module.exports = 'plugin';",
      "both.js": "module.exports = 'file';",
      "both/index.js": "module.exports = 'folder';",
      "folder/index.js": "module.exports = 'folder';",
      "breaks.js": "require('./nothing');",
    };
    for (const [path, text] of Object.entries(paths)) {
      const file = join(folder(), "node_modules", "no-exports", path);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, text);
    }
    writeFileSync(
      join(folder(), "by-path.ts"),
      'import plugin from "no-exports/plugin"; import both from "no-exports/both"; export const found = plugin + both;',
    );
    writeFileSync(join(folder(), "near.ts"), "export const near = 1;");
    writeFileSync(
      join(folder(), "uses.ts"),
      'import { valid } from "semver"; export const v = valid("1.0.0");',
    );
  });

  it("takes a module without a default export as a whole, and says so once", async () => {
    const code = 'import whole from "two-forms/modern"; console.log(whole.form);';
    const result = await kernel().execute(`// @ts-nocheck\n${code}`);
    assert.equal(streamText(result), "module\n");
    assert.equal(
      streamText(result, "stderr"),
      'two-forms/modern has no default export, so that name stands for all that it exports. Write import * as name from "two-forms/modern"\n',
    );
    assert.equal(streamText(await kernel().execute(`// @ts-nocheck\n${code}`), "stderr"), "");
    assert.equal(await said('(await import("two-forms/modern")).default'), "undefined");
  });

  it("finds the kernel's own packages, by import and by require", async () => {
    for (const name of ["turnwise", "turnwise/plot", "tslab", "turnwise-kernel"]) {
      assert.equal(await said(`typeof (await import("${name}"))`), "object", name);
      assert.equal(await said(`typeof require("${name}")`), "object", name);
    }
  });

  it("has no other package of the kernel's: what works here works elsewhere", async () => {
    for (const name of ["semver", "zod", "typescript", "vega", "sanitize-html", "ws"]) {
      const hint = `\\. Install it: %install ${name}$`;
      assert.match(
        await said(`await import("${name}")`),
        new RegExp(`^Cannot find module '${name}' from .*${hint}`),
        name,
      );
      assert.match(
        await said(`require("${name}/deep")`),
        new RegExp(`^Cannot find module '${name}/deep'${hint}`),
        name,
      );
    }
    // Names that every object has are no modules either.
    for (const name of ["constructor", "toString"])
      assert.match(
        await said(`await import("${name}")`),
        new RegExp(`^Cannot find module '${name}' from `),
        name,
      );
    assert.match(await said('(await import("./uses.ts")).v'), /^Cannot find module 'semver'/);
    assert.equal((await said('require("./nothing")')).includes("%install"), false);
  });

  it("finds a path in a package without its extension, as require does, also from a local module", async () => {
    for (const path of ["plugin", "both", "folder"])
      assert.equal(
        await said(`(await import("no-exports/${path}")).default`),
        await said(`require("no-exports/${path}")`),
        path,
      );
    assert.equal(await said('(await import("./by-path.ts")).found'), "pluginfile");
    assert.match(
      await said('await import("no-exports/nothing")'),
      /^Cannot find module '.*no-exports.nothing' imported/,
    );
    assert.match(await said('require("no-exports/nothing")'), /^Cannot find module 'no-exports\/nothing'$/);
    assert.match(await said('await import("no-exports/breaks")'), /^Cannot find module '\.\/nothing'/);
    // What a package exports is all that it has.
    assert.match(
      await said('await import("two-forms/one")'),
      /^Package subpath '\.\/one' is not defined by "exports"/,
    );
  });

  it("resolves as its imports do, and as its require does", async () => {
    const at = pathToFileURL(folder()).href;
    assert.equal(await said('import.meta.resolve("two-forms")'), `${at}/node_modules/two-forms/one.mjs`);
    assert.equal(
      await said('import.meta.resolve("two-forms/modern")'),
      `${at}/node_modules/two-forms/one.mjs`,
    );
    assert.equal(
      await said('require.resolve("two-forms")'),
      join(folder(), "node_modules/two-forms/other.cjs"),
    );
    assert.equal(
      await said('(await import("two-forms")).form + require("two-forms").form'),
      "moduleCommonJS",
    );
    assert.equal(await said('import.meta.resolve("./near")'), `${at}/near.ts`);
    assert.equal(await said('import.meta.resolve("./later.js")'), `${at}/later.js`);
    assert.equal(await said('import.meta.resolve("node:fs")'), "node:fs");
    assert.match(await said('import.meta.resolve("turnwise")'), /^file:.*\/lib\/turnwise\/dist\/index\.js$/);
    assert.match(await said('import.meta.resolve("absent")'), /^Cannot find package 'absent' imported from /);
  });
});

describe("bytes that cells print", function () {
  this.timeout(60_000);
  const kernel = sharedKernel(() => ({ cwd: process.cwd(), env: { ...process.env, TURNWISE_TYPES: "off" } }));
  const printed = async (code: string): Promise<string> => {
    const result = await kernel().execute(code);
    assert.equal(result.status, "ok", plain(result.error?.traceback));
    return streamText(result);
  };

  it("are read as characters also where two chunks share one", async () => {
    const text = "強化学習は、複数の手番を🎲学ぶ";
    const code = `for (const byte of Buffer.from(${JSON.stringify(text)})) process.stdout.write(Buffer.from([byte]));`;
    assert.equal(await printed(code), text);
    assert.equal(
      await printed("process.stdout.write(Buffer.from([0xe5, 0xbc])); process.stdout.write('!');"),
      "\ufffd!",
    );
    assert.equal(await printed("process.stdout.write('aGk=', 'base64');"), "hi");
  });

  it("are read so when a child's output is piped into them", async () => {
    const child = "process.stdout.write('学'.repeat(60000))";
    const code = `import { spawn } from "node:child_process";
const child = spawn(process.execPath, ["-e", ${JSON.stringify(child)}]);
child.stdout.pipe(process.stdout);
await new Promise((ended) => child.stdout.on("end", ended));`;
    const text = await printed(code);
    assert.equal(text.replaceAll("学", ""), "");
    assert.equal(text.length, 60_000);
  });
});
