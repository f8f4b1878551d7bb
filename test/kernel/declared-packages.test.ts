// Uses internals of turnwise-kernel/help.
import assert from "node:assert/strict";
import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { startKernel } from "turnwise-kernel";
import { packagesOnDisk } from "turnwise-kernel/dist/help/packages-on-disk.js";
import type { LanguageServiceEngine } from "turnwise-kernel/dist/types/language-service.js";
import { turnwise } from "../support/command.js";
import { root } from "../support/paths.js";
import { resultText, temporaryFolder } from "./with-kernel.js";
import { checkerIn } from "./with-types.js";

const example = join(root, "test", "support", "example-package");

function write(file: string, content: unknown): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, JSON.stringify(content));
}

/** A project that depends on the example, and on a package whose field is wrong in several places. */
function makeProject(folder: string): void {
  write(join(folder, "package.json"), { dependencies: { "example-package": "1.0.0", careless: "1.0.0" } });
  cpSync(example, join(folder, "node_modules", "example-package"), { recursive: true });
  write(join(folder, "node_modules", "careless", "package.json"), {
    name: "careless",
    jupyterKernel: {
      hint: {},
      warmUp: "all",
      commands: { leave: { summary: "leave", module: "../elsewhere.js" } },
      completions: { help: '"careless"' },
    },
  });
  // It declares the same as the example, but the project does not depend on it.
  write(join(folder, "node_modules", "stranger", "package.json"), {
    name: "stranger",
    jupyterKernel: { commands: { rob: { summary: "take what is there", module: "./rob.js" } } },
  });
}

describe("a package that declares jupyterKernel", function () {
  this.timeout(60_000);
  this.slow(10_000);
  const temporary = temporaryFolder();
  let folder: string;
  let engine: LanguageServiceEngine;

  before(() => {
    folder = temporary();
    makeProject(folder);
    engine = checkerIn(folder);
  });
  after(() => engine.close());
  const message = (cell: string): string | undefined => engine.check(cell)[0]?.message;

  it("is known if the project depends on it; the packages beside the kernel are, too", () => {
    const names = packagesOnDisk(folder).packages.map(({ name }) => name);
    assert.deepEqual(names, [
      "example-package",
      "careless",
      "turnwise",
      "turnwise-practice",
      "turnwise-course",
    ]);
  });

  it("gets one sentence about each part that is wrong, and the rest counts", () => {
    const { packages, problems } = packagesOnDisk(folder);
    const start = 'Cannot use "jupyterKernel';
    assert.deepEqual(problems, [
      `${start}.hint" in the package.json of careless: it must be one of internal, warmUp, hints, completions, help, commands, doctor, prepare, got "hint".`,
      `${start}.warmUp" in the package.json of careless: it must be a list of paths of exports, such as ".", got "all".`,
      `${start}.commands" in the package.json of careless: it must map the lower-case name of the command to { "summary": text, "module": "./..." }, got {"leave":{"summary":"leave","module":"../elsewhere.js"}}.`,
    ]);
    const careless = packages.find(({ name }) => name === "careless");
    assert.deepEqual(careless?.field, { completions: { help: '"careless"' } });
  });

  it("has its entry points in hints, but not those for programs", () => {
    assert.match(
      message("cubeVolume(2)")!,
      /Import it: import \{ cubeVolume \} from "example-package\/solids"$/,
    );
    assert.doesNotMatch(message("workerEntry()")!, /Import it/);
  });

  it("names the types that must be awaited", () => {
    const cell = 'import { measureShape } from "example-package"; measureShape("square").map(String)';
    assert.match(message(cell)!, /Did you forget await\?$/);
  });

  it("words the hint about an option that belongs deeper", () => {
    const cell = 'import { draw } from "example-package"; draw("square", { strokeWidth: 3 })';
    assert.match(message(cell)!, /It belongs deeper: draw\(shape, \{ line: \{ strokeWidth: 3 \} \}\)$/);
  });

  it("completes help with its names and a name with an import", () => {
    const words = (cell: string): string[] =>
      engine.complete(cell, cell.length).items.map(({ text }) => text);
    assert.deepEqual(words('help("tri'), ["triangle"]);
    assert.deepEqual(words('help("care'), ["careless"]);
    assert.deepEqual(
      engine.complete("cubeV", 5).imports?.map(({ statement }) => statement),
      ['import { cubeVolume } from "example-package/solids"'],
    );
  });

  it("answers help, which loads it for that and reports what it declares wrong", async () => {
    const kernel = await startKernel({ cwd: folder });
    try {
      const { outputs } = await kernel.execute('help("triangle")');
      const text = outputs.flatMap((output) =>
        "data" in output
          ? [String(output.data["text/plain"])]
          : "text" in output
            ? [String(output.text)]
            : [],
      );
      assert.match(text.join("\n"), /A triangle of side 1 has area 0\.5\./);
      assert.match(text.join("\n"), /Cannot use "jupyterKernel\.warmUp" in the package\.json of careless: /);
      const index = await kernel.execute('String(help()).includes("Shapes (2)\\n  triangle, square")');
      assert.equal(resultText(index), "true");
    } finally {
      await kernel.shutdown();
    }
  });

  it("adds commands to turnwise, which refuses what it cannot use and runs nothing else", async () => {
    const help = await turnwise(["--help"], { cwd: folder });
    assert.match(help.stdout, /^ {2}area +print the area of a square$/m);
    assert.doesNotMatch(help.stdout, /leave|rob /);
    const { stdout, stderr, code } = await turnwise(["area", "3"], { cwd: folder });
    assert.deepEqual([stdout, code], ["9\n", 0]);
    assert.match(stderr, /^Cannot use "jupyterKernel\.commands\.leave" in the package\.json of careless: /);
    const wrong = await turnwise(["area", "wide"], { cwd: folder });
    assert.match(wrong.stderr, /\nCannot compute the area: the side must be a number, got wide\.\n$/);
    assert.equal(wrong.code, 1);
  });

  it("is described part by part in kernel/PACKAGES.md", () => {
    const page = readFileSync(join(root, "kernel", "PACKAGES.md"), "utf8");
    const { jupyterKernel } = JSON.parse(readFileSync(join(example, "package.json"), "utf8")) as {
      jupyterKernel: Record<string, unknown>;
    };
    for (const part of Object.keys(jupyterKernel))
      assert.match(page, new RegExp(`^\\| \`${part}`, "m"), part);
  });
});

describe("the kernel's sources", () => {
  /** Words of reinforcement learning; a package that has them declares what the kernel needs. */
  const words =
    /\b(recipes?|advantages?|rollouts?|grpo|seeupo|reward|entropy|worlds|SweepRun|turnwise-(practice|course))\b/i;
  /** Where they are today, with the reason. The list may only become shorter. */
  const known = new Set<string>([]);

  it("have no word of reinforcement learning", () => {
    const sources = join(root, "kernel", "src");
    const files = readdirSync(sources, { recursive: true, encoding: "utf8" })
      .map((file) => file.replaceAll("\\", "/"))
      .filter((file) => /\.m?ts$/.test(file));
    const found = files.filter((file) => words.test(readFileSync(join(sources, file), "utf8")));
    assert.deepEqual(found.filter((file) => !known.has(file)).sort(), []);
    assert.deepEqual(
      [...known].filter((file) => !found.includes(file)),
      [],
      "take these off the list",
    );
  });
});
