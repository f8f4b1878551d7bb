// Uses internals of turnwise-course.
import { stepRun } from "turnwise-course/step-credit";
import { anythingRun } from "turnwise-course/internal/08-step-credit/anythingRun";
import { of, same, stored } from "./storedTables";

describe("lesson 08, credit for steps", () => {
  it("stored runs are what the library computes now", async () => {
    const job = { world: "LookUp-v0", arm: "information gain", paid: "with", reading: 1, seed: 7 } as const;
    const again = await stepRun(job);
    const [before] = of(stored("step-reading"), {
      arm: "information gain",
      paid: "with",
      reading: 1,
      seed: 7,
    });
    same(again.score, before);
    const parts = { world: "TMaze-v0", arm: "all parts", seed: 3 } as const;
    const [own] = of(stored("step-anything"), parts, "bySteps");
    same((await anythingRun(parts)).bySteps, own);
    const [course] = stored("step-false").filter(
      (row) => row["setting"] === "Calculator" && row["paid"] === "with" && row["seed"] === 4,
    );
    const { score, falseSteps } = await stepRun({
      ...{ world: "Calculator-v0", arm: "verdict on the sign", paid: "with", seed: 4 },
    } as const);
    same(score, course!["score"]);
    same(falseSteps, course!["falseSteps"]);
  }).timeout(60_000);
});
