import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import ts from "typescript";
import type { RecipeName } from "turnwise";
import { frameworks, toOpenRlhf, toTrl, toVerl, watchLog, type NamingName } from "turnwise-practice";
import { removeTemporaryFolders, temporaryFolder } from "../../support/command.js";
import { root } from "../../support/paths.js";

const folder = path.join(root, "docs");
/** Pages about no framework. */
const others = ["README.md", "trajectories.md", "debugging.md", "install.md", "how-we-decide.md"];
const pages = fs.readdirSync(folder).filter((name) => name.endsWith(".md") && !others.includes(name));
const textOf = (name: string): string => fs.readFileSync(path.join(folder, name), "utf8");
const blocks = (name: string, language: string): string[] =>
  [...textOf(name).matchAll(new RegExp(`\`\`\`${language}\n([^]*?)\`\`\``, "g"))].map(([, code]) => code!);

describe("the pages about other frameworks", () => {
  before(() => process.chdir(root));
  after(removeTemporaryFolders);

  it("tell of each framework, and the index of each page", () => {
    const told = pages.map(textOf).join("\n");
    // RAGEN's names are part of those of RAGEN-2, on one page.
    const names = (Object.keys(frameworks) as NamingName[]).filter(
      (name) => !["turnwise", "ragen"].includes(name),
    );
    assert.deepEqual(
      names.filter((name) => !told.includes(`lib/practice/src/logs/frameworks/${name}.ts`)),
      [],
    );
    const index = textOf("README.md");
    assert.deepEqual(
      pages.filter((name) => !index.includes(`(${name})`)),
      [],
    );
  });

  for (const name of pages) {
    it(`${name} has a command that watches the log to its fall`, async () => {
      const commands = blocks(name, "sh")
        .join("\n")
        .split("\n")
        .filter((line) => line.startsWith("npx turnwise watch"));
      assert.ok(commands.length > 0, "there is none");
      for (const command of commands) {
        const [, file] = /^npx turnwise watch --once (\S+)$/.exec(command) ?? [];
        assert.ok(file, command);
        let told = "";
        assert.equal(await watchLog(file, { once: true, write: (text) => (told += text) }), 3, told);
      }
    });

    it(`${name} has code that runs and gives what it says`, () => {
      for (const code of blocks(name, "ts").filter((one) => one.includes("readLog"))) {
        const checked = code.replace(/^(.*); \/\/ => (.*)$/gm, "assert.equal($1, $2);");
        const { outputText } = ts.transpileModule(checked, {
          compilerOptions: { module: ts.ModuleKind.CommonJS },
        });
        const lines: string[] = [];
        const log = { log: (text: string) => lines.push(text) };
        new Function("require", "exports", "console", "assert", outputText)(require, {}, log, assert);
        assert.match(lines.join("\n"), /Success had fallen at step 84, as deep as in 0\.1% /);
      }
    });
  }

  for (const [name, to] of Object.entries({
    "trl.md": toTrl,
    "verl.md": toVerl,
    "openrlhf.md": toOpenRlhf,
  })) {
    it(`${name} shows the flags that its command prints`, () => {
      const texts = [...blocks(name, "sh"), ...blocks(name, "python")].map((text) => text.trim());
      const rows = texts.flatMap((text) => /^npx turnwise convert (\w+) --to \w+$/.exec(text)?.[1] ?? []);
      assert.equal(rows.length, 1);
      assert.ok(texts.includes(String(to(rows[0] as RecipeName))), String(to(rows[0] as RecipeName)));
    });

    it(`${name} has code of flags that gives what it says`, () => {
      const [code] = blocks(name, "ts").filter((one) => !one.includes("readLog"));
      const checked = code!.replace(/^(.*); \/\/ => (.*)$/gm, "assert.equal($1, $2);");
      assert.match(checked, /assert\.equal/);
      const { outputText } = ts.transpileModule(checked, {
        compilerOptions: { module: ts.ModuleKind.CommonJS },
      });
      const lines: string[] = [];
      const log = { log: (text: string) => lines.push(text) };
      new Function("require", "exports", "console", "assert", outputText)(require, {}, log, assert);
      assert.match(lines.join("\n"), /^The closest rule is /);
    });
  }

  it("trajectories.md has code that writes a file of TRL, and names what that cannot hold", async () => {
    const [, code] = blocks("trajectories.md", "ts");
    const { outputText } = ts.transpileModule(
      code!.replace(/^import (.*) from (.*);$/m, "const $1 = require($2);"),
      {
        compilerOptions: { module: ts.ModuleKind.CommonJS, target: ts.ScriptTarget.ES2022 },
      },
    );
    const lines: string[] = [];
    const run = new Function("require", "console", "exports", `return (async () => {${outputText}})()`) as (
      ...given: unknown[]
    ) => Promise<void>;
    const folder = temporaryFolder();
    fs.symlinkSync(path.join(root, "datasets"), path.join(folder, "datasets"));
    process.chdir(folder);
    try {
      await run(require, { log: (text: string) => lines.push(text) }, {});
    } finally {
      process.chdir(root);
    }
    assert.deepEqual(lines, ["48 rows; left out: id, group, tokens, rolloutLogProb, info"]);
    assert.ok(fs.existsSync(path.join(folder, "completions_00001.parquet")));
  });

  it("trajectories.md has code that runs, and tells what rules make of stored completions", async () => {
    const [code] = blocks("trajectories.md", "ts");
    const body = code!.replace(/^import (.*) from (.*);$/m, "const $1 = require($2);");
    const lines: string[] = [];
    const run = new Function("require", "console", `return (async () => {${body}})()`) as (
      ...given: unknown[]
    ) => Promise<void>;
    await run(require, { log: (text: string) => lines.push(text) });
    assert.match(lines.join("\n"), /^48 trajectories in 4 groups, and what rules make of them\n/);
  });
});
