import type { Magic, TypePolicy } from "./contract.js";

const policies = ["strict", "error", "warn", "off"];

/** `%types`: what type errors do. */
export const types: Magic = {
  name: "types",
  forms: ["line"],
  usage: ["%types strict | error | warn | off"],
  about: "From here on, a type error stops its cell, is told and the cell runs, or is not looked for.",
  more:
    "`strict` stops at what TypeScript's `strict` finds as well, `error` at what the notebook's tsconfig.json asks for. " +
    "It holds for the whole cell in which it stands, and for those that follow.",
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
