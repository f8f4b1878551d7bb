import type { Arena } from "./arena";
import type { Pointer } from "./kernels";
import { Dense, type FusedNetwork, type Sequences } from "./network";

const GATES = ["update", "reset", "candidate"] as const;
type Block = `${"embedding" | "bias" | "state"}-${(typeof GATES)[number]}`;

export interface FusedGruShape {
  readonly width: number;
  /** Offset of a block of weights, in elements. */
  at(name: Block): number;
}

/** The three gates of some rows. */
interface Gates {
  readonly update: Pointer;
  readonly reset: Pointer;
  readonly candidate: Pointer;
  readonly recurrent: Pointer;
}

/**
 * A gated recurrent unit:
 *   z = sigmoid(x_z + h U_z), r = sigmoid(x_r + h U_r), n = tanh(x_n + r * (h U_n)), h <- n + z (h - n).
 *
 * Rows are in the order of time, the longest sequence first within a step: the sequences that still run are the first
 * ones, and the gradients of all weights are one product each over all rows.
 */
export function fusedGru({ width, at }: FusedGruShape): FusedNetwork {
  const bytes = 4 * width;

  /** x_g = E_g[token] + b_g for every row and gate. */
  const gateInputs = (arena: Arena, weights: Pointer, offsets: Pointer, rows: number): Gates => {
    const input = (gate: (typeof GATES)[number]): Pointer => {
      const x = arena.floats(rows * width);
      arena.kernels.broadcast(x, weights + 4 * at(`bias-${gate}`), rows, width);
      arena.kernels.gather(x, weights + 4 * at(`embedding-${gate}`), offsets, rows, 1, width);
      return x;
    };
    return {
      update: input("update"),
      reset: input("reset"),
      candidate: input("candidate"),
      recurrent: arena.zeros(rows * width),
    };
  };

  /** One step of `count` rows from row `first`: gates in place, the state after it to `after`. */
  const step = (
    arena: Arena,
    dense: Dense,
    gates: Gates,
    first: number,
    count: number,
    before: Pointer,
    after: Pointer,
  ): void => {
    const [z, r, n, u] = [gates.update, gates.reset, gates.candidate, gates.recurrent].map(
      (gate) => gate + first * bytes,
    ) as [Pointer, Pointer, Pointer, Pointer];
    dense.forward(before, at("state-update"), z, count, width, width);
    dense.forward(before, at("state-reset"), r, count, width, width);
    dense.forward(before, at("state-candidate"), u, count, width, width);
    arena.kernels.gruCell(z, r, n, u, before, after, count * width);
  };

  const run = (
    arena: Arena,
    weights: Pointer,
    input: Sequences,
  ): { plan: Plan; offsets: Pointer; gates: Gates; before: Pointer; after: Pointer } => {
    const plan = inOrderOfTime(input, width);
    const rows = input.tokens.length;
    const dense = new Dense(arena, weights);
    const offsets = arena.integers(plan.offsets);
    const gates = gateInputs(arena, weights, offsets, rows);
    const before = arena.zeros(rows * width);
    const after = arena.floats(rows * width);
    plan.active.forEach((count, p) => {
      const first = plan.firstRow[p]!;
      step(arena, dense, gates, first, count, before + first * bytes, after + first * bytes);
      const next = plan.active[p + 1] ?? 0;
      if (next > 0) {
        arena.kernels.broadcast(
          before + plan.firstRow[p + 1]! * bytes,
          after + first * bytes,
          1,
          next * width,
        );
      }
    });
    return { plan, offsets, gates, before, after };
  };

  return {
    width,
    forward(arena, weights, input) {
      const { kernels } = arena;
      const rows = input.tokens.length;
      const { plan, offsets, gates, before, after } = run(arena, weights, input);
      const dense = new Dense(arena, weights);
      const wanted = arena.integers(plan.wanted);
      const hidden = arena.zeros(plan.wanted.length * width);
      kernels.gather(hidden, after, wanted, plan.wanted.length, 1, width);
      return {
        hidden,
        backward(dHidden, gradient) {
          const d = arena.zeros(rows * width);
          kernels.scatter(d, dHidden, wanted, plan.wanted.length, 1, width);
          const [dZ, dR, dN, dU, dBefore] = [0, 1, 2, 3, 4].map(() => arena.floats(rows * width)) as [
            Pointer,
            Pointer,
            Pointer,
            Pointer,
            Pointer,
          ];
          const back = GATES.map((gate) => dense.transposed(at(`state-${gate}`), width, width));
          for (let p = plan.active.length - 1; p >= 0; p--) {
            const count = plan.active[p]!;
            const row = plan.firstRow[p]! * bytes;
            kernels.gruCellBackward(
              d + row,
              gates.update + row,
              gates.reset + row,
              gates.candidate + row,
              gates.recurrent + row,
              before + row,
              dZ + row,
              dR + row,
              dN + row,
              dU + row,
              dBefore + row,
              count * width,
            );
            if (p === 0) break;
            [dZ, dR, dU].forEach((dGate, g) => {
              dense.inputGradient(dGate + row, back[g]!, dBefore + row, count, width, width);
            });
            kernels.addRows(d + plan.firstRow[p - 1]! * bytes, dBefore + row, 1, count * width);
          }
          GATES.forEach((gate, g) => {
            const dInput = [dZ, dR, dN][g]!;
            const dState = [dZ, dR, dU][g]!;
            kernels.scatter(gradient + 4 * at(`embedding-${gate}`), dInput, offsets, rows, 1, width);
            kernels.addRows(gradient + 4 * at(`bias-${gate}`), dInput, rows, width);
            dense.weightGradient(before, dState, at(`state-${gate}`), gradient, rows, width, width);
          });
        },
      };
    },
    decode(arena, weights, input) {
      const { kernels } = arena;
      const { plan, after } = run(arena, weights, input);
      const dense = new Dense(arena, weights);
      const state = arena.zeros(input.count * width);
      kernels.gather(state, after, arena.integers(plan.last), input.count, 1, width);
      return {
        hidden: state,
        append(rows, tokens) {
          const count = rows.length;
          const own = arena.integers(rows.map((b) => b * width));
          const before = arena.zeros(count * width);
          kernels.gather(before, state, own, count, 1, width);
          const next = arena.floats(count * width);
          const offsets = arena.integers(tokens.map((token) => token * width));
          step(arena, dense, gateInputs(arena, weights, offsets, count), 0, count, before, next);
          rows.forEach((b, i) => kernels.broadcast(state + b * bytes, next + i * bytes, 1, width));
          return next;
        },
      };
    },
  };
}

/** Where everything lies when rows are in the order of time. */
interface Plan {
  /** How many sequences reach each step. */
  readonly active: readonly number[];
  readonly firstRow: readonly number[];
  /** Offset of each row's token within an embedding. */
  readonly offsets: Int32Array;
  /** Row times width of each wanted place, in the order of the sequences. */
  readonly wanted: Int32Array;
  /** Row times width of the end of each sequence. */
  readonly last: Int32Array;
}

function inOrderOfTime({ count, tokens, start, wanted }: Sequences, width: number): Plan {
  const length = (b: number): number => start[b + 1]! - start[b]!;
  const order = Array.from({ length: count }, (_, b) => b).sort((a, b) => length(b) - length(a) || a - b);
  const steps = count === 0 ? 0 : length(order[0]!);
  const active: number[] = [];
  const firstRow: number[] = [];
  const offsets = new Int32Array(tokens.length);
  let row = 0;
  let reach = count;
  for (let p = 0; p < steps; p++) {
    while (length(order[reach - 1]!) <= p) reach--;
    active.push(reach);
    firstRow.push(row);
    for (let i = 0; i < reach; i++) offsets[row++] = tokens[start[order[i]!]! + p]! * width;
  }
  const rank = new Int32Array(count);
  order.forEach((b, i) => (rank[b] = i));
  const rowOf = (b: number, p: number): number => (firstRow[p]! + rank[b]!) * width;
  const rows = new Int32Array(wanted.reduce((sum, n) => sum + n, 0));
  const last = new Int32Array(count);
  let cell = 0;
  for (let b = 0; b < count; b++) {
    for (let p = length(b) - wanted[b]!; p < length(b); p++) rows[cell++] = rowOf(b, p);
    last[b] = rowOf(b, length(b) - 1);
  }
  return { active, firstRow, offsets, wanted: rows, last };
}
