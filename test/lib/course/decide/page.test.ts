import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { decidePage } from "turnwise-course/internal/decide/page";
import { falseAlarm, meansOfFew } from "turnwise-course/internal/decide/figures";
import { comparisonsOf } from "turnwise-course/internal/decide/comparisons";
import { storedRuns } from "turnwise-course/internal/shared/echoTrap/stored";
import { root } from "../../../support/paths.js";

const csv = fs.readFileSync(path.join(root, "datasets", "measured", "echo-trap.csv"), "utf8");

describe("the page How we decide", () => {
  const texts = decidePage(csv);
  const page = texts["docs/how-we-decide.md"]!;

  it("has the figures that the stored runs give", () => {
    for (const [file, text] of Object.entries(texts).filter(([name]) => name.endsWith(".svg")))
      assert.equal(fs.readFileSync(path.join(root, file), "utf8"), text, `${file}: npm run generated`);
    const pictures = [...page.matchAll(/\]\((how-we-decide\/[a-z]+\.svg)\)/g)].map(
      ([, name]) => `docs/${name!}`,
    );
    assert.deepEqual(
      pictures.sort(),
      Object.keys(texts)
        .filter((name) => name.endsWith(".svg"))
        .sort(),
    );
  });

  it("says numbers that can be computed by hand", () => {
    // 1 - .95^2 = .0975.
    assert.ok(Math.abs(falseAlarm(2) - 0.0975) < 1e-12);
    // Two whole groups of two; the fifth value is left out.
    assert.deepEqual(meansOfFew([0, 1, 1, 1, 0], 2), [0.5, 1]);
    const rows = csv
      .trim()
      .split("\n")
      .map((line) => line.replaceAll('"', "").split(","));
    const finals = rows
      .filter(([, trap, change, , ...rest]) => trap === "reuse" && change === "" && rest.at(-1) === "vanilla")
      .map((row) => Number(row[4]));
    assert.equal(finals.length, 40);
    const [least, most] = [Math.min(...finals), Math.max(...finals)];
    assert.ok(page.includes(`anywhere between ${least.toFixed(2)} and ${most.toFixed(2)}`));
  });

  it("decides fewer gains with Holm and two halves than each comparison does alone, and never another way round", () => {
    const decided = comparisonsOf(storedRuns(csv), "reuse");
    for (const { fix, alone, decided: kind } of decided)
      if (kind === "holds") assert.equal(alone, "holds", fix);
    const count = (list: readonly string[]): number => list.filter((one) => one === "holds").length;
    assert.ok(count(decided.map((one) => one.decided)) < count(decided.map((one) => one.alone)));
  });
});
