// Uses internals of turnwise-course.
import assert from "node:assert/strict";
import { ownRunLesson } from "turnwise-course/internal/11-your-own-run/lesson";
import { twin } from "turnwise-practice";
import { carriedClaims } from "turnwise-practice/internal/twin/carryOver";
import { patient } from "../../../support/patient.js";
import { manySteps, plain } from "../../../support/twinConfigs.js";

describe("twin()", function () {
  this.timeout(patient(60_000));

  it("holds where every world is given healthy settings, and says what it took over and what not", async () => {
    const report = await twin(plain, {
      seeds: 5,
      updates: 60,
      worlds: ["tools", "hidden"],
      workers: 0,
      bar: false,
    });
    assert.deepEqual(
      report.worlds.map(({ own, healthy: other }) => [own.lost, other.lost]),
      [
        [0, 0],
        [0, 0],
      ],
    );
    assert.deepEqual(report.changes, []);
    const text = String(report);
    assert.match(text, /^The twin (holds in all 2 worlds|is not shown to collapse)/);
    assert.match(text, /taken over: .*steps per batch: 1 \(1 x 1\); group size: 8/);
    assert.match(text, /not taken over: the model: size.*the learning rate/);
    assert.match(text, /confidence: fair: a table or a log-linear policy stands for the model/);
    assert.match(text, /carries over\?: nothing here was measured on a language model of your size/);
  });

  it("collapses with many steps on a batch that nothing bounds, and finds a change that helps", async () => {
    // The agent begins with half of the tasks solved: after 40 such batches most seeds have lost them, by one step none.
    const options = { seeds: 5, updates: 40, worlds: ["tools"], workers: 0, bar: false } as const;
    const report = await twin(manySteps, options);
    const [{ own, healthy: other, verdict, says }] = report.worlds as [(typeof report.worlds)[number]];
    assert.equal(other.lost, 0);
    assert.ok(own.lost >= 4, String(own.lost));
    assert.equal(verdict!.kind, "holds", verdict!.reason);
    assert.ok(says === "collapses" || says === "does not learn");
    const once = report.changes.find(({ title }) => title === "One optimizer step on each batch");
    assert.equal(once?.verdict?.kind, "holds", once?.verdict?.reason);
    // Five runs, the healthy settings and the change that helps.
    const svg = report.picture!.svg;
    assert.equal(
      svg.match(/<path [^>]*stroke-linejoin/g)!.length - svg.match(/<path d="M\d+ 12H/g)!.length,
      7,
    );
    assert.match(svg, /aria-label="Success of the twin\. chain of tools: \d.*of 5 runs lost/i);
    assert.deepEqual(
      report.toJSON().worlds,
      (await twin(manySteps, { ...options, changes: false })).toJSON().worlds,
    );
  });

  it("state what carries over as lesson 11 found it", () => {
    const ledger = new Map(ownRunLesson().map((row) => [row.claim, row]));
    for (const { claim, measured, verdict } of carriedClaims) {
      const row = ledger.get(claim);
      assert.equal(row?.measured, measured, claim);
      assert.equal(row?.verdict.text, verdict, claim);
    }
  });
});
