import assert from "node:assert/strict";
import fs from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import ts from "typescript";
import { root } from "../support/paths.js";

/** The largest number of names that each tier may export, types included and deprecated ones left out. Only the root's is a promise to readers. */
const limits = {
  turnwise: 120,
  "turnwise/exact": 90,
  "turnwise/plot": 70,
  "turnwise/search": 40,
  "turnwise/rule": 120,
  "turnwise/tensor": 20,
  "turnwise/verdict": 20,
} as const;
type Tier = keyof typeof limits;
const tiers = Object.keys(limits) as Tier[];

const lib = path.join(root, "lib", "turnwise");
const load = createRequire(path.join(root, "package.json"));
const { exports: entries } = JSON.parse(fs.readFileSync(path.join(lib, "package.json"), "utf8")) as {
  exports: Readonly<Record<string, { readonly types: string }>>;
};
const typesOf = (tier: Tier): string => path.join(lib, entries[tier.replace("turnwise", ".")]!.types);

describe("the tiers of the library's exports", function () {
  this.timeout(60_000);
  const names = new Map<Tier, readonly string[]>();

  before(() => {
    const program = ts.createProgram(tiers.map(typesOf), {
      module: ts.ModuleKind.NodeNext,
      moduleResolution: ts.ModuleResolutionKind.NodeNext,
      types: [],
    });
    const checker = program.getTypeChecker();
    for (const tier of tiers) {
      const symbol = checker.getSymbolAtLocation(program.getSourceFile(typesOf(tier))!)!;
      names.set(
        tier,
        checker
          .getExportsOfModule(symbol)
          .filter((one) => !one.getJsDocTags(checker).some((tag) => tag.name === "deprecated"))
          .map(({ name }) => name),
      );
    }
  });

  for (const tier of tiers) {
    it(`${tier} exports at most ${limits[tier]} names, types included`, function () {
      const found = names.get(tier)!;
      this.test!.title += `: ${found.length} today`;
      assert.ok(found.length <= limits[tier], `${found.length}: ${found.join(", ")}`);
    });
  }

  it("hold one and the same function where two tiers export a name", () => {
    const loaded = tiers.map((tier) => [tier, load(tier) as Readonly<Record<string, unknown>>] as const);
    for (const [tier, exported] of loaded) {
      for (const [other, there] of loaded) {
        for (const name of Object.keys(exported)) {
          if (name in there) assert.equal(exported[name], there[name], `${name} of ${tier} and ${other}`);
        }
      }
    }
  });

  it("keep the signatures of the design in the root", () => {
    const promised = [
      "groupAdvantage",
      "gae",
      "importanceRatio",
      "surrogateLoss",
      "recipe",
      "make",
      "checkEnv",
    ];
    const found = new Set(names.get("turnwise"));
    assert.deepEqual(
      [...promised, "train", "enumerateReturn"].filter((name) => !found.has(name)),
      [],
    );
  });
});
