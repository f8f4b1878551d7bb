import { buildTree, type Tree } from "turnwise/exact";

/**
 * Two tasks, 1/4 and 3/4. In the first, `go` costs .5 and leads, with 3/4, to a second turn that pays 2 for x and 0 for
 * y, else ends; `stay` ends with 1. The second task pays 4 for go, 0 for stay. Its node looks like the first one's.
 */
export function twoTasks(): Tree {
  return buildTree({
    name: "two tasks",
    start: [
      { node: "first", probability: 0.25 },
      { node: "second", probability: 0.75 },
    ],
    nodes: {
      first: {
        sees: "door",
        actions: {
          go: [
            { probability: 0.75, reward: -0.5, next: "inside" },
            { probability: 0.25, reward: -0.5 },
          ],
          stay: 1,
        },
      },
      second: { sees: "door", actions: { go: 4, stay: 0 } },
      inside: { actions: { x: 2, y: 0 } },
    },
  });
}
