import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { toVerl } from "turnwise-practice";
import { removeTemporaryFolders, temporaryFolder, turnwise, turnwiseEach } from "../support/command.js";
import { patient } from "../support/patient.js";

describe("turnwise convert", function () {
  this.timeout(patient(60_000));
  after(removeTemporaryFolders);
  const config = path.join(temporaryFolder(), "config.json");
  before(() => {
    fs.mkdirSync(path.dirname(config), { recursive: true });
    fs.writeFileSync(
      config,
      JSON.stringify({ loss_type: "cispo", epsilon_high: 6, num_generations: 16, output_dir: "out" }),
    );
  });

  it("prints a rule as a trainer's flags, with what they leave out above them", async () => {
    const { code, stdout } = await turnwise(["convert", "dapo", "--to", "verl", "--groups", "4"]);
    assert.equal(code, 0);
    assert.equal(stdout, `${String(toVerl("dapo", { groupSize: 4 }))}\n`);
    assert.match(
      stdout,
      /^# dapo for verl .*\n# unsupported: advantage\.allowSingleton is false in the rule, true in verl/,
    );
  });

  it("reads a configuration back as the closest rule", async () => {
    const { code, stdout } = await turnwise(["convert", "--from", config, "--trainer", "trl"]);
    assert.equal(code, 0);
    assert.match(stdout, /^The closest rule is cispo; groups of 16\n/);
    assert.match(stdout, /\ngate\.clipHigh: 5 instead of 0\.2\n/);
    assert.match(stdout, /\nnot part of the rule: output_dir\n$/);
  });

  it("translates one trainer's configuration into another's flags, with its group size", async () => {
    const { code, stdout } = await turnwise(["convert", "--from", config, "--to", "verl"]);
    assert.equal(code, 0);
    // Comments only, then flags that a shell takes: both ends are one text that can be pasted.
    assert.match(
      stdout,
      /^# The closest rule is cispo; groups of 16\n(# .*\n)+python -m verl\.trainer\.main_ppo /,
    );
    assert.match(stdout, /rollout\.n=16/);
    assert.match(stdout, /clip_ratio_high=5/);
  });

  it("still answers to its former name and options, and says what they are called now", async () => {
    const [written, read] = await turnwiseEach([
      ["flags", "dapo", "--for", "verl"],
      ["flags", "--read", config, "--for=trl"],
    ]);
    assert.equal(written!.stdout, `${String(toVerl("dapo"))}\n`);
    assert.match(
      written!.stderr,
      /^Note: turnwise flags is now turnwise convert; .*\nNote: --for is now --to; /,
    );
    assert.match(read!.stdout, /^The closest rule is cispo; /);
    assert.match(read!.stderr, /\nNote: --read is now --from; /);
  });

  it("refuses a trainer, a rule or a file that it does not know, with the closest valid name and without a stack", async () => {
    const cases = [
      [
        ["grpo", "--to", "openrhlf"],
        /^Cannot convert: --to must be one of trl, verl, openrlhf, got .*\nDid you mean: --to openrlhf\n$/,
      ],
      [
        ["grpo", "--trainer", "trl"],
        /^Cannot convert: --trainer must come with --from, which is missing\.\n/,
      ],
      [["gpro"], /\.\nDid you mean "grpo"\?/],
      [[], /^Cannot convert: give one rule, or --from a file, got 0 rules\.\n/],
      [
        ["grpo", "--from", config],
        /^Cannot convert: give one rule, or --from a file, got 1 rules and a file\.\n/,
      ],
      [["--from", "none.json"], /^Cannot read the configuration: no such file: none\.json\n/],
      [
        ["grpo", "--groups", "many"],
        /^Cannot write flags of TRL: groupSize must be an integer >= 2, got NaN\.\n$/,
      ],
    ] as const;
    const all = await turnwiseEach(cases.map(([args]) => ["convert", ...args]));
    for (const [i, [args, says]] of cases.entries()) {
      assert.equal(all[i]!.code, 1, args.join(" "));
      assert.match(all[i]!.stderr, says);
    }
  });
});
