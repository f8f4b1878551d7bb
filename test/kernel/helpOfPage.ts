// Uses internals of turnwise-site/types.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { inspect } from "node:util";
import { makeHelpSymbol, type MakeHelp } from "turnwise-site/internal/types/help-loader";
import { DeclarationReader } from "turnwise-kernel/dist/help/declarations.js";
import { installedHelp, onDisk } from "turnwise-kernel/dist/help/installed.js";
import type { Packed } from "turnwise-kernel/dist/types/packed.js";
import { builtTypes } from "../support/browserTypes.js";
import { repository } from "./with-kernel.js";

const load = createRequire(__filename);

/** `help()` in a page, which has it from the packed declarations. */
export function describeHelpOfPage(): void {
  describe("help from the packed declarations of a page", function () {
    this.timeout(60_000);
    let makeHelp: MakeHelp;
    let packed: Packed;

    before(async () => {
      const folder = await builtTypes();
      packed = JSON.parse(readFileSync(join(folder, "declarations.json"), "utf8")) as Packed;
      (0, eval)(readFileSync(join(folder, "help.js"), "utf8"));
      makeHelp = (globalThis as unknown as Record<symbol, MakeHelp>)[makeHelpSymbol]!;
    });

    const asker = (cells: [string, string][] = []): Parameters<MakeHelp>[1] => ({
      kernel: () => ({}),
      load: (tier) => load(tier) as Record<string, unknown>,
      inspect: (value) => inspect(value, { depth: 0, breakLength: Infinity }),
      cells: () => cells,
    });

    it("reports every exported name, of worlds, rules and magics what Node tells from the disk", () => {
      const [disk, page] = [installedHelp({}, repository), makeHelp(packed, asker())];
      const reader = new DeclarationReader(onDisk(repository));
      const exported = ["index", "exact/index", "plot/index", "verdict/index", "tensor/index"].flatMap(
        (tier) => [...reader.exportsOf(join(repository, "lib", "turnwise", "dist", `${tier}.d.ts`)).keys()],
      );
      const others = [
        "LookUp-v0",
        "grpo",
        "gru",
        "clipHigh",
        "policy/approxKl",
        "%%module",
        "trian",
        "display",
      ];
      assert.ok(exported.length > 250, `${exported.length} names`);
      // The index of all names is a folder of the checkout, where a page has none.
      const onNode = (name: string): string => String(disk.about(name)).replace(/\n\nIndex: [^\n]*/, "");
      for (const name of [...exported, ...others]) assert.equal(String(page.about(name)), onNode(name), name);
      assert.equal(String(page.about()), String(disk.about()), "the index of all");
      assert.equal(String(page.about(42)), String(disk.about(42)));
    });

    it("reports what the cells of the notebook have declared", () => {
      const page = makeHelp(
        packed,
        asker([["cell_1.ts", "/** Two of it. */\nfunction twice(x: number) { return 2 * x }"]]),
      );
      assert.match(String(page.about("twice")), /function twice\(x: number\)[^]*Two of it\./);
    });

    it("tells what is declared of a tier that no cell has imported", () => {
      const page = makeHelp(packed, { ...asker(), load: () => undefined });
      assert.match(
        String(page.about("groupAdvantage")),
        /function groupAdvantage\(reward: ArrayLike<number>/,
      );
    });
  });
}
