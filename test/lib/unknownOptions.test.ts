import assert from "node:assert/strict";
import { EchoTrapMonitor, learningCurve, liveCurve, playground, trainSeeds } from "turnwise";

// What a cell without types may hold.
const given = (options: object): never => options as never;

describe("misspelled options", () => {
  const rows: readonly [what: string, call: () => unknown, message: RegExp][] = [
    [
      "the monitor",
      () => new EchoTrapMonitor(given({ warmup: 3 })),
      /^Cannot monitor: unknown option "warmup"\.\nDid you mean "warmUp"\?$/,
    ],
    [
      "the playground",
      () => playground(given({ stert: {} })),
      /^Cannot open the playground: unknown option "stert"\.\nDid you mean "start"\?$/,
    ],
    [
      "learningCurve()",
      () => learningCurve({}, given({ metric: "reward/mean", titel: "x" })),
      /^Cannot draw a learning curve: unknown option "titel"\.\nDid you mean "title"\?$/,
    ],
    [
      "liveCurve()",
      () => liveCurve(given({ metric: "reward/mean", totl: 3 })),
      /^Cannot draw a live curve: unknown option "totl"\.\nDid you mean "total"\?$/,
    ],
  ];
  for (const [what, call, message] of rows) {
    it(`are refused by ${what}, with the right name`, () => {
      assert.throws(call, { name: "RangeError", message });
    });
  }

  it("are told apart from a forgotten argument by trainSeeds()", async () => {
    const options = given({ env: "LookUp-v0", recipe: "grpo", updates: 1, seeds: 2 });
    await assert.rejects(trainSeeds(options, undefined as never), {
      name: "TypeError",
      message:
        "Cannot train several seeds: their number or a list of them must follow the options, got undefined.",
    });
    await assert.rejects(trainSeeds(options, 2), {
      name: "RangeError",
      message: /^Cannot train: unknown option "seeds"\.\nDid you mean "seed"\?$/,
    });
  });
});
