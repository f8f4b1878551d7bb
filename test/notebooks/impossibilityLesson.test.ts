// Uses internals of turnwise-kernel/runner.
import assert from "node:assert/strict";
import path from "node:path";
import { readNotebook } from "turnwise-kernel/dist/runner/notebook.js";
import { root } from "../support/paths.js";

describe("lesson 02, the impossibility theorem", () => {
  const { cells } = readNotebook(path.join(root, "notebooks", "02-impossibility-theorem.ipynb"));
  const shown = (id: string): string =>
    (cells.find((cell) => cell.id === id)?.outputs ?? [])
      .map((output) => ("data" in output ? String(output.data["text/plain"]) : ""))
      .join("\n");
  const rows = new Map(
    cells
      .find(({ id }) => id === "s7why")!
      .source.split("\n")
      .filter((line) => line.startsWith("| "))
      .map((line) => line.split(" | "))
      .map(([entry, , , , found]) => [entry!.slice(2), found!]),
  );
  const falls = (rule: string, games: string): string =>
    new RegExp(`${rule}, ${games}: (\\d+ of \\d+)`).exec(shown("falls"))![1]!;
  const [binary, rare, shared] = ["rewards of 0 or 1", "rare large rewards", "one set of parameters"] as const; // prettier-ignore

  it("closes with a table whose numbers are those of its cells", () => {
    const found = (entry: string): string => rows.get(entry)!;
    const both = (rule: string): number[] =>
      [binary, rare].map((games) => Number(falls(rule, games).split(" ")[0]));
    assert.match(found("PPO, many turns"), /: 0 of 400 games fall, and 6 of 200 /);
    assert.deepEqual(both("perfect critic, as far as the clip allows"), [0, 0]);
    assert.equal(falls("perfect critic, as far as the clip allows", shared), "6 of 200");
    assert.match(found("GRPO, many turns"), /^112 of 200 with rare large rewards, 0 with 0 or 1; 10 of 200 /);
    assert.deepEqual(both("grpo, as far as the clip allows"), [0, 112]);
    assert.equal(falls("grpo, as far as the clip allows", shared), "10 of 200");
    assert.match(found("RLOO, many turns"), /: 0 of 400, and 0 of 200 /);
    assert.deepEqual(both("group's mean alone, small step"), [0, 0]);
    assert.equal(falls("group's mean alone, small step", shared), "0 of 200");
    assert.match(found("SeeUPO, many turns"), /^0 of 300 optima missed; 48 of 200 games fall /);
    assert.match(shown("sweep"), /Optima missed by one greedy update: 0 by seeUpo, 2\d\d by drGrpo/);
    assert.match(shown("sweep-shared"), /'seeUpo falls, of 200 games': 48/);
  });

  it("makes bold, in that table, the four entries that it announces", () => {
    const table = cells.find(({ id }) => id === "s7why")!.source;
    const bold = table.split("\n").filter((line) => line.startsWith("| ") && line.includes("**"));
    assert.equal(bold.length, 4);
    assert.match(cells[0]!.source, /Four of these entries will not hold/);
  });

  it("finds two of the four knobs right at every policy", () => {
    const wrong = [...shown("one-knob").matchAll(/^(\{.*?\})\s+(\d+)/gm)].map(
      ([, move, n]) => `${move!} ${n!}`,
    );
    assert.deepEqual(wrong, ["{} 39", '{"divideByStd":false} 0', '{"groupSize":64} 3', '{"prize":100} 22', '{"salary":0} 0']); // prettier-ignore
  });
});
