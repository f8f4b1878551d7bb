import assert from "node:assert/strict";
import { spawn } from "node:child_process";
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
    const [fell, script, nonsense, missing, one, twin] = await turnwiseEach([
      ["doctor", example("entropy-rises"), "--html", html],
      ["doctor", example("kl-spikes.sh"), "--json"],
      ["doctor", path.join(folder, "nonsense.json")],
      ["doctor", path.join(folder, "none")],
      ["doctor", example("nan.jsonl"), "--compare"],
      ["doctor", example("nan.jsonl"), "--twin"],
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
    assert.match(twin!.stdout, /No twin was trained: it needs the configuration, and none was found/);
    assert.equal(one!.code, 1);
    assert.match(one!.stderr, /^Cannot compare runs: give exactly two, got 1\.\n/);
  });

  it("follows a run until Ctrl-C, rings for its alarms, and ends with the code of the last report", async () => {
    const program = path.join(root, "lib", "turnwise", "bin", "turnwise.cjs");
    const child = spawn(
      process.execPath,
      [program, "doctor", "datasets/debugging/entropy-rises", "--follow"],
      {
        cwd: root,
        stdio: ["ignore", "pipe", "pipe"],
      },
    );
    let out = "";
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      // The whole page would come only at the end.
      if (!out.includes("ALARM") && (out + text).includes("ALARM")) child.kill("SIGINT");
      out += text;
    });
    const code = await new Promise((resolve) => child.once("close", resolve));
    assert.equal(code, 3, out);
    assert.match(out, /^\nMost likely: entropy exploded/);
    const alarms = out.split("\n").filter((line) => line.startsWith("\u0007ALARM "));
    assert.equal(new Set(alarms).size, out.split("\u0007").length - 1);
    assert.match(out, /^Causes, the likeliest first$/m, "the whole page at the end");
    const [lone, two] = await turnwiseEach([
      ["doctor", "datasets/debugging", "--idle-timeout", "3"],
      ["doctor", "datasets/debugging", "--follow", "--compare", "x"],
    ]);
    assert.match(
      lone!.stderr,
      /^Cannot examine a run: --idle-timeout belongs to --follow, which is missing\.$/m,
    );
    assert.match(two!.stderr, /^Cannot follow a run: --follow takes one run/m);
  });
});
