import { registeredIds, recipeNames } from "turnwise";
import { trainsOn } from "./worlds";

describe("every recipe on every registered environment", () => {
  for (const env of registeredIds()) {
    it(`${env}: one update each, with finite metrics`, () => trainsOn(env, recipeNames)).timeout(240_000);
  }
});
