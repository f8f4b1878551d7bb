import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { commands as ofKernel } from "turnwise-kernel/dist/cli/commands.js";
import { help as helpOfKernel } from "turnwise-kernel/dist/cli/main.js";
// Uses internals of turnwise/command.
import { help } from "turnwise/internal/command/main";
import { declaredCommands } from "turnwise/internal/command/packages";
import { turnwiseEach, type Finished } from "../support/command.js";
import { root } from "../support/paths.js";

const { commands, problems } = declaredCommands(root);
const names = [...commands.keys()];

describe("the table of commands", function () {
  this.timeout(30_000);
  this.slow(10_000);

  it("declares every file of a folder of commands under its name, in the package.json of the package", () => {
    assert.deepEqual(problems, []);
    const declared = (name: string): string[] =>
      names.filter((one) => commands.get(one)!.package === name).sort();
    const files = (...folder: string[]): string[] =>
      readdirSync(join(root, ...folder)).map((file) => file.replace(/\.ts$/, ""));
    assert.deepEqual(files("kernel", "src", "cli", "commands").sort(), declared("turnwise-kernel"));
    assert.deepEqual(Object.keys(ofKernel).sort(), declared("turnwise-kernel"));
    assert.deepEqual(files("lib", "practice", "src", "commands").sort(), declared("turnwise-practice"));
    assert.deepEqual(files("lib", "course", "src", "commands").sort(), declared("turnwise-course"));
    assert.deepEqual(declared("turnwise"), ["merge", "native", "sweep"]);
  });

  it("is listed by turnwise-kernel for its own commands", () => {
    for (const name of Object.keys(ofKernel))
      assert.match(helpOfKernel(), new RegExp(`^  ${name} +[a-z]`, "m"));
  });

  it("is what kernel/README.md lists", () => {
    const readme = readFileSync(join(root, "kernel", "README.md"), "utf8");
    assert.ok(
      readme.includes(`\`\`\`\n${help(root)}\`\`\`\n`),
      `kernel/README.md must hold what turnwise --help prints:\n${help(root)}`,
    );
  });

  const said = new Map<string, { help: Finished; wrong: Finished }>();
  before(async () => {
    const all = await turnwiseEach(names.map((name) => [name, "--help"]));
    // JupyterLab judges its own flags, when it has started.
    const judging = names.filter((name) => name !== "lab");
    const refusals = await turnwiseEach(judging.map((name) => [name, "--no-such-option"]));
    for (const [i, name] of names.entries())
      said.set(name, { help: all[i]!, wrong: refusals[judging.indexOf(name)]! });
  });

  for (const [name, { summary }] of commands) {
    it(`${name} has a summary in one line, explains itself, and refuses an option that it does not know`, () => {
      assert.match(summary, /^[a-z].{10,95}[^.]$/);
      const { help: page, wrong } = said.get(name)!;
      const { code, stdout } = page;
      assert.equal(code, 0);
      assert.ok(stdout.startsWith(`Usage: turnwise ${name}`), stdout);
      const longest = Math.max(...stdout.split("\n").map((line) => line.length));
      assert.ok(longest <= 120, `a line of the help has ${longest} columns`);
      if (name === "lab") return;
      assert.equal(wrong.code, 1);
      assert.match(
        wrong.stderr,
        new RegExp(`^Cannot run turnwise ${name}: unknown option '--no-such-option'\\.`),
      );
    });

    it(`${name} is run by a test of its own`, () => {
      const run = new RegExp(`turnwise\\(\\[\\s*"${name}"`);
      const texts = ["cli", "runner"].flatMap((folder) => {
        const path = join(root, "test", folder);
        return readdirSync(path)
          .filter((file) => file.endsWith(".test.ts"))
          .map((file) => readFileSync(join(path, file), "utf8"));
      });
      assert.ok(
        texts.some((text) => run.test(text)),
        `no test in test/cli or test/runner calls turnwise(["${name}", ...])`,
      );
    });
  }
});
