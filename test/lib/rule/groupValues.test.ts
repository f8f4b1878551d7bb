import { groupValues } from "turnwise";
import { assertClose, batchOf } from "./support";

describe("groupValues", () => {
  it("pools what has been seen and written so far within a task, and nothing else", () => {
    const batch = {
      ...batchOf({
        groupId: ["a", "a", "a", "a", "b"],
        return_n: [3, 4, 6, 10, 12],
        turnCount: [3, 3, 2, 2, 3],
        tokens: 2,
      }),
      observation_nt: [
        ["s", "x", "z"],
        ["s", "x", "z"],
        ["s", "y"],
        ["s", "x"],
        ["s", "x", "z"],
      ],
      token_ntl: Int32Array.from(
        [
          [1, 2, 3, 4, 5, 6],
          [1, 2, 3, 4, 7, 8],
          [1, 2, 3, 4, 0, 0],
          [1, 9, 3, 4, 0, 0],
          [1, 2, 3, 4, 5, 6],
        ].flat(),
      ),
      reward_nt: Float64Array.from(
        [
          [1, 0, 2],
          [0, 0, 4],
          [0, 6, 0],
          [2, 8, 0],
          [5, 0, 7],
        ].flat(),
      ),
    };
    // Rewards to go: 3 2 2; 4 4 4; 6 6; 10 8; 12 7 7. Turn 0 of task a: (3 + 4 + 6 + 10) / 4 = 5.75.
    // The first two have written the same until turn 2: (2 + 4) / 2 = 3 twice. The third sees something else, the fourth
    // has written something else, and the fifth has another task: each has its own reward to go.
    const expected = [
      [5.75, 3, 3],
      [5.75, 3, 3],
      [5.75, 6, 0],
      [5.75, 8, 0],
      [12, 7, 7],
    ];
    assertClose(groupValues(batch), expected.flat(), 1e-12);
  });
});
