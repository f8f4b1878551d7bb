import assert from "node:assert/strict";
import { passesOf, words, LOOKUP } from "turnwise-site/internal/views/film/passes";
import { finding, sentences } from "turnwise-site/internal/views/film/words";
import { ticksOf, until, valueAt } from "turnwise-site/internal/views/shared/lineChart";
import { stillPlace } from "turnwise-site/internal/views/shared/useFilm";

describe("the film of one batch", () => {
  const lesson = { batch: 1, passes: 16, rate: 4 } as const;
  const at = (digits: number) => (p: number) => Number(p.toFixed(digits));

  it("learns the tool and forgets it without the clip, as the stored figures of lesson 01 have it", () => {
    const made = passesOf({ ...lesson, clip: Infinity });
    const lookUp = made.map(({ first }) => at(2)(first[LOOKUP]!));
    assert.deepEqual(
      [0, 1, 5, 9, 12, 16].map((pass) => lookUp[pass]),
      [0.45, 0.6, 0.78, 0.5, 0.03, 0.01],
    );
    assert.equal(at(2)(made[16]!.first[words.indexOf("0")]!), 0.97);
    // The ratio that the lesson's figure prints.
    assert.equal(at(2)(made[16]!.ratio), 42.94);
    assert.equal(
      finding(made, { clip: Infinity }),
      "It learns the tool in 5 passes and has forgotten it by pass 12",
    );
  });

  it("holds the ratio with the clip", () => {
    const made = passesOf({ ...lesson, clip: 0.2 });
    assert.equal(at(2)(made[16]!.ratio), 2.06);
    assert.equal(finding(made, { clip: 0.2 }), "With the clip at 0.2, it keeps the tool");
    assert.equal(sentences(made, { clip: 0.2 }).length, 3);
    // So wide a clip meets no ratio: bit for bit as without one.
    assert.deepEqual(
      passesOf({ ...lesson, passes: 4, clip: 32 }),
      passesOf({ ...lesson, passes: 4, clip: Infinity }),
    );
  });

  it("begins as an agent that knows the form alone: the two tools are as likely, and the rest a logit of 3 below", () => {
    const { first } = passesOf({ ...lesson, passes: 1, clip: Infinity })[0]!;
    const rest = 1 / (2 * Math.exp(3) + 4);
    [...first].forEach((p, v) => assert.ok(Math.abs(p - (v < 2 ? Math.exp(3) * rest : rest)) < 1e-12));
  });

  it("draws lines between their points, and round numbers at the axes", () => {
    const points = [[0, 0], [2, 1], [4, 0]] as const; // prettier-ignore
    assert.deepEqual([1, 2, 3, 5].map((x) => valueAt(points, x)), [0.5, 1, 0.5, undefined]); // prettier-ignore
    assert.deepEqual(until(points, 1), [[0, 0], [1, 0.5]]); // prettier-ignore
    assert.deepEqual(ticksOf(0, 1), [0, 0.25, 0.5, 0.75, 1]);
    assert.deepEqual(ticksOf(0, 16), [0, 4, 8, 12, 16]);
    assert.deepEqual(ticksOf(-0.25, 1), [0, 0.5, 1]);
  });

  it("goes on by a step without motion, and from the end back to the start", () => {
    assert.deepEqual([0, 1, 15, 16].map((place) => stillPlace(place, 16, 1)), [1, 2, 16, 0]); // prettier-ignore
    assert.deepEqual([0, 190, 200].map((place) => stillPlace(place, 200, 20)), [20, 200, 0]); // prettier-ignore
  });
});
