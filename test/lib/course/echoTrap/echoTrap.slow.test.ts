import { leverNames } from "turnwise-course/internal/shared/echoTrap/levers";
import { countsAlike } from "./countsAlike";

describe("every lever in every trap", () => {
  for (const trap of ["reuse", "cost", "mismatch"] as const) {
    it(`draws the same samples and takes the same steps in ${trap}, unless its name says another number of them`, async () => {
      for (const lever of leverNames) await countsAlike(lever, trap);
    }).timeout(60_000);
  }
});
