import assert from "node:assert/strict";
import path from "node:path";
import { root } from "../support/paths.js";

interface Artifact {
  readonly from: string;
}
interface Generated {
  readonly artifacts: readonly Artifact[];
  differing(artifact: Artifact): Promise<[file: string, text: string][]>;
}

// eslint-disable-next-line @typescript-eslint/no-require-imports
const { artifacts, differing } = require(path.join(root, ".ci", "generated.cjs")) as Generated;

type Tier = "test" | "slow" | "matrix";

/** What takes longer to make than quick tests may: seconds, or minutes. */
const tiers: Readonly<Record<string, Tier>> = {
  "the cards of the recipes": "slow",
  "datasets/measured/report-card.jsonl": "slow",
  "the imports between the folders of a package": "slow",
  // generated.slow.test.ts makes a fifth of it.
  "training every recipe on LookUp-v0": "matrix",
};

export const artifactsOf = (tier: Tier): readonly Artifact[] =>
  artifacts.filter(({ from }) => (tiers[from] ?? "test") === tier);

/** Sources named above that no artifact has. */
export const unknownSources = (): readonly string[] =>
  Object.keys(tiers).filter((from) => !artifacts.some((artifact) => artifact.from === from));

/** Declares the test that the files of an artifact are what its source gives. */
export function itIsCurrent(artifact: Artifact): void {
  it(`are, byte for byte, what is made from ${artifact.from}`, async () => {
    const stale = (await differing(artifact)).map(([file]) => file);
    assert.deepEqual(stale, [], "run: npm run generated");
  });
}
