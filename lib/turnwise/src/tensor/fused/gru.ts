import type { Arena } from "./arena";
import type { Operations, Pointer } from "./kernels";
import {
  Dense,
  GradientSums,
  PART_ROWS,
  ranges,
  transposed,
  type FusedNetwork,
  type Range,
  type Sequences,
} from "./network";

const GATES = ["update", "reset", "candidate"] as const;
type Block = `${"embedding" | "bias" | "state"}-${(typeof GATES)[number]}`;

export interface FusedGruShape {
  readonly width: number;
  /** Offset of a block of weights, in elements. The blocks of a gate lie as those of the one before, in the order of GATES. */
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
 * Rows are ordered by time and, within a step, by the length of their sequence, longest first. So the sequences that still
 * run are always the first ones, and the gradient of each weight matrix is one product over all rows.
 */
export function fusedGru({ width, at }: FusedGruShape): FusedNetwork {
  const bytes = 4 * width;

  /** x_g = E_g[token] + b_g for every row and gate. */
  const gateInputs = (arena: Arena, weights: Pointer, offsets: Pointer, rows: number): Gates => {
    const [update, reset, candidate, recurrent] = [0, 1, 2, 3].map(() => arena.floats(rows * width)) as [
      Pointer,
      Pointer,
      Pointer,
      Pointer,
    ];
    const parts = ranges(rows, PART_ROWS);
    arena.kernels.inParts("gru input", rows, parts.length, (operations, i) => {
      const { from, to } = parts[i]!;
      [update, reset, candidate].forEach((x, g) => {
        const gate = GATES[g]!;
        const own = x + from * bytes;
        operations.broadcast(own, weights + 4 * at(`bias-${gate}`), to - from, width);
        const table = weights + 4 * at(`embedding-${gate}`);
        operations.gather(own, table, offsets + 4 * from, to - from, 1, width);
      });
    });
    return { update, reset, candidate, recurrent };
  };

  /** One step of `count` rows from row `first`: computes the gates in place and writes the next state to `after`. */
  const step = (
    operations: Operations,
    weights: Pointer,
    gates: Gates,
    first: number,
    count: number,
    before: Pointer,
    after: Pointer,
  ): void => {
    const [z, r, n, u] = [gates.update, gates.reset, gates.candidate, gates.recurrent].map(
      (gate) => gate + first * bytes,
    ) as [Pointer, Pointer, Pointer, Pointer];
    const dense = new Dense(operations, weights);
    dense.add(before, at("state-update"), z, count, width, width);
    dense.add(before, at("state-reset"), r, count, width, width);
    dense.forward(before, at("state-candidate"), u, count, width, width);
    operations.gruCell(z, r, n, u, before, after, count * width);
  };

  const run = (
    arena: Arena,
    weights: Pointer,
    input: Sequences,
  ): { plan: Plan; offsets: Pointer; gates: Gates; before: Pointer; after: Pointer } => {
    const plan = inOrderOfTime(input, width);
    const rows = input.tokens.length;
    const offsets = arena.integers(plan.offsets);
    const gates = gateInputs(arena, weights, offsets, rows);
    const before = arena.zeros(rows * width);
    const after = arena.floats(rows * width);
    const parts = ranges(input.count, sequencesOfPart(input.count));
    arena.kernels.inParts("gru forward", rows, parts.length, (operations, i) => {
      plan.active.forEach((_, p) => {
        const { first, count } = rowsAt(plan, p, parts[i]!);
        if (count === 0) return;
        const row = first * bytes;
        step(operations, weights, gates, first, count, before + row, after + row);
        const next = rowsAt(plan, p + 1, parts[i]!);
        if (next.count > 0) {
          operations.broadcast(before + next.first * bytes, after + row, 1, next.count * width);
        }
      });
    });
    return { plan, offsets, gates, before, after };
  };

  return {
    width,
    forward(arena, weights, input) {
      const { kernels } = arena;
      const rows = input.tokens.length;
      const { plan, offsets, gates, before, after } = run(arena, weights, input);
      const wanted = arena.integers(plan.wanted);
      const hidden = arena.zeros(plan.wanted.length * width);
      kernels.gather(hidden, after, wanted, plan.wanted.length, 1, width);
      return {
        hidden,
        backward(dHidden, gradient) {
          const d = arena.zeros(rows * width);
          kernels.scatter(d, dHidden, wanted, plan.wanted.length, 1, width, width);
          const [dZ, dR, dN, dU, dBefore] = [0, 1, 2, 3, 4].map(() => arena.floats(rows * width)) as [
            Pointer,
            Pointer,
            Pointer,
            Pointer,
            Pointer,
          ];
          const back = GATES.map((gate) => transposed(arena, weights, at(`state-${gate}`), width, width));
          const parts = ranges(input.count, sequencesOfPart(input.count));
          kernels.inParts("gru backward", rows, parts.length, (operations, i) => {
            const dense = new Dense(operations, weights);
            for (let p = plan.active.length - 1; p >= 0; p--) {
              const { first, count } = rowsAt(plan, p, parts[i]!);
              if (count === 0) continue;
              const row = first * bytes;
              operations.gruCellBackward(
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
                dense.addInputGradient(dGate + row, back[g]!, dBefore + row, count, width, width);
              });
              const earlier = d + rowsAt(plan, p - 1, parts[i]!).first * bytes;
              operations.addRows(earlier, dBefore + row, 1, count * width, count * width);
            }
          });
          const sums = new GradientSums(arena, gradient, rows);
          GATES.forEach((gate, g) => {
            sums
              .weight(before, [dZ, dR, dU][g]!, at(`state-${gate}`), width, width)
              .table([dZ, dR, dN][g]!, offsets, 1, at(`embedding-${gate}`), width)
              .bias([dZ, dR, dN][g]!, at(`bias-${gate}`), width);
          });
          sums.run("gru gradient");
        },
      };
    },
    decode(arena, weights, input) {
      const { kernels } = arena;
      const { plan, after } = run(arena, weights, input);
      const { count } = input;
      let [state, other] = [arena.zeros(count * width), arena.floats(count * width)];
      kernels.gather(state, after, arena.integers(plan.last), count, 1, width);
      const hidden = state;
      const gates = arena.floats(4 * count * width);
      const offsets = arena.integers(new Int32Array(count));
      const [embedding, bias, matrix] = (["embedding", "bias", "state"] as const).map(
        (block) => weights + 4 * at(`${block}-update`),
      ) as [Pointer, Pointer, Pointer];
      const gate = at("bias-reset") - at("bias-update");
      let held: readonly number[] = Array.from({ length: count }, (_, b) => b);
      return {
        hidden,
        append(rows, tokens) {
          const n = rows.length;
          const integers = arena.int32;
          if (n < held.length) {
            let place = 0;
            for (let i = 0; i < n; i++) {
              while (held[place] !== rows[i]) place++;
              integers[offsets / 4 + i] = place * width;
            }
            kernels.clear(other, n * width);
            kernels.gather(other, state, offsets, n, 1, width);
            [state, other] = [other, state];
          }
          held = rows;
          for (let i = 0; i < n; i++) integers[offsets / 4 + i] = tokens[i]! * width;
          const [before, next] = [state, other];
          const parts = ranges(n, PART_ROWS);
          kernels.inParts("gru token", n, parts.length, (operations, p) => {
            const { from, to } = parts[p]!;
            const row = from * bytes;
            operations.gruToken(
              embedding,
              bias,
              matrix,
              gate,
              offsets + 4 * from,
              before + row,
              next + row,
              gates + 4 * row,
              to - from,
              width,
            );
          });
          [state, other] = [next, before];
          return next;
        },
      };
    },
  };
}

/** Places of all data if rows are ordered by time. */
interface Plan {
  /** Number of sequences that reach each step. */
  readonly active: readonly number[];
  readonly firstRow: readonly number[];
  /** Offset of each row's token within an embedding. */
  readonly offsets: Int32Array;
  /** Row times width of each wanted place, in the order of the sequences. */
  readonly wanted: Int32Array;
  /** Row times width of the end of each sequence. */
  readonly last: Int32Array;
}

/**
 * Sequences per part: a quarter of all, but at least as many as products take at a time, and at most as many as fit the first
 * cache.
 */
function sequencesOfPart(count: number): number {
  return Math.max(4, Math.min(16, 4 * Math.ceil(count / 16)));
}

/** The rows at step p of those of the given sequences that reach it. */
function rowsAt(
  { active, firstRow }: Plan,
  p: number,
  { from, to }: Range,
): { first: number; count: number } {
  const reach = active[p] ?? 0;
  return { first: (firstRow[p] ?? 0) + from, count: Math.max(0, Math.min(reach, to) - from) };
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
