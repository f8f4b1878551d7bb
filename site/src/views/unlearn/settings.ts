/** Settings of the page about the bandit that GRPO unlearns. */
export const settings = {
  group: { kind: "number", initial: 8, values: [2, 4, 8, 16, 32, 64] },
  prize: { kind: "number", initial: 1, values: [0.25, 0.5, 0.75, 1, 2, 5, 10, 100] },
  start: {
    kind: "number",
    initial: 0.5,
    values: [0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95],
  },
  divide: { kind: "switch", initial: true },
} as const;
