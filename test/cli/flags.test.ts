import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { toVerl } from "turnwise-practice";
import { removeTemporaryFolders, temporaryFolder, turnwise, turnwiseEach } from "../support/command.js";
import { patient } from "../support/patient.js";

describe("turnwise flags", function () {
  this.timeout(patient(60_000));
  after(removeTemporaryFolders);

  it("prints a row as a trainer's flags, with what they leave unsaid above them", async () => {
    const { code, stdout } = await turnwise(["flags", "dapo", "--for", "verl", "--groups", "4"]);
    assert.equal(code, 0);
    assert.equal(stdout, `${String(toVerl("dapo", { groupSize: 4 }))}\n`);
    assert.match(stdout, /^# dapo for verl .*\n# cannot: advantage\.allowSingleton is false; does true/);
  });

  it("reads a configuration back as the nearest row", async () => {
    const file = path.join(temporaryFolder(), "config.json");
    fs.writeFileSync(file, JSON.stringify({ loss_type: "cispo", epsilon_high: 6, output_dir: "out" }));
    const { code, stdout } = await turnwise(["flags", "--read", file, "--for", "trl"]);
    assert.equal(code, 0);
    assert.match(stdout, /^The nearest row is cispo; groups of 8\n/);
    assert.match(stdout, /\ngate\.clipHigh: 5 in the place of 0\.2\n/);
    assert.match(stdout, /\nnot of the rule: output_dir\n$/);
  });

  it("refuses a trainer, a row or a file that it does not know, with the nearest right name and without a stack", async () => {
    const cases = [
      [
        ["grpo", "--for", "openrhlf"],
        /^Cannot write flags: --for must be one of trl, verl, openrlhf, got .*\nDid you mean: --for openrlhf\n$/,
      ],
      [["gpro"], /\.\nDid you mean "grpo"\?/],
      [[], /^Cannot write flags: give one rule, or a configuration to read, got 0 rules\.\n/],
      [["--read", "none.json"], /^Cannot read the configuration: no such file: none\.json\n/],
      [
        ["grpo", "--groups", "many"],
        /^Cannot write flags of TRL: groupSize must be an integer >= 2, got NaN\.\n$/,
      ],
    ] as const;
    const all = await turnwiseEach(cases.map(([args]) => ["flags", ...args]));
    for (const [i, [args, says]] of cases.entries()) {
      assert.equal(all[i]!.code, 1, args.join(" "));
      assert.match(all[i]!.stderr, says);
    }
  });
});
