import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { plain, resultText, sharedKernel, temporaryFolder } from "./with-kernel.js";
import { checkerIn } from "./with-types.js";

interface Found {
  readonly matches: string[];
  readonly cursor_start: number;
  readonly cursor_end: number;
  readonly metadata: { readonly _jupyter_types_experimental: { text: string; start: number; end: number }[] };
}

describe("completion of a name that nothing has imported", function () {
  this.timeout(60_000);
  const folder = temporaryFolder();
  before(() => {
    const at = join(folder(), "node_modules", "far-shapes");
    mkdirSync(at, { recursive: true });
    writeFileSync(join(folder(), "package.json"), '{ "dependencies": { "far-shapes": "1.0.0" } }');
    writeFileSync(
      join(at, "package.json"),
      '{ "name": "far-shapes", "version": "1.0.0", "types": "index.d.ts" }',
    );
    writeFileSync(join(at, "index.d.ts"), "export declare function areaOfSquare(side: number): number;\n");
    writeFileSync(join(at, "index.js"), "exports.areaOfSquare = (side) => side * side;\n");
  });
  const kernel = sharedKernel(() => ({ cwd: folder() }));

  const complete = async (code: string, at = code.length): Promise<Found> =>
    (await kernel().request("shell", "complete_request", { code, cursor_pos: at }))
      .content as unknown as Found;

  /** What a front end makes of a cell when one of the matches is taken. */
  const taken = async (code: string, match = 0, at = code.length): Promise<string | undefined> => {
    const { matches, cursor_start, cursor_end } = await complete(code, at);
    const text = matches[match];
    return text === undefined ? undefined : code.slice(0, cursor_start) + text + code.slice(cursor_end);
  };

  it("adds the import of a name of the library, and the cell runs", async () => {
    const found = await taken("typeof groupAdvantag");
    assert.equal(found, 'import { groupAdvantage } from "turnwise"\ntypeof groupAdvantage');
    const result = await kernel().execute(found!);
    assert.equal(resultText(result), "'function'", plain(result.error?.traceback));
  });

  it("adds that of a name of Node and of a module of Node", async () => {
    assert.equal(
      await taken("const there = existsSyn"),
      'import { existsSync } from "node:fs"\nconst there = existsSync',
    );
    assert.equal(
      await taken("child_pro"),
      'import * as child_process from "node:child_process"\nchild_process',
    );
  });

  it("adds that of an installed package's name, and of the package itself", async () => {
    const cell = await taken("areaOf");
    assert.equal(cell, 'import { areaOfSquare } from "far-shapes"\nareaOfSquare');
    // A square of side 3 has area 9.
    assert.equal(resultText(await kernel().execute(`${cell}(3)`)), "9");
    assert.equal(await taken("farSh"), 'import * as farShapes from "far-shapes"\nfarShapes');
  });

  it("puts it above the statement, so that the text to replace is in the cursor's line where it can be", async () => {
    const code = "// @ts-nocheck\nconst a = 1\nconsole.log(mkdtempS";
    const found = await complete(code);
    assert.equal(found.matches[0], 'import { mkdtempSync } from "node:fs"\nconsole.log(mkdtempSync');
    assert.equal(found.cursor_start, code.lastIndexOf("\n") + 1);
    const [one] = found.metadata._jupyter_types_experimental;
    assert.deepEqual([one!.text, one!.start, one!.end], [found.matches[0], found.cursor_start, code.length]);
    const inside = "/** Why. */\nfunction f() {\n  mkdtempS\n}";
    assert.equal(
      await taken(inside, 0, inside.indexOf("mkdtempS") + 8),
      'import { mkdtempSync } from "node:fs"\n/** Why. */\nfunction f() {\n  mkdtempSync\n}',
    );
    // What a front end counts are characters, and a magic stays the cell's first line.
    const timed = await complete("%%time\n'\u{1F600}';\nstatfsSyn");
    assert.deepEqual(
      [timed.matches[0], timed.cursor_start, timed.cursor_end],
      ['import { statfsSync } from "node:fs"\nstatfsSync', 12, 21],
    );
  });

  it("offers none where other names begin so, in quotes, behind a dot, and for what is being declared", async () => {
    await kernel().execute("const existsSynthetically = 1");
    assert.deepEqual((await complete("existsSyn")).matches, ["existsSynthetically"]);
    for (const code of [
      "'mkdtempS",
      "Math.mkdtempS",
      "const mkdtempS",
      "// mkdtempS",
      "import { mkdtempS",
      "mk",
    ])
      assert.deepEqual(
        (await complete(code)).matches.filter((one) => one.includes("import {")),
        [],
        code,
      );
  });
});

describe("completion of the name of a package", () => {
  const folder = temporaryFolder();

  it("finds what package.json names, also below a folder with capital letters", () => {
    for (const name of ["ada", "Ada"]) {
      const own = join(folder(), name);
      mkdirSync(join(own, "node_modules", "far-shapes"), { recursive: true });
      writeFileSync(join(own, "package.json"), '{ "dependencies": { "far-shapes": "1.0.0" } }');
      writeFileSync(
        join(own, "node_modules", "far-shapes", "index.d.ts"),
        "export declare const side: number;\n",
      );
      const code = 'import { side } from "far';
      const { items } = checkerIn(own).complete(code, code.length);
      const found = items.map((item) => item.text);
      assert.deepEqual(found, ["far-shapes"], name);
    }
  });
});
