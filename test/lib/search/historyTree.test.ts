import assert from "node:assert/strict";
import { createRng, type Observation } from "turnwise";
import { ActionAverages } from "turnwise/internal/search/actionAverages";
import { HistoryTree, mostTried } from "turnwise/internal/search/historyTree";

const seen = (token: number): Observation => ({ tokens: [token], text: String(token) });
const start = { observations: [seen(9)], actions: [] };
const actions = [[0], [1], [2], [3]];

/** One turn that pays what the list says. */
const paying = (pays: readonly number[]) => ({
  step: ([a]: readonly number[]) => ({ observation: seen(8), reward: pays[a!]!, ended: true }),
});

describe("HistoryTree", () => {
  it("tries all actions first, and then as the bound says", () => {
    const tree = new HistoryTree({ actions, exploration: 0, rollout: () => [0], maxTurns: 1 });
    for (let i = 0; i < 10; i++) tree.simulate(start, paying([0, 0.2, 1, 0.1]), createRng(i));
    assert.deepEqual(
      tree.arms(start)!.map(({ visits, value }) => [visits, value]),
      [
        [1, 0],
        [1, 0.2],
        [7, 1],
        [1, 0.1],
      ],
    );
    assert.equal(tree.steps, 10);
  });

  it("widens by a power of its visits, the most promising action first", () => {
    const widening = { actions, exploration: 0, rollout: () => [0], maxTurns: 1, widening: 0.4 };
    const tree = new HistoryTree({ ...widening, promise: (_, arm) => arm });
    // N visits before let in ceil((N + 1)^.4): 2^.4 = 1.32, 5^.4 = 1.90, 6^.4 = 2.05, 15^.4 = 2.95, 16^.4 = 3.03.
    const tried = Array.from({ length: 16 }, (_, i) => {
      tree.simulate(start, paying([0, 0, 0, 0]), createRng(i));
      if (i === 0) assert.equal(mostTried(tree.arms(start)!).action[0], 3);
      return tree.arms(start)!.filter(({ visits }) => visits > 0).length;
    });
    assert.deepEqual(tried, [1, 2, 2, 2, 2, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 4]);
  });

  it("tells what an action was worth one turn earlier", () => {
    const told: number[] = [];
    const tree = new HistoryTree({
      actions: [[0], [1]],
      exploration: 10,
      rollout: () => [0],
      maxTurns: 2,
      promise: (_, arm, earlier) => {
        told[arm] = earlier;
        return 0;
      },
    });
    const twoTurns = () => {
      let turn = 0;
      return { step: () => ({ observation: seen(7), reward: 0.5, ended: ++turn === 2 }) };
    };
    for (let i = 0; i < 8; i++) tree.simulate(start, twoTurns(), createRng(i));
    assert.deepEqual(told, [1, 1]);
  });

  it("keeps histories apart by what was seen, and knows what may follow", () => {
    const tree = new HistoryTree({ actions: [[0]], exploration: 1, rollout: () => [0], maxTurns: 2 });
    const coin = (side: number) => {
      let turn = 0;
      return { step: () => ({ observation: seen(side), reward: turn * side, ended: ++turn === 2 }) };
    };
    for (let i = 0; i < 6; i++) tree.simulate(start, coin(5 + (i % 2)), createRng(i));
    assert.deepEqual(
      tree.seenAfter(start, [0]).map(({ tokens }) => tokens[0]),
      [5, 6],
    );
    const after = (side: number) => ({ observations: [seen(9), seen(side)], actions: [[0]] });
    assert.deepEqual([tree.arms(after(5))![0]!.value, tree.arms(after(6))![0]!.value], [5, 6]);
    assert.equal(tree.arms(after(4)), undefined);
  });

  it("refuses to begin after a turn that it does not compare", () => {
    const tree = new HistoryTree({ actions: [[0]], exploration: 1, rollout: () => [0], maxTurns: 3 });
    assert.throws(
      () => tree.simulate({ observations: [seen(9), seen(1)], actions: [[3]] }, paying([0]), createRng(0)),
      {
        name: "RangeError",
        message: "Cannot search: every turn so far must be one of the search's actions, got [3].",
      },
    );
  });
});

describe("ActionAverages", () => {
  it("are the mean returns of the episodes in which an action was taken, question by question", () => {
    const averages = new ActionAverages(3, 0.1);
    averages.add(seen(1), [0, 1], 1);
    averages.add(seen(1), [1], 0);
    averages.add(seen(2), [2], 1);
    assert.deepEqual(
      [0, 1, 2].map((arm) => averages.average(seen(1), arm)),
      [1, 0.5, 0],
    );
    assert.equal(averages.average(seen(2), 0), 0);
  });

  it("draw actions in proportion to average plus floor", () => {
    const averages = new ActionAverages(3, 0.1);
    averages.add(seen(1), [0], 1);
    averages.add(seen(1), [1], -5);
    const rng = createRng(0);
    const counts = [0, 0, 0];
    for (let i = 0; i < 13_000; i++) counts[averages.draw(seen(1), rng)]!++;
    // Weights 1.1, .1, .1: of 13,000 draws 11,000, 1000 and 1000; four standard errors are under 170.
    assert.ok(Math.abs(counts[0]! - 11_000) < 170 && Math.abs(counts[1]! - 1000) < 130, counts.join());
  });
});
