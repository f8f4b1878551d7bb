/** Settings of the film of one batch. */
export const settings = {
  clip: { kind: "switch", initial: false },
  width: { kind: "number", initial: 0.2, values: [0.05, 0.1, 0.2, 0.3, 0.5, 0.75, 1, 2, 4, 8, 16, 32] },
  rate: { kind: "number", initial: 4, values: [0.25, 0.5, 1, 2, 3, 4, 6, 8, 12, 16] },
  passes: { kind: "number", initial: 16, values: [1, 2, 4, 6, 8, 12, 16, 20, 24, 32] },
  batch: { kind: "number", initial: 1, values: Array.from({ length: 20 }, (_, i) => i + 1) },
} as const;
