import assert from "node:assert/strict";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { startKernel, type KernelClient } from "turnwise-kernel";
import type { LanguageServiceEngine } from "turnwise-kernel/dist/types/language-service.js";
import { repository, resultText, temporaryFolder } from "./with-kernel.js";
import { checkerIn } from "./with-types.js";

/** A workspace: a notebook's folder, and a package with three entry points that node_modules links to. */
const files: Record<string, string> = {
  "shapes/package.json": JSON.stringify({
    name: "@geo/shapes",
    exports: {
      ".": { types: "./dist/index.d.ts", default: "./dist/index.js" },
      "./exact": { types: "./dist/exact.d.ts", default: "./dist/exact.js" },
      "./long/exact": { types: "./dist/exact.d.ts", default: "./dist/exact.js" },
      "./esm": { types: "./dist/esm.d.mts", default: "./dist/esm.mjs" },
      "./package.json": "./package.json",
      "./dist/*": "./dist/*.js",
      "./hidden": null,
    },
  }),
  "shapes/dist/index.js": "exports.area = (r) => 3 * r * r;",
  "shapes/dist/index.d.ts":
    "export declare function area(r: number): number; export declare const squares: number;",
  "shapes/dist/exact.js": "exports.square = (r) => Math.PI * r * r;",
  "shapes/dist/exact.d.ts": "export declare function square(r: number): number;",
  "shapes/dist/esm.mjs": "export default 7; export const side = 2;",
  "shapes/dist/esm.d.mts": "declare const seven: 7; export default seven; export declare const side: number;",
};

describe("the entry points of a package", function () {
  this.timeout(60_000);
  const temporary = temporaryFolder();
  let engine: LanguageServiceEngine;
  let folder: string;
  let kernel: KernelClient;

  before(async () => {
    folder = join(temporary(), "notebooks");
    for (const [name, text] of Object.entries(files)) {
      const path = join(temporary(), name);
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, text);
    }
    mkdirSync(join(folder, "node_modules", "@geo"), { recursive: true });
    symlinkSync(join(temporary(), "shapes"), join(folder, "node_modules", "@geo", "shapes"));
    engine = checkerIn(folder);
    kernel = await startKernel({ cwd: folder });
  });
  after(async () => {
    engine.close();
    await kernel.shutdown();
  });
  const messages = (cell: string): string[] => engine.check(cell).map(({ message }) => message);

  it("give cells their types", () => {
    const cell = 'import { square } from "@geo/shapes/exact"; import seven, { side } from "@geo/shapes/esm";';
    assert.deepEqual(messages(`${cell} const area: number = square(side) * seven`), []);
    assert.deepEqual(messages(`${cell} const area: string = square(seven)`), [
      "Type 'number' is not assignable to type 'string'.",
    ]);
  });

  it("run in cells, both checked and as plain JavaScript without checks", async () => {
    const cell = 'import { square } from "@geo/shapes/exact"; import seven, { side } from "@geo/shapes/esm";';
    const value =
      'import { area } from "@geo/shapes"; [area(side), square(side) > 12, seven, require("@geo/shapes/exact").square === square]';
    for (const first of ["", "// @ts-nocheck\n"]) {
      assert.equal(resultText(await kernel.execute(`${first}${cell}${value}`)), "[ 12, true, 7, true ]");
    }
  });

  it("are named where another one of them exports what a cell imports", () => {
    const missing = `Module '"@geo/shapes"' has no exported member 'side'.`;
    assert.deepEqual(messages('import { area, side } from "@geo/shapes"; area(side)'), [
      `${missing} side is exported by "@geo/shapes/esm": import { side } from "@geo/shapes/esm"`,
    ]);
    // The shorter of two ways, and before a proposal that only looks alike (squares).
    assert.deepEqual(messages('import { square as s } from "@geo/shapes"; s(1)'), [
      `'"@geo/shapes"' has no exported member named 'square'. ` +
        'square is exported by "@geo/shapes/exact": import { square } from "@geo/shapes/exact"',
    ]);
    assert.deepEqual(messages('import { area } from "@geo/shapes/exact"; area(1)'), [
      `Module '"@geo/shapes/exact"' has no exported member 'area'. ` +
        'area is exported by "@geo/shapes": import { area } from "@geo/shapes"',
    ]);
  });

  it("are not named where none of them has it, and the next cell is checked as before", () => {
    assert.deepEqual(messages('import { volume } from "@geo/shapes"; volume(1)'), [
      `Module '"@geo/shapes"' has no exported member 'volume'.`,
    ]);
    assert.deepEqual(messages('import { area } from "@geo/shapes"; area(1)'), []);
    assert.match(messages('import { nothing } from "node:fs"')[0]!, /has no exported member 'nothing'\.$/);
  });

  it("of the library are named in the error of a cell", async () => {
    const outside = await startKernel({ cwd: join(repository, "notebooks") });
    try {
      const { error } = await outside.execute(
        'import { enumerateReturn } from "turnwise/plot";\nenumerateReturn',
      );
      assert.equal(error?.ename, "TypeScriptError");
      assert.match(
        error.evalue,
        /^cell_1\.ts:1:10 - TS2305: .* enumerateReturn is exported by "turnwise(\/exact)?": import \{ enumerateReturn \} from "turnwise(\/exact)?"$/,
      );
    } finally {
      await outside.shutdown();
    }
  });
});
