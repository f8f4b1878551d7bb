import type { Magic, TypePolicy } from "./contract.js";

const policies = ["strict", "error", "warn", "off"];

/** `%types`: what type errors do. */
export const types: Magic = {
  name: "types",
  forms: ["line"],
  usage: ["%types strict | error | warn | off"],
  about: "Sets whether type errors stop a cell, are only printed, or are not checked, from this cell on.",
  more:
    "`error` stops at errors by the notebook's tsconfig.json, `strict` also at those that TypeScript's `strict` finds. " +
    "The setting applies to the entire cell that contains it, and to later cells.",
  example: "%types warn",
  words: policies,
  check({ rest }, host) {
    const word = rest.trim();
    if (!policies.includes(word)) {
      throw new RangeError(
        `Cannot set the type policy: %types must be followed by strict, error, warn or off, got ${JSON.stringify(word)}.`,
      );
    }
    host.setTypes(word as TypePolicy);
  },
};
