import assert from "node:assert/strict";
import {
  checkEnv,
  collect,
  createPolicy,
  createRng,
  make,
  optimalReturn,
  type EnumerableEnv,
} from "turnwise";
import { randomReturn } from "turnwise/exact";
import { longPages } from "turnwise/internal/env/index";
import { expectGolden, transcript } from "./transcript";

const made = (options: Record<string, unknown> = {}): EnumerableEnv =>
  make("HandOver-v0", options) as EnumerableEnv;
const near = (actual: number, expected: number): void =>
  assert.ok(Math.abs(actual - expected) < 1e-12, `${actual} is not ${expected}`);

describe("HandOver-v0", () => {
  it("its optimum is the key that arrives, or what the scout gets alone", () => {
    // The scout sends the door's key, which arrives nine times in ten; the opener turns it the right way at once.
    near(optimalReturn(made()).J, 0.9);
    near(optimalReturn(made({ accuracy: 0.5, doors: 2 })).J, 0.5);
    near(optimalReturn(made({ alone: 0.95 })).J, 0.95);
    // At accuracy 0 one of the two other keys arrives: asking for a wrong one gets the right one every other time.
    near(optimalReturn(made({ accuracy: 0 })).J, 0.5);
  });

  it("its random return is that of a scout and an opener who write any of four words", () => {
    // Scout: DONE 1/4, pays .3; else a key, the door's one time in three.
    // Opener, three tries: fits 1/4, DONE 1/4, jams 2/4. Fits in the end: 1/4 (1 + 1/2 + 1/4) = 7/16.
    // Jams: 1/2 + 1/4 + 1/8 = 7/8 of them, .1 each.
    near(randomReturn(made()), 0.3 / 4 + (3 / 4) * (7 / 16 / 3 - 0.1 * (7 / 8)));
  });

  it("two agents who each see their own part reach it: what the opener needs is on the key", () => {
    const env = made();
    const act = (text: string): number => {
      const seen = Number(/\d/.exec(text)![0]) - 1;
      return text.startsWith("door") ? seen : (seen + 1) % 3;
    };
    let J = 0;
    for (const start of env.start()) {
      for (const sent of env.transition(start.state, [act(start.observation.text)])) {
        for (const end of env.transition(sent.state, [act(sent.observation.text)])) {
          assert.ok(end.terminated);
          J += start.probability * sent.probability * end.probability * end.reward;
        }
      }
    }
    near(J, optimalReturn(env).J);
  });

  it("tells a batch that the scout takes the first turn and the opener all others", () => {
    const env = made();
    const batch = collect(env, createPolicy(env.spec), { groups: 4, groupSize: 8, rng: createRng(1) });
    const counts = new Set<number>();
    batch.agentId_nt!.forEach((agents, n) => {
      assert.equal(agents.length, batch.turnCount_n[n]);
      assert.deepEqual(
        agents,
        agents.map((_, t) => (t === 0 ? "scout" : "opener")),
      );
      counts.add(agents.length);
    });
    assert.deepEqual([...counts].sort(), [1, 2, 3, 4]);
  });

  it("stays a world of two agents with fewer turns and on long pages", () => {
    checkEnv(make("HandOver-v0", { maxTurns: 2 }));
    checkEnv(longPages(made(), { words: 2 }));
  });

  it("plays as its golden transcript says", () => {
    const env = made();
    const { act } = optimalReturn(env);
    expectGolden(
      "HandOver-v0",
      transcript(env, "the optimal agent", 2, (seen) => act(seen)),
    );
  });
});
