import { echoTrapPartNames, echoTrapParts } from "turnwise-course/echo-trap";
import { holdsAgain } from "./storedCells.js";

describe("many stored runs of the echo trap", () => {
  // Every tenth cell of a part, beginning with its first, each with another seed; and one of each kind of penalty in trap C.
  for (const part of echoTrapPartNames) {
    const which = [...echoTrapParts[part].entries()]
      .filter(
        ([i, { lever }]) =>
          i % 10 === 0 || (part === "mismatch" && /^(KL|SeeUPO, equal).*(1|l|s)$/.test(lever)),
      )
      .map(([i]) => i);
    it(`are what the library computes now, to the last digit stored: ${part}`, () =>
      holdsAgain(part, which)).timeout(240_000);
  }
});
