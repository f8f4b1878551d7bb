import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { withAdvice } from "turnwise-kernel/dist/session/error-advice.js";
import { shellAdvice } from "turnwise-kernel/dist/types/shell-advice.js";
import { resultText, runIn, sharedKernel, temporaryFolder } from "./with-kernel.js";

describe("errors of the first weeks", function () {
  this.timeout(60_000);
  const folder = temporaryFolder();
  const kernel = sharedKernel(() => {
    writeFileSync(join(folder(), "helpers.ts"), "export const help = 1;\n");
    return { cwd: folder() };
  });
  /** What a cell's error says, in the order in which the cells are run. */
  const said: [cell: string, says: RegExp][] = [
    ["nowhere + 1", /Cannot find name 'nowhere'\. No cell that has run declares it$/],
    ["const stopped = 1 - 'a'", /It is a string: Number\('a'\) is the number in it$/],
    [
      "stopped + 1",
      /Cell \[2\] declares it, but did not run because of its error: correct that and run it first$/,
    ],
    ["stopped = 2", /Cell \[2\] declares it, but did not run/],
    ["const limit = 5; limit = 6", /Declare it with let where it has const: let limit = \.\.\.$/],
    ["let twice = 1; let twice = 2", /A cell declares a name once: assign to it with twice = \.\.\./],
    ["console.lgo(1)", /Did you mean 'log'\?$/],
    ["({ name: 'Ada' }).nmae", /Did you mean 'name'\?$/],
    ["class Dog { bark() {} }\nDog.bark()", /Its objects have it: new Dog\(\.\.\.\)\.bark$/],
    ["10n + 1", /Both must be big integers, 1n, or both numbers: Number\(\.\.\.\)$/],
    ["return 5", /The value of a cell is that of its last line, without return\./],
    ["for (const [i, x] of [1, 2]) console.log(i, x)", /for \(const \[i, x\] of \[1, 2\]\.entries\(\)\)$/],
    ["import { help } from './helper'", /There is no such file in .*\. Did you mean "\.\/helpers\.ts"\?$/],
    ["import { help } from './lib/helper'", /There is no folder .*lib$/],
    ["npm install lodash", /This is a command of the shell\. In a cell: %install lodash$/],
    ["JSON.parse('{\"a\": 1,}')", /In JSON, no comma stands before a closing bracket/],
    ["JSON.parse('<!DOCTYPE html>')", /The text is HTML and no JSON: print it to see what came$/],
    [
      "const deep = (n: number): number => deep(n + 1)\ndeep(0)",
      /A function calls itself, or others that call it/,
    ],
    ["await fetch('data.json')", /An address begins with https:/],
    ["require('node:fs').readFileSync('none.csv')", /open 'none\.csv'\. Such a path starts at \//],
    ["require('node:child_process').execFileSync('no-such-program')", /No program of that name was found$/],
    [
      "require('no-such-package')",
      /^Cannot find module 'no-such-package'\. Install it: %install no-such-package$/,
    ],
  ];

  it("say what to write", async () => {
    for (const [cell, says] of said)
      assert.match((await kernel().execute(cell)).error?.evalue ?? "no error", says, cell);
  });

  it("name the reason why a request has failed", async () => {
    const { error } = await kernel().execute(
      "const server = require('node:net').createServer().listen(0)\nconst { port } = server.address(); server.close(); await new Promise((r) => setTimeout(r, 20))\nawait fetch(`http://127.0.0.1:${port}/`)",
    );
    assert.match(error!.evalue, /^fetch failed: .*ECONNREFUSED.*\. Nothing listens at that address$/);
  });

  it("leave other messages as they are, and an error that throws at a look", () => {
    assert.equal(withAdvice(new Error("mine"), "mine"), "mine");
    const hostile = Object.defineProperty(new Error("x"), "code", {
      get: () => {
        throw new Error("no");
      },
    });
    assert.equal(withAdvice(hostile, "x"), "x");
  });

  it("know commands of the shell, and no words of a program", () => {
    assert.match(shellAdvice("ls -la")!, /!ls -la$/);
    assert.match(shellAdvice("pip install numpy")!, /!pip install numpy$/);
    assert.match(shellAdvice("npm i --save lodash")!, /!npm i --save lodash$/);
    for (const line of ["make = 3", "node.next = x", "head(x)", "const x = 1", "type A = 1"])
      assert.equal(shellAdvice(line), undefined, line);
  });
});

describe("what Node has and the declarations of TypeScript lack", function () {
  this.timeout(60_000);
  const run = runIn(sharedKernel());

  it("runs: WebAssembly, with its types", async () => {
    // (module (func (export "add") (param i32 i32) (result i32) local.get 0 local.get 1 i32.add))
    const bytes =
      "0,97,115,109,1,0,0,0,1,7,1,96,2,127,127,1,127,3,2,1,0,7,7,1,3,97,100,100,0,0,10,9,1,7,0,32,0,32,1,106,11";
    const code = `const { instance } = await WebAssembly.instantiate(new Uint8Array([${bytes}]));\nconst loaded: WebAssembly.Instance = instance;\nloaded.exports.add(2, 3)`;
    assert.equal(resultText(await run(code)), "5");
  });

  it("runs: a module in its own address, imported in both ways", async () => {
    assert.equal(
      resultText(await run("import { one } from 'data:text/javascript,export const one = 1'; one")),
      "1",
    );
    assert.equal(
      resultText(await run("(await import('data:text/javascript,export const two = 2')).two")),
      "2",
    );
  });
});
