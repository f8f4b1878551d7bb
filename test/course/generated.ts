import assert from "node:assert/strict";
import path from "node:path";
import { root } from "../support/paths.js";

interface Artefact {
  readonly from: string;
}
interface Generated {
  readonly artefacts: readonly Artefact[];
  differing(artefact: Artefact): Promise<[file: string, text: string][]>;
}

// eslint-disable-next-line @typescript-eslint/no-require-imports
const { artefacts, differing } = require(path.join(root, ".ci", "generated.cjs")) as Generated;

type Tier = "test" | "slow" | "matrix";

/** What takes longer to make than quick tests may: seconds, or minutes. */
const tiers: Readonly<Record<string, Tier>> = {
  "the cards of the recipes": "slow",
  "datasets/measured/report-card.jsonl": "slow",
  "the imports between the folders of a package": "slow",
  // generated.slow.test.ts makes a fifth of it.
  "training every recipe on LookUp-v0": "matrix",
};

export const artefactsOf = (tier: Tier): readonly Artefact[] =>
  artefacts.filter(({ from }) => (tiers[from] ?? "test") === tier);

/** Sources named above that no artefact has. */
export const unknownSources = (): readonly string[] =>
  Object.keys(tiers).filter((from) => !artefacts.some((artefact) => artefact.from === from));

/** Declares the test that the files of an artefact are what its source gives. */
export function itIsCurrent(artefact: Artefact): void {
  it(`are, byte for byte, what is made from ${artefact.from}`, async () => {
    const stale = (await differing(artefact)).map(([file]) => file);
    assert.deepEqual(stale, [], "run: npm run generated");
  });
}
