import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { promisify } from "node:util";
import ts from "typescript";
import { readRecords } from "turnwise";
import { removeTemporaryFolders, temporaryFolder } from "./support/command.js";
import { root } from "./support/paths.js";

const readme = fs.readFileSync(path.join(root, "README.md"), "utf8");

describe("README", function () {
  this.timeout(120_000);

  const blocks = [...readme.matchAll(/```ts\n([^]*?)```/g)].map(([, code]) => code!);

  /** Runs a block of code as a module, in a folder of its own. */
  async function run(code: string, folder: string): Promise<string> {
    const file = path.join(root, "build", "readme.mjs");
    const options = { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2022 };
    fs.writeFileSync(file, ts.transpileModule(code, { compilerOptions: options }).outputText);
    return (await promisify(execFile)(process.execPath, [file], { cwd: folder })).stdout;
  }

  after(removeTemporaryFolders);

  it("shows library code that runs as it stands and learns", async () => {
    const stdout = await run(blocks[0]!, root);
    const last = stdout.trim().split("\n").at(-1)!.split(" ");
    assert.equal(last[0], "100");
    assert.ok(Number(last[1]) > 0.9, `mean reward after 100 updates: ${last[1]!}`);
  });

  it("shows how seeds, a chart and records are made and saved", async () => {
    const folder = temporaryFolder();
    assert.equal(await run(blocks[1]!, folder), "");
    assert.deepEqual(fs.readdirSync(folder).sort(), ["seeUpo.csv", "seeUpo.pdf"]);
    assert.equal((await readRecords(path.join(folder, "seeUpo.csv"))).length, 2000);
  });
});

describe("README's example of a collapsed run", function () {
  this.timeout(120_000);

  it("shows lines that the command prints, in their order", async () => {
    const [, command, excerpt] = /```\n\$ npx turnwise (.+)\n([^]*?)```/.exec(readme)!;
    const bin = path.join(root, "lib", "turnwise", "bin", "turnwise.cjs");
    // It exits with 3, as the run fell, which execFile takes for a failure.
    const stdout = await new Promise<string>((resolve) =>
      execFile(process.execPath, [bin, ...command!.split(" ")], { cwd: root }, (_, out) => resolve(out)),
    );
    let from = 0;
    for (const line of excerpt!.trimEnd().split("\n")) {
      const at = stdout.indexOf(`${line}\n`, from);
      assert.ok(at >= 0, `not printed after what stands before it: ${line}`);
      from = at + line.length;
    }
  });
});

describe("the pages of the repository", () => {
  const { scripts } = JSON.parse(fs.readFileSync(path.join(root, "package.json"), "utf8")) as {
    scripts: object;
  };
  const pages = [
    "README.md",
    "ARCHITECTURE.md",
    "CONTRIBUTING.md",
    "CHANGELOG.md",
    "lib/turnwise/README.md",
    "lib/practice/README.md",
    "lib/course/README.md",
    "lib/course/src/README.md",
  ];
  for (const page of pages) {
    it(`${page} names npm scripts, files and folders that exist`, () => {
      const text = fs.readFileSync(path.join(root, page), "utf8");
      const exists = (target: string, from: string): void => {
        assert.ok(fs.existsSync(path.resolve(root, from, target)), target);
      };
      for (const [, name] of text.matchAll(/npm run (\w[\w:-]*)/g))
        assert.ok(Object.hasOwn(scripts, name!), name);
      for (const [, target] of text.matchAll(/\]\(([^)#:]+)(?:#[^)]*)?\)/g))
        exists(target!, path.dirname(page));
      for (const [, folder] of text.matchAll(/^\| `([\w/]+\/)`/gm))
        if (page === "README.md") exists(folder!, ".");
      // Whole paths from the root, such as `test/oracle/oracle.py`; recipes name files that are to be written.
      const present = text.replace(/\n## Recipes\n[^]*?(?=\n## )/, "");
      for (const [, target] of present.matchAll(/`((?:lib|kernel|test|datasets|\.ci)\/[\w./-]*\w)`/g))
        exists(target!, ".");
    });
  }
});
