import assert from "node:assert/strict";
import { make, RecordTranscript, type EnvSpec } from "turnwise";
import { displaySymbol } from "turnwise/plot";
import { observationHtml } from "turnwise/internal/env/grid/drawGrid";

const html = (value: unknown): string =>
  String((value as { [displaySymbol](): Record<string, unknown> })[displaySymbol]()["text/html"]);

describe("observations that are maps", () => {
  const tiles = { "#": "wall", _: "floor", P: "player" } as const;

  it("are drawn cell by cell, and read out as their text", () => {
    const svg = observationHtml("##\n#P", tiles);
    assert.match(svg, /^<svg [^>]*role="img" aria-label="##\n#P" width="44" height="44"/);
    const places = [...svg.matchAll(/translate\((\d+),(\d+)\)/g)].map(([, x, y]) => [Number(x), Number(y)]);
    assert.deepEqual(places, [
      [0, 0],
      [22, 0],
      [0, 22],
      [22, 22],
    ]);
    // The player, a head and shoulders, stands in the last cell only.
    assert.equal(svg.indexOf("<circle"), svg.lastIndexOf("<circle"));
    assert.ok(svg.indexOf("<circle") > svg.indexOf("translate(22,22)"));
  });

  it("stay text, escaped, if they hold another character, rows of different lengths, or nothing says what they mean", () => {
    assert.equal(observationHtml("#?", tiles), "#?");
    assert.equal(observationHtml("##\n#", tiles), "##\n#");
    assert.equal(observationHtml("", tiles), "");
    assert.equal(observationHtml("a < b", undefined), "a &#60; b");
  });

  for (const id of ["FrozenLake-v0", "Sokoban-v0"]) {
    it(`are what ${id} says at every step, and its transcript draws them`, () => {
      const env = new RecordTranscript(make(id));
      const seen: string[] = [];
      for (let seed = 0; seed < 20; seed++) {
        seen.push(env.reset({ seed })[0].text);
        for (let turn = 0, over = false; !over; turn++) {
          const [observation, , terminated, truncated] = env.step([(seed + turn) % 4, (seed * turn) % 4]);
          seen.push(observation.text);
          over = terminated || truncated;
        }
      }
      for (const text of seen) assert.match(observationHtml(text, env.spec.tiles), /^<svg /, text);
      assert.equal(html(env).match(/<svg /g)?.length, seen.length);
      assert.ok(env.text.startsWith(`# ${id}\nsees    ${seen[0]}\nwrites  `));
    });
  }

  it("are told by the world itself, so that one of your own is drawn as well", () => {
    const spec: EnvSpec = make("FrozenLake-v0").spec;
    assert.deepEqual(spec.tiles, { S: "start", F: "ice", H: "hole", G: "goal", P: "player" });
  });
});

describe("an environment as the value of a cell", () => {
  it("is a card: what is written, said and hidden, how it begins and how long it lasts, the optimum, and its options", () => {
    const env = make("Tiger-v0", { accuracy: 0.7 }) as unknown as {
      [displaySymbol](): Record<string, string>;
    };
    const text = env[displaySymbol]()["text/plain"]!;
    assert.deepEqual(text.split("\n").slice(0, -1), [
      "Tiger-v0",
      "information gathering: listen before you act",
      "· the agent writes     LISTEN, OPEN-LEFT, OPEN-RIGHT",
      "· the world says       doors, hear-left, hear-right, opened",
      "· hidden at the start  which of 2 starts it is: side=0, side=1",
      "· it begins with       two closed doors",
      "· an episode           at most 4 turns of one token",
      // Three times LISTEN costs 3. All agree with .7^3 + .3^3 = .37; opening then gives .7^3 * 10 - .3^3 * 100 = .73 on
      // average over these, while a fourth LISTEN costs .63 * 1 in the others: -3 + .73 - .63.
      "· the best agent gets  -2.9, exactly, by solving 10 information states",
      '                       A best first turn after "two closed doors" is "LISTEN".',
    ]);
    assert.match(text.split("\n").at(-1)!, /^· options {14}turns 4, accuracy 0\.7, listenCost 1, /);
  });

  it("says that nothing is hidden where the first observation tells the starts apart, and does not wait for a large world", () => {
    const env = make("Sokoban-v0") as unknown as { [displaySymbol](): Record<string, string> };
    const text = env[displaySymbol]()["text/plain"]!;
    assert.match(text, /hidden at the start {2}nothing: what the agent sees first tells the starts apart/);
    assert.match(
      text,
      /the best agent gets {2}not solved at a glance\n +worldCard\("Sokoban-v0"\) of turnwise\/exact/,
    );
  });

  it("draws its map, and does not disturb an episode", () => {
    const env = make("Sokoban-v0");
    env.reset({ seed: 1 });
    const before = env.render();
    assert.match(html(env), /<svg /);
    assert.equal(env.render(), before);
  });
});
