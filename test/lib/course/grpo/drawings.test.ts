import assert from "node:assert/strict";
import { collect, createPolicy, createRng, make } from "turnwise";
import { drawClimb, drawEnds, drawPasses, everyPass } from "turnwise-course/grpo-from-scratch";

const run = (end: number) => [{ update: 1, metrics: { "return/exact": end } }];
const dots = (svg: string): number[] =>
  [...svg.matchAll(/<rect x="(\S+)" y="\S+" width="16" /g)].map(([, x]) => Number(x) + 8);

describe("drawEnds", () => {
  const picture = drawEnds({ stuck: [run(0), run(0.5), run(0)], fine: [run(1), run(0.96)] });

  it("draws one dot for each seed, where its last return lies", () => {
    // Names of at most 5 letters: the axis begins at 24 + 5 * 11 = 79 and ends at 760 - 120 = 640, so .5 lies at 359.5, and .96 at 617.56.
    assert.deepEqual(dots(picture.svg), [79, 359.5, 79, 640, 617.6]);
  });

  it("says beside each row how many seeds end above .9", () => {
    assert.match(picture.svg, />0 of 3</);
    assert.match(picture.svg, />2 of 2</);
  });

  it("tells a terminal the ends of each row, sorted, without a minus before 0", () => {
    const text = drawEnds({ stuck: [run(0.5), run(-1e-9)] }).toString();
    assert.equal(text, "Seeds above 0.9: 0 of 2\n  stuck: 0.00, 0.50");
  });

  it("states how many seeds have learned in the best row and in the worst", () => {
    assert.match(picture.toString(), /^Seeds above 0\.9: 2 of 2 \(fine\), 0 \(stuck\)\n/);
  });

  it("refuses runs without exact returns", () => {
    assert.throws(() => drawEnds([[{ update: 1, metrics: {} }]]), /return\/exact/);
  });
});

describe("drawClimb", () => {
  const climb = (...returns: number[]) =>
    returns.map((J, i) => ({ update: i + 1, metrics: { "return/exact": J } }));
  const titleOf = (runs: Parameters<typeof drawClimb>[0]): string =>
    (drawClimb(runs).spec as unknown as { title: { text: string } }).title.text;

  it("gives in its title the first update at which the mean of the seeds is .9", () => {
    // Means: .5, .9, .95.
    assert.equal(titleOf([climb(0.2, 0.8, 1), climb(0.8, 1, 0.9)]), "Updates to 0.9: 2");
  });

  it("names each rule, and says which never arrives", () => {
    const title = titleOf({ fast: [climb(0.95, 1)], slow: [climb(0.1, 0.89)] });
    assert.equal(title, "Updates to 0.9: 1 (fast), never (slow)");
  });

  it("counts no update that a seed lacks", () => {
    assert.equal(titleOf([climb(1), climb(0.5, 0.9)]), "Updates to 0.9: never");
  });
});

describe("drawPasses", () => {
  const [half, most, few] = [0.5, 0.8, 0.1].map(Math.log) as [number, number, number];
  // Two tries of one turn of two tokens; only the first tokens are drawn.
  const batch = { shape: [2, 1, 2] as const };

  it("draws the chance of the first word of each try, and says in its title what falls farthest", () => {
    const chart = drawPasses(
      { "no clip": [[half, 9, few, 9], [most, 9, few, 9], [few, 9, most, 9]], clip: [[half, 9, few, 9]] },
      batch,
      { LOOKUP: 0, "0": 1 },
    ); // prettier-ignore
    const { data, title } = chart.spec as unknown as {
      data: { values: { series: string; x: number; y: number }[] };
      title: { text: string };
    };
    const line = (name: string): number[] =>
      data.values.filter(({ series }) => series === name).map(({ y }) => Number(y.toFixed(6)));
    assert.deepEqual(line("LOOKUP, no clip"), [0.5, 0.8, 0.1]);
    assert.deepEqual(line("0, no clip"), [0.1, 0.1, 0.8]);
    assert.deepEqual(line("LOOKUP, clip"), [0.5]);
    assert.equal(title.text, "LOOKUP, no clip: 0.80 after pass 1, 0.10 after pass 2");
  });

  it("claims no fall where there is none", () => {
    const { spec } = drawPasses({ clip: [[half], [most]] }, { shape: [1, 1, 1] }, { LOOKUP: 0 });
    assert.equal((spec.title as unknown as { text: string }).text, "No first word loses much, up to pass 1");
  });
});

describe("everyPass", () => {
  it("reads the batch's log-probs before the first step and after each", () => {
    const world = make("LookUp-v0");
    const policy = createPolicy(world.spec);
    const batch = collect(world, policy, { groups: 1, groupSize: 2, rng: createRng(0) });
    let steps = 0;
    const passes = everyPass(policy, batch, 2, (own) => {
      steps++;
      own.parameters.fill(0);
      // Parameter 0 is the logit of the first word of the first turn.
      own.parameters[0] = steps;
    });
    assert.equal(steps, 2);
    assert.equal(passes.length, 3);
    const uniform = Math.log(1 / 6);
    const others = (logit: number): number => -Math.log(5 + Math.exp(logit));
    const first = batch.token_ntl[0] === 0 ? [0, 1, 2] : [0, 0, 0];
    const due = [uniform, ...[1, 2].map((logit) => first[logit]! + others(logit))];
    passes.forEach((logProb_ntl, i) => assert.ok(Math.abs(logProb_ntl[0]! - due[i]!) < 1e-12));
  });
});
