import assert from "node:assert/strict";
import { make, optimalReturn, train, type EnumerableEnv } from "turnwise";
import { randomReturn } from "turnwise/exact";
import { push, SIZE, sokobanLevels, solve } from "turnwise/internal/env/grid/sokobanLevels";
import { expectGolden, transcript } from "./transcript";

const made = (id: string, options: Record<string, unknown> = {}): EnumerableEnv =>
  make(id, options) as EnumerableEnv;

describe("FrozenLake-v0", () => {
  it("with one move a turn its optimum is that of value iteration written from the map", () => {
    const map = "SFFFFHFHFFFHHFFG";
    const turns = 12;
    const go = (cell: number, move: number): number => {
      const [r, c] = [Math.floor(cell / 4), cell % 4];
      if (move === 0) return 4 * r + Math.max(0, c - 1);
      if (move === 1) return 4 * Math.min(3, r + 1) + c;
      if (move === 2) return 4 * r + Math.min(3, c + 1);
      return 4 * Math.max(0, r - 1) + c;
    };
    let value = new Array<number>(16).fill(0);
    for (let left = 0; left < turns; left++) {
      value = value.map((_, cell) => {
        if (map[cell] === "H" || map[cell] === "G") return 0;
        const q = [0, 1, 2, 3].map((move) =>
          [move, (move + 1) % 4, (move + 3) % 4]
            .map((m) => go(cell, m))
            .reduce((sum, next) => sum + (map[next] === "G" ? 1 : value[next]!) / 3, 0),
        );
        return Math.max(...q);
      });
    }
    const { J } = optimalReturn(made("FrozenLake-v0", { actionsPerTurn: 1, turns, actionLimit: turns }));
    assert.ok(Math.abs(J - value[0]!) < 1e-12, `${J} and ${value[0]}`);
  });

  it("two moves a turn without looking in between are worth less than two looks", () => {
    const blind = optimalReturn(made("FrozenLake-v0", { actionsPerTurn: 2, turns: 5, actionLimit: 10 })).J;
    const looking = optimalReturn(made("FrozenLake-v0", { actionsPerTurn: 1, turns: 10, actionLimit: 10 })).J;
    assert.ok(blind < looking, `${blind} and ${looking}`);
  });

  it("one move slips to each side with 1/3, and does not when it is not slippery", () => {
    const from = (options: object): number[][] =>
      made("FrozenLake-v0", { ...options })
        .transition({ place: 9, turn: 0, moves: 0 }, [2, 4])
        .map((x) => [(x.state as { place: number }).place, Math.round(x.probability * 3)])
        .sort(([a], [b]) => a! - b!);
    // From row 2, column 1: right to 10; slips down to 13, up to 5 (a hole).
    assert.deepEqual(from({}), [
      [5, 1],
      [10, 1],
      [13, 1],
    ]);
    assert.deepEqual(from({ slippery: false }), [[10, 3]]);
  });

  it("stop ends the turn, and the episode's allowance of moves is kept", () => {
    const env = made("FrozenLake-v0", { slippery: false, actionLimit: 3 });
    const two = env.transition({ place: 0, turn: 0, moves: 0 }, [1, 1])[0]!;
    assert.deepEqual(two.state, { place: 8, turn: 1, moves: 2 });
    const third = env.transition(two.state, [2, 2])[0]!;
    assert.deepEqual([third.state, third.terminated], [{ place: 9, turn: 2, moves: 3 }, true]);
    const nothing = env.transition(two.state, [4])[0]!;
    assert.deepEqual(nothing.state, { place: 8, turn: 2, moves: 2 });
  });

  it("plays as its golden transcript says", () => {
    const env = make("FrozenLake-v0", { turns: 5, actionLimit: 10 });
    const optimum = optimalReturn(env);
    expectGolden(
      "FrozenLake-v0",
      transcript(env, "the optimal agent", 1, (seen) => optimum.act(seen)),
    );
  });
});

describe("Sokoban-v0", () => {
  it("its optimum is 11 minus .1 for each of the fewest moves, averaged over the rooms", () => {
    const rooms = sokobanLevels(3, 0, 10);
    const expected = rooms.reduce((sum, room) => sum + 11 - 0.1 * room.fewestMoves, 0) / 3;
    const { J } = optimalReturn(made("Sokoban-v0", { rooms: 3 }));
    assert.ok(Math.abs(J - expected) < 1e-12, `${J} and ${expected}`);
  });

  it("moveCost 0 leaves 11 for every room, and takes nothing from an agent that solves none", () => {
    const free = made("Sokoban-v0", { rooms: 2, moveCost: 0 });
    assert.equal(optimalReturn(free).J, 11);
    assert.ok(randomReturn(free) >= 0);
    assert.throws(() => made("Sokoban-v0", { moveCost: 2 }), {
      name: "RangeError",
      message: "Cannot make Sokoban-v0: moveCost must be from 0 to 1, got 2.",
    });
  });

  it("in a room that is not solved by chance the cost of moves teaches to stand still; without it nothing is taught", async () => {
    const last = async (moveCost: number): Promise<{ reward: number; gradNorm: number; success: number }> => {
      const env = { env: "Sokoban-v0", envOptions: { rooms: 1, moveCost } };
      const run = train({ ...env, recipe: "grpo", updates: 60, groups: 4, groupSize: 8, seed: 1 });
      let found = { reward: 0, gradNorm: 0, success: 0 };
      for await (const { metrics } of run) {
        found = {
          reward: metrics["reward/mean"]!,
          gradNorm: Math.max(found.gradNorm, metrics["policy/gradNorm"]!),
          success: found.success + metrics["success/mean"]!,
        };
      }
      return found;
    };
    const [costly, free] = [await last(0.1), await last(0)];
    assert.deepEqual([costly.success, free.success], [0, 0]);
    // A uniform agent pays about .5 an episode.
    assert.ok(costly.reward > -0.2, `${costly.reward}`);
    assert.deepEqual([free.reward, free.gradNorm], [0, 0]);
  }).timeout(60_000);

  it("push() moves the player, and the box before it, unless something does not give way", () => {
    const walls = Array.from({ length: SIZE * SIZE }, (_, cell) => cell % SIZE === SIZE - 1);
    // Row 1: player at column 1, box at column 3. Moves: 0 left, 2 right.
    const at = (column: number): number => SIZE + column;
    assert.deepEqual(push(walls, at(1), at(3), 2), { player: at(2), box: at(3) });
    assert.deepEqual(push(walls, at(2), at(3), 2), { player: at(3), box: at(4) });
    assert.equal(push(walls, at(3), at(4), 2), undefined); // a wall behind the box
    assert.equal(push(walls, at(4), at(2), 2), undefined); // a wall
  });

  it("a box in a corner can never be brought to the target", () => {
    const walls = Array.from({ length: SIZE * SIZE }, (_, cell) => {
      const [row, column] = [Math.floor(cell / SIZE), cell % SIZE];
      return row === 0 || column === 0 || row === SIZE - 1 || column === SIZE - 1;
    });
    const corner = SIZE + 1;
    assert.equal(solve({ walls, target: 2 * SIZE + 3, box: corner, player: 2 * SIZE + 2 }), undefined);
    // One push to the right: player at column 1, box at 2, target at 3.
    assert.equal(solve({ walls, target: SIZE + 3, box: SIZE + 2, player: SIZE + 1 }), 1);
  });

  it("pays +1 and 10 for the target, -.1 a move, and the same rooms come from the same seed", () => {
    const env = made("Sokoban-v0");
    const optimum = optimalReturn(env);
    const [first, { taskId }] = env.reset({ seed: 2 });
    const room = sokobanLevels(8, 0, 10)[Number((taskId as string).slice("room=".length))]!;
    let total = 0;
    const seen = { observations: [first], actions: [] as (readonly number[])[] };
    for (;;) {
      const action = optimum.act(seen);
      const [observation, reward, terminated] = env.step(action);
      total += reward;
      seen.observations.push(observation);
      seen.actions.push(action);
      if (terminated) break;
    }
    assert.ok(Math.abs(total - (11 - 0.1 * room.fewestMoves)) < 1e-12);
    assert.deepEqual(sokobanLevels(8, 0, 10), sokobanLevels(8, 0, 10));
  }).timeout(20000);

  it("plays as its golden transcript says", () => {
    const env = make("Sokoban-v0", { rooms: 2 });
    const optimum = optimalReturn(env);
    expectGolden(
      "Sokoban-v0",
      transcript(env, "the optimal agent", 1, (seen) => optimum.act(seen)),
    );
  });
});
