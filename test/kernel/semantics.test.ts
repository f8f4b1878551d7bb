import assert from "node:assert/strict";
import { mkdirSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { KernelClient } from "turnwise-kernel";
import { plain, resultText, sharedKernel, temporaryFolder, startKernel } from "./with-kernel.js";

describe("the meaning of cells", function () {
  this.timeout(60_000);
  const kernel = sharedKernel();

  const expectLast = async (cells: string[], expected: string): Promise<void> => {
    for (const [i, cell] of cells.entries()) {
      const result = await kernel().execute(cell);
      assert.equal(result.status, "ok", plain(result.error?.traceback));
      if (i === cells.length - 1) assert.equal(resultText(result), expected);
    }
  };

  it("lets earlier functions see a changed variable", () =>
    expectLast(["let lr = 0.1; function step() { return lr }", "lr = 0.01; step()"], "0.01"));

  it("lets earlier functions call a redefined function", () =>
    expectLast(
      [
        "function policy() { return 'old' }",
        "function rollout() { return policy() }",
        "function policy() { return 'new' }",
        "rollout()",
      ],
      "'new'",
    ));

  it("shares closures across cells", () =>
    expectLast(["let cnt = 0; const inc = () => ++cnt", "cnt += 10; inc(); inc() + 1"], "13"));

  it("lets any declaration follow any other of the same name", () =>
    expectLast(
      [
        "let thing = 1",
        "function thing() { return 2 }",
        "const thing = 3",
        "class thing { static x = 4 }",
        "var thing = 5",
        "const { thing } = { thing: 6 }",
        "import * as thing from 'node:path'",
        "let thing = 7; thing",
      ],
      "7",
    ));

  it("lets loops of two cells use the same var", () =>
    expectLast(["for (var i = 0; i < 3; i++); i", "let i = 9", "for (var i = 0; i < 4; i++); i"], "4"));

  it("calls a function above its declaration", () =>
    expectLast(["twice(4)\nfunction twice(x: number) { return 2 * x }", "twice(8)"], "16"));

  it("lets functions call functions that stand below them, through any number of others", () =>
    expectLast(
      [
        "main()\nfunction main() { return middle() }\nfunction middle() { return deepest() }\nfunction deepest() { return 'deep' }",
        "const called = await later()\nasync function later() { await 0; return below() }\nfunction below() { return 'below' }\ncalled",
      ],
      "'below'",
    ));

  it("gives the last of two functions of one name to all of the cell", () =>
    expectLast(
      [
        "// @ts-nocheck\nconst first = twin()\nfunction twin() { return 1 }\nfunction twin() { return 2 }\nfirst",
      ],
      "2",
    ));

  it("uses what it imports further down", () =>
    expectLast(["const joined = join('a', 'b')\nimport { join } from 'node:path'\njoined"], "'a/b'"));

  it("has a var from its first line on, undefined until it is assigned", () =>
    expectLast(
      [
        "// @ts-nocheck\nconst before = [typeof late, read()]\nvar late = 3\nfunction read() { return late }",
        "// @ts-nocheck\n[...before, late].join()",
      ],
      // Array.join leaves undefined out: of "undefined", undefined, 3 it makes this.
      "'undefined,,3'",
    ));

  it("keeps the value of a var that is declared again, and refers to it", () =>
    expectLast(
      [
        "// @ts-nocheck\nvar kept = kept || 5; kept",
        "kept += 2",
        "// @ts-nocheck\nvar kept = kept || 5; var kept; kept",
      ],
      "7",
    ));

  it("declares a var whose name a failed cell has left without a value", async () => {
    const failed = await kernel().execute("throw new Error('before'); let halfway = 4");
    assert.equal(failed.error!.evalue, "before");
    await expectLast(["var halfway = 5; halfway"], "5");
  });

  const refused: [what: string, code: string, message: string][] = [
    ["a const without a value", "const empty", "Missing initializer in const declaration"],
    ["a var beside a let of its name", "let same\nvar same", "Identifier 'same' has already been declared"],
    [
      "a var in a block whose function has its name",
      "{ function f() {} var f }",
      "Identifier 'f' has already been declared",
    ],
    [
      "a var below a let of its name",
      "{ let deep; { var deep } }",
      "Identifier 'deep' has already been declared",
    ],
    [
      "a var in a loop over its name",
      "for (let i of []) { var i }",
      "Identifier 'i' has already been declared",
    ],
    [
      "a var of a name that catch takes apart",
      "try {} catch ({ e }) { var e }",
      "Identifier 'e' has already been declared",
    ],
    [
      "a var in one case beside a let in another",
      "switch (1) { case 1: let c; default: var c }",
      "Identifier 'c' has already been declared",
    ],
    ["a class without a name", "class {}", "Unexpected token '{'"],
    ["a class as the body of a loop", "do class Body {} while (call())", "Unexpected token 'class'"],
    ["a var eval", "var eval = 1", "Unexpected eval or arguments in strict mode"],
  ];
  for (const [what, code, message] of refused) {
    it(`refuses ${what}, as a script does, also without a check of types`, async () => {
      const { error } = await kernel().execute(`// @ts-nocheck\n${code}`);
      assert.deepEqual([error?.ename, error?.evalue], ["SyntaxError", message]);
    });
  }

  it("lets a var have the plain name of a catch clause", () =>
    expectLast(
      ["// @ts-nocheck\ntry { throw 1 } catch (caught) { var caught = 2 }\ntypeof caught"],
      "'undefined'",
    ));

  it("leaves no name of a var behind when V8 refuses the cell", async () => {
    const { error } = await kernel().execute("// @ts-nocheck\nvar parseFloat = 1\nnull++");
    assert.equal(error!.ename, "SyntaxError");
    assert.match(plain(error!.traceback), /3 \| null\+\+\n {4}\| \^/);
    await expectLast(["// @ts-nocheck\nparseFloat('4') + 1"], "5");
  });

  it("leaves a global its value when a var has its name", () =>
    expectLast(["// @ts-nocheck\nvar structuredClone; typeof structuredClone"], "'function'"));

  it("points into the first line of a cell that declares var", async () => {
    const { error } = await kernel().execute("var first = 1, second = 2; throw new Error('here')");
    assert.match(plain(error!.traceback), /cell_\d+\.ts:1:34$/);
  });

  it("asks once whether a value can be awaited, as the language does", () =>
    expectLast(
      [
        "// @ts-nocheck\nlet asked = 0\nconst slow = { get then() { asked++; return (done) => done(4) } }\nconst got = await slow\nconst plainly = (await { a: 1 });\n[got, asked, plainly.a].join()",
      ],
      "'4,1,1'",
    ));

  it("awaits a promise itself, whatever its own then says", () =>
    expectLast(
      [
        "// @ts-nocheck\nconst odd = Promise.resolve(5)\nodd.then = () => { throw new Error('asked') }\nawait odd",
      ],
      "5",
    ));

  it("asks an asynchronous iterator for next once, and for return where a loop is left", () =>
    expectLast(
      [
        "// @ts-nocheck\nconst log = []\nconst counted = { [Symbol.asyncIterator]: () => ({\n  n: 0,\n  get next() { log.push('next'); return async () => ({ value: this.n, done: this.n++ > 2 }) },\n  get return() { log.push('return'); return undefined },\n}) }\nfor await (const x of counted) {}\nfor await (const x of counted) if (x === 1) break\nlog.join()",
      ],
      // The first loop ends by itself, the second one is left.
      "'next,next,return'",
    ));

  it("refuses to loop over what gives no iterator", async () => {
    const { error } = await kernel().execute(
      "// @ts-nocheck\nfor await (const x of { [Symbol.asyncIterator]: () => 1 }) {}",
    );
    assert.equal(error!.ename, "TypeError");
  });

  it("goes on behind a line that has no semicolon with a var that takes an object apart", () =>
    expectLast(
      [
        "// @ts-nocheck\nconst one = 1\nvar { apart, in: [inside] } = { apart: one, in: [2] }\nif (one) var { only } = { only: 3 }\napart + inside + only",
      ],
      "6",
    ));

  it("takes an enum or a namespace that is declared again for a new one", () =>
    expectLast(
      ["enum Again { A, B }", "enum Again { C }", "// @ts-nocheck\nObject.keys(Again).join()"],
      // 0 is the key of the name "C".
      "'0,C'",
    ));

  it("has an enum and a namespace from the cell's first line on, undefined until they are reached", () =>
    expectLast(
      [
        "// @ts-nocheck\nconst early = [typeof Late, seen()]\nexport enum Late { A }\nnamespace Inner { export const a = 1 }\nfunction seen() { return Inner }",
        "// @ts-nocheck\n[...early, Late.A, Inner.a].join()",
      ],
      // Array.join leaves undefined out.
      "'undefined,,0,1'",
    ));

  it("lets a var have the name of undefined, to no effect", () =>
    expectLast(
      ["// @ts-nocheck\nvar undefined, NaN\n[undefined, NaN].map(String).join()"],
      "'undefined,NaN'",
    ));

  it("turns thousands of var of one cell in little time", async () => {
    const names = Array.from({ length: 5_000 }, (_, i) => `v${i}`);
    await expectLast([`// @ts-nocheck\n${names.map((name) => `var ${name} = 1`).join("\n")}\nv4999`], "1");
  });

  it("shows the last value of a cell with using at its top level, and keeps its names", () =>
    expectLast(
      [
        "let open = 1\nusing held = { [Symbol.dispose]() { open = 0 } }\nconst beside = 40\nopen + 1",
        "await using late2 = { async [Symbol.asyncDispose]() { open-- } }\n7",
        "// @ts-nocheck\n[open, beside, typeof held].join()",
      ],
      "'-1,40,object'",
    ));

  it("runs a default export without a name", () =>
    expectLast(["export default function () { return 1 }", "export default class {}", "8"], "8"));

  it("awaits at top level, in every position", () =>
    expectLast(
      [
        "const r1 = await (async () => { await 0; return 7 })(), r2 = r1 + 1",
        "async function* gen() { yield 1; yield 2 }\nlet sum = 0\nfor await (const x of gen()) sum += x\nsum",
        "for await (const x of [Promise.resolve(4)]) sum += x\nsum + (await r2)",
      ],
      "15",
    ));

  it("down-levels enums, namespaces, parameter properties and decorators", () =>
    expectLast(
      [
        "enum Color { Red = 1, Green }",
        "namespace Shapes { export const sides = 3 }",
        "class Point { constructor(readonly x: number, private y: number) {} sum() { return this.x + this.y } }",
        "function logged<T extends Function>(value: T, _context: unknown): T { return value }\n@logged class Decorated { n = 10 }",
        "Color.Green + Shapes.sides + new Point(1, 2).sum() + new Decorated().n",
      ],
      "18",
    ));

  it("gives a namespace another name, also one that holds types alone and is no value", () =>
    expectLast(
      [
        "namespace Types { export type Id = number }\nexport import Short = Types\nconst id: Short.Id = 4",
        "import Again = Types; const other: Again.Id = id + 1",
        "namespace Solid { export const edges = 12; export namespace Inner { export type T = string } }",
        "import S = Solid; export import I = Solid.Inner; const word: I.T = 'w'; [S.edges, word, other].join()",
      ],
      "'12,w,5'",
    ));

  it("shows the last value of a down-leveled cell, too", () =>
    expectLast(["enum Level { Low = 5 }\nLevel.Low + 1"], "6"));

  it("disposes resources that were declared with using", () =>
    expectLast(
      [
        "const closed: string[] = []",
        "{\n  using resource = { [Symbol.dispose]() { closed.push('closed') } }\n  closed.push('open')\n}",
        "closed.join()",
      ],
      "'open,closed'",
    ));

  it("points into the cell even if it was down-leveled", async () => {
    const result = await kernel().execute(
      "enum E { A }\nclass Q { constructor(private a: number) {} }\n\nthrow new Error('here')",
    );
    assert.match(plain(result.error!.traceback), /cell_\d+\.ts:4:7/);
  });

  it("strips types that look like code", () =>
    expectLast(
      [
        "const o = <const T,>(x: T): T => x as any as T\nlet v = o(3)!\ntype F = (a: number) => void\n;(v satisfies number)",
        "abstract class B<T> { declare z: T; abstract f(): void; protected readonly q?: T; constructor() {} g(this: B<T>, a?: number): a is 1 { return !!a } }\nclass C extends B<number> implements Iterable<number> { f() {} *[Symbol.iterator]() { yield 1 } }\n[...new C()].length",
      ],
      "1",
    ));

  it("is strict: a frozen object refuses writes", async () => {
    const result = await kernel().execute(
      "const frozen: { a: number } = Object.freeze({ a: 1 }); frozen.a = 2",
    );
    assert.equal(result.error!.ename, "TypeError");
  });

  it("lets a user's variable win over a global of the kernel", () =>
    expectLast(["let html = 5", "html + 1"], "6"));

  it("gives a global back whose name a failed cell did not come to declare", async () => {
    for (const [failing, kind] of [
      ["// @ts-nocheck\nimport { display } from './nothingHere'", "function"],
      ["const md = ((): number => { throw new Error('no value') })()", "function"],
      ["throw new Error('first'); let prompt = 1", "function"],
    ] as const) {
      const name = /display|md|prompt/.exec(failing)![0];
      assert.equal((await kernel().execute(failing)).status, "error");
      assert.equal(
        resultText(await kernel().execute(`// @ts-nocheck\ntypeof ${name}`)),
        `'${kind}'`,
        failing,
      );
    }
    // What it does come to declare stays, as in any script.
    assert.equal((await kernel().execute("const svg = 3; throw new Error('after')")).status, "error");
    assert.equal(resultText(await kernel().execute("svg")), "3");
  });

  it("resolves node: modules, require, __dirname and import.meta from the notebook's folder", () =>
    expectLast(
      [
        "import { basename } from 'node:path'",
        "[basename(__dirname), basename(import.meta.dirname), typeof require('typescript').version].join()",
      ],
      "'kernel,kernel,string'",
    ));
});

describe("imports of cells", function () {
  this.timeout(60_000);
  const folder = temporaryFolder();
  let kernel: KernelClient;

  before(async () => {
    const write = (path: string, text: string): void => {
      mkdirSync(join(folder(), path, ".."), { recursive: true });
      writeFileSync(join(folder(), path), text);
    };
    write(
      "lib/util.ts",
      "import { base } from './base'\nexport const value: number = base + 1\nexport interface Shape { a: number }",
    );
    write("lib/base.ts", "export const base: number = 40");
    write("data.json", '{"n": 3}');
    write("plain.mjs", "export const plain = await Promise.resolve('top-level await'); export default 1");
    const packages: Record<string, Record<string, string>> = {
      "only-exports": {
        "package.json":
          '{"name":"only-exports","version":"1.0.0","type":"module","exports":{".":"./main.js","./sub":"./deep/sub.js"}}',
        "main.js": "export const where = 'exports map'; await 0;",
        "deep/sub.js": "export default 'sub path'",
      },
      "old-style": {
        "package.json": '{"name":"old-style","version":"1.0.0","main":"main.js"}',
        "main.js": "const names = ['a', 'b']; for (const n of names) module.exports[n] = n.toUpperCase();",
      },
    };
    for (const [name, files] of Object.entries(packages)) {
      for (const [path, text] of Object.entries(files)) write(join("node_modules", name, path), text);
    }
    kernel = await startKernel({ cwd: folder() });
  });
  after(() => kernel.shutdown());

  const value = async (code: string): Promise<string | undefined> => {
    const result = await kernel.execute(`// @ts-nocheck\n${code}`);
    assert.equal(result.status, "ok", plain(result.error?.traceback));
    return resultText(result);
  };

  it("finds local TypeScript without an extension, checked", async () => {
    const result = await kernel.execute(
      "import { value, type Shape } from './lib/util'\nconst s: Shape = { a: value }\ns.a + 1",
    );
    assert.equal(resultText(result), "42", plain(result.error?.traceback));
  });

  it("loads a local file again when it has changed", async () => {
    writeFileSync(join(folder(), "lib/base.ts"), "export const base: number = 140");
    assert.equal(await value("import { value as changed } from './lib/util'\nchanged"), "141");
  });

  it("loads a local CommonJS file again when it has changed", async () => {
    writeFileSync(join(folder(), "old.cjs"), "exports.n = 1");
    assert.equal(await value("import { n as first } from './old.cjs'\nfirst"), "1");
    writeFileSync(join(folder(), "old.cjs"), "exports.n = 2");
    utimesSync(join(folder(), "old.cjs"), new Date(), new Date(Date.now() + 2_000));
    assert.equal(await value("import { n as second } from './old.cjs'\nsecond"), "2");
  });

  it("imports JSON, ES modules with top-level await, exports maps and sub paths", async () => {
    assert.equal(await value("import data from './data.json'\ndata.n"), "3");
    assert.equal(
      await value("import one, { plain } from './plain.mjs'\n[one, plain].join()"),
      "'1,top-level await'",
    );
    assert.equal(await value("import { where } from 'only-exports'\nwhere"), "'exports map'");
    assert.equal(await value("(await import('only-exports/sub')).default"), "'sub path'");
  });

  it("imports ES modules that await, one behind the other, each with its own import.meta", async () => {
    const write = (name: string, text: string): void => writeFileSync(join(folder(), name), text);
    write(
      "first.mjs",
      "export let first = await Promise.resolve(20); for await (const one of [1]) first += one;",
    );
    write(
      "second.mjs",
      "import { first } from './first.mjs';\nexport const second = first + (await 1);\n" +
        "export const where = new URL('./data.json', import.meta.url).pathname;",
    );
    assert.equal(
      await value("import { second, where } from './second.mjs'\n[second, where.split('/').pop()].join()"),
      "'22,data.json'",
    );
  });

  it("imports all names of a CommonJS package, even those no lexer can see", async () => {
    assert.equal(
      await value("import old, { a } from 'old-style'\nimport * as all from 'old-style'\na + old.b + all.a"),
      "'ABA'",
    );
  });

  it("says which module is missing", async () => {
    const result = await kernel.execute("// @ts-nocheck\nimport x from 'not-there'");
    assert.equal(
      result.error!.evalue,
      `Cannot find module 'not-there' from ${folder()}. Install it: %install not-there`,
    );
  });

  it("finds the kernel's own display module", async () => {
    assert.equal(await value("import { display as show } from 'turnwise-kernel'\ntypeof show"), "'function'");
  });
});
