import assert from "node:assert/strict";
import { make, type Env, optimalReturn } from "turnwise";
import { memoryDeskTasks, writeTurn, type MemoryDeskTask } from "turnwise/internal/env/index";
import { MEMORY_DESK_MILESTONES } from "turnwise/internal/env/memoryDesk/memoryDesk";
import { play, promisesOfToolEnv } from "./battery";
import type { Seen } from "../transcript";

/** The event and the keys in the store, read from the last observation. */
function readDesk({ observations }: Seen): { kind: string; key: string; stored: string[] } {
  const { text } = observations.at(-1)!;
  const [, kind, key] = /(fact|rumour|gone): (\w)/.exec(text)!;
  const stored = /store: (.*)$/
    .exec(text)![1]!
    .split(" ")
    .map((entry) => entry.split("=")[0]!);
  return { kind: kind!, key: key!, stored };
}

function expert(seen: Seen): string {
  const { kind, key, stored } = readDesk(seen);
  if (kind === "rumour") return "NOOP";
  if (kind === "gone") return `DELETE ${key}`;
  return stored.includes(key) ? "UPDATE" : "ADD";
}

const day: MemoryDeskTask = {
  id: "day",
  level: 1,
  capacity: 2,
  events: [
    { kind: "fact", key: "a", value: 1 },
    { kind: "rumour", key: "b", value: 2 },
    { kind: "fact", key: "a", value: 0 },
    { kind: "fact", key: "b", value: 1 },
    { kind: "gone", key: "a" },
    { kind: "fact", key: "c", value: 2 },
  ],
  questions: [
    { key: "b", answer: 1 },
    { key: "c", answer: 2 },
  ],
};

function see(env: Env, turn: string): string {
  return env.step(writeTurn(env.spec, turn))[0].text;
}

describe("MemoryDesk-v0", function () {
  this.timeout(60_000);
  promisesOfToolEnv({
    id: "MemoryDesk-v0",
    variants: [{}, { level: 2, distractors: 3 }, { level: 3, taskCount: 100 }],
    expert,
    milestones: MEMORY_DESK_MILESTONES,
    idle: "NOOP",
    guess: "NOOP",
    worldMovesOn: true,
    randomBelow: 0.15,
  });

  it("ADD, UPDATE and DELETE change the store as they say, and refuse what they cannot do", () => {
    const env = make("MemoryDesk-v0", { tasks: [day] });
    assert.equal(env.reset({ seed: 0 })[0].text, "fact: a=1; store: empty");
    assert.equal(see(env, "UPDATE"), "error: a is not stored; rumour: b=2; store: empty");
    assert.equal(see(env, "ADD"), "ok; fact: a=0; store: b=2");
    assert.equal(see(env, "ADD"), "ok; fact: b=1; store: a=0 b=2");
    assert.equal(see(env, "ADD"), "error: b is stored already; gone: a no longer holds; store: a=0 b=2");
    assert.equal(see(env, "UPDATE"), "error: the event has no value to store; fact: c=2; store: a=0 b=2");
    assert.equal(see(env, "ADD"), "error: the store is full; the day is over; store: a=0 b=2");
  });

  it("the score is the share of the facts that the store has right", () => {
    const env = make("MemoryDesk-v0", { tasks: [day] });
    const turns = (list: string[]): number =>
      play(env, 0, ({ actions }) => writeTurn(env.spec, list[actions.length]!)).total;
    assert.equal(turns(["ADD", "NOOP", "UPDATE", "ADD", "DELETE a", "ADD"]), 1);
    assert.equal(turns(["ADD", "NOOP", "UPDATE", "ADD", "NOOP", "ADD"]), 0.5); // no room for c
    assert.equal(turns(["NOOP", "ADD", "NOOP", "NOOP", "NOOP", "ADD"]), 0.5); // the rumour stays in b's place
    assert.equal(turns(["NOOP", "ADD", "NOOP", "UPDATE", "NOOP", "ADD"]), 1); // and is put right
    assert.equal(turns(["NOOP", "NOOP", "NOOP", "NOOP", "NOOP", "NOOP"]), 0);
  });

  it("the optimum by enumeration is 1, and NOOP alone gets nothing", () => {
    assert.ok(Math.abs(optimalReturn(make("MemoryDesk-v0")).J - 1) < 1e-12);
    // One of six turns is missing: everything is kept but the last fact, c.
    const short = make("MemoryDesk-v0", { tasks: [day], turnLimit: 5 });
    assert.ok(Math.abs(optimalReturn(short).J - 0.5) < 1e-12);
    const env = make("MemoryDesk-v0");
    for (let seed = 0; seed < 30; seed++) {
      assert.equal(play(env, seed, () => writeTurn(env.spec, "NOOP")).total, 0);
    }
  });

  it("every generated stream needs ADD, UPDATE and DELETE: an expert without one of them fails", () => {
    for (let level = 1; level <= 3; level++) {
      const env = make("MemoryDesk-v0", { tasks: memoryDeskTasks(level, 40) });
      for (const missing of ["ADD", "UPDATE", "DELETE"]) {
        for (let seed = 0; seed < 40; seed++) {
          const { total } = play(env, seed, (seen) => {
            const turn = expert(seen);
            return writeTurn(env.spec, turn.startsWith(missing) ? "NOOP" : turn);
          });
          assert.ok(total < 1, `level ${level} without ${missing}: ${total}`);
        }
      }
    }
  });

  it("refuses streams that do not fit and questions with wrong answers", () => {
    assert.throws(() => make("MemoryDesk-v0", { tasks: [{ ...day, capacity: 1 }] }), {
      name: "RangeError",
      message:
        'Cannot make MemoryDesk-v0: at most capacity facts may hold at a time, but "day" has 2 facts and capacity 1.',
    });
    assert.throws(() => make("MemoryDesk-v0", { tasks: [{ ...day, questions: [] }] }), {
      name: "RangeError",
      message:
        /the questions must ask for the facts that hold at the end, but "day" has \[\], and the facts are/,
    });
  });
});
