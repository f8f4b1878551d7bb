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

describe("generated files", function () {
  this.timeout(300_000);
  // eslint-disable-next-line @typescript-eslint/no-require-imports
  const { artefacts, differing } = require(path.join(root, ".ci", "generated.cjs")) as Generated;

  for (const artefact of artefacts) {
    it(`are, byte for byte, what is made from ${artefact.from}`, async () => {
      const stale = (await differing(artefact)).map(([file]) => file);
      assert.deepEqual(stale, [], "run: npm run generated");
    });
  }
});
