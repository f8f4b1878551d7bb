import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { removeTemporaryFolders, temporaryFolder, turnwise, turnwiseEach } from "../support/command.js";
import { patient } from "../support/patient.js";
import { root } from "../support/paths.js";

describe("turnwise doctor of a run", function () {
  this.timeout(patient(60_000));
  after(removeTemporaryFolders);

  it("prints the page, writes it for a browser, and ends with what was found", async () => {
    const folder = temporaryFolder();
    const example = (name: string): string => path.join(root, "datasets/debugging", name);
    const html = path.join(folder, "report.html");
    fs.writeFileSync(path.join(folder, "nonsense.json"), '{"foo": 1}');
    const none = await turnwise(["diagnose"]);
    assert.equal(none.code, 1);
    assert.match(none.stderr, /^Cannot examine a run: give exactly one, got 0\.\n/);
    const [fell, script, nonsense, missing, one] = await turnwiseEach([
      ["doctor", example("entropy-rises"), "--html", html],
      ["doctor", example("kl-spikes.sh"), "--json"],
      ["doctor", path.join(folder, "nonsense.json")],
      ["doctor", path.join(folder, "none")],
      ["doctor", example("nan.jsonl"), "--compare"],
    ]);
    assert.equal(fell!.code, 3);
    assert.match(fell!.stdout, /^Most likely: entropy exploded/);
    assert.match(fs.readFileSync(html, "utf8"), /^<!doctype html>/);
    assert.equal(script!.code, 4);
    assert.equal((JSON.parse(script!.stdout) as { code: number }).code, 4);
    assert.equal(nonsense!.code, 1);
    assert.match(nonsense!.stderr, /^Cannot examine a run: .*must hold a log, a configuration or rollouts/);
    assert.equal(missing!.code, 1);
    assert.match(missing!.stderr, /^Cannot examine a run: no such file or folder/);
    assert.equal(one!.code, 1);
    assert.match(one!.stderr, /^Cannot compare runs: give exactly two, got 1\.\n/);
  });
});
