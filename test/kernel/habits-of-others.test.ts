import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { host, plain, resultText, runIn, sharedKernel, temporaryFolder } from "./with-kernel.js";

describe("what people bring from other kernels", function () {
  this.timeout(60_000);
  const folder = temporaryFolder();
  const kernel = sharedKernel(() => ({ cwd: folder() }));
  const run = runIn(kernel);
  const refusal = async (code: string): Promise<string> => {
    const { error } = await kernel().execute(code);
    assert.ok(error, `${code} must be refused`);
    return plain(error.traceback);
  };

  for (const [code, here] of [
    ["%pip install x", "%install <package>"],
    ["%%bash\nls", "%%sh"],
    ["%%writefile a.txt\nx", "%%module <name>.ts for a module"],
    ["%%capture\n1", "clearOutput()"],
    ["%pwd", "process.cwd(), or !pwd"],
    ["%ls", "!ls"],
  ] as const)
    it(`is told what to write instead of ${code.split("\n")[0]}`, async () => {
      assert.ok((await refusal(code)).includes(`\nHere it is ${here}`));
    });

  it("is told how to install a package that is imported for its effects alone", async () => {
    assert.match(await refusal("import 'nowhere-installed'"), /Install it: %install nowhere-installed/);
  });

  it("is told that this Node lacks a module, and may use one that its types do not know", async () => {
    const has = host === "node" && process.getBuiltinModule("node:sqlite") !== undefined;
    const code = "import { DatabaseSync } from 'node:sqlite'; typeof DatabaseSync";
    if (has) assert.equal(resultText(await run(code)), "'function'");
    else assert.match(await refusal(code), /'node:sqlite'.*, which runs the cells, does not have it\./);
  });

  it("is told that a class was declared again, and where", async () => {
    await run("class Pair { private a = 1; join(other: Pair) { return other; } }\nconst one = new Pair();");
    const { execution_count } = (await run(
      "class Pair { private a = 1; b = 2; join(other: Pair) { return other; } }",
    )) as { execution_count?: number };
    const told = await refusal("new Pair().join(one)");
    assert.match(told, /Argument of type 'Pair' is not assignable to parameter of type 'Pair'/);
    assert.match(told, /Cell \d+ has declared Pair again since the value was made: make it again\./);
    if (execution_count !== undefined) assert.ok(told.includes(`Cell ${execution_count} has`));
  });

  it("shows a proxy that is revoked, and one that throws at every look", async () => {
    assert.equal(
      resultText(await run("const gone = Proxy.revocable({}, {}); gone.revoke(); gone.proxy")),
      "<Revoked Proxy>",
    );
    const throwing =
      "const no = (): never => { throw new Error('no'); };\nnew Proxy({}, { get: no, ownKeys: no, getPrototypeOf: no, has: no })";
    assert.equal(resultText(await run(throwing)), "{}");
  });

  it("has unfinished lines taken for such in a console", async () => {
    for (const code of ["const a = ", "let b: ", "a + ", "f("]) {
      const { content } = await kernel().request("shell", "is_complete_request", { code });
      assert.equal(content.status, "incomplete", code);
    }
  });

  it("completes the files that an import may name", async function () {
    if (host !== "node") return;
    mkdirSync(join(folder(), "parts"));
    for (const name of ["helper.ts", "parts/inner.ts"]) writeFileSync(join(folder(), name), "export {}");
    const complete = async (code: string): Promise<unknown> => {
      const asked = { code, cursor_pos: code.length };
      const { matches, cursor_start } = (await kernel().request("shell", "complete_request", asked)).content;
      return { matches, replaced: code.slice(cursor_start as number) };
    };
    assert.deepEqual(await complete("import x from './"), { matches: ["helper", "parts"], replaced: "" });
    assert.deepEqual(await complete("import x from './he"), { matches: ["helper"], replaced: "he" });
    assert.deepEqual(await complete("await import('./parts/"), { matches: ["inner"], replaced: "" });
  });

  it("lists its own variables alone, by the names that it has given them", async () => {
    await run("Object.assign(globalThis, { _tfengine: {} });\nclass Promise { own = 1; }");
    const listed = JSON.stringify((await run("%who")).outputs);
    assert.ok(/\bPromise\b(?!\u200c)/.test(listed) && !listed.includes("_tfengine"), listed);
  });
});
