import type { Batch } from "turnwise/internal/batch/batch";
import type { Env } from "turnwise/internal/env/index";
import { enumerateReturn, type HistoryValue } from "turnwise/internal/exact/index";
import { contextKey, type Policy } from "turnwise/internal/policy/policy";

/** The values of HiPER's three heads, flat [N, T]. */
export interface SegmentValues {
  readonly value_nt: Float64Array;
  readonly valueHigh_nt: Float64Array;
  readonly valueTerm_nt: Float64Array;
}

interface Levels {
  readonly before: number;
  readonly switched: number;
  readonly kept: number;
}

/**
 * Exact values of a critic with a value for each level: of a turn before it is decided whether to switch, and given how
 * that was decided.
 *
 * ```
 * V_term(h) = E[R | h],   V_high(h) = E[R | h, the turn switches],   V_low(h) = E[R | h, it does not]
 * ```
 * R is the sum of the rewards from the turn on. A segment ends where the next turn switches, so what follows it is V_high, not
 * V_term. The first turn of an episode begins a segment however it is decided.
 *
 * @throws {TypeError} if the environment cannot be enumerated
 */
export function segmentValues(env: Env, policy: Policy): (batch: Batch) => SegmentValues {
  const { histories } = enumerateReturn(env, policy, { gradient: false });
  const switches = switchesIn(env);
  const levels = new Map(histories.map((h) => [`${h.turn}/${h.key}`, levelsOf(h, switches)]));
  return (batch) => {
    const [N, T] = batch.shape;
    const [value_nt, valueHigh_nt, valueTerm_nt] = [0, 1, 2].map(() => new Float64Array(N * T)) as [
      Float64Array,
      Float64Array,
      Float64Array,
    ];
    for (let n = 0; n < N; n++) {
      for (let t = 0; t < batch.turnCount_n[n]!; t++) {
        const nt = n * T + t;
        const { before, switched, kept } = levels.get(`${t}/${contextKey(batch.context_nt[n]![t])}`)!;
        const decided = batch.switch_nt?.[nt] === 1 ? switched : kept;
        valueTerm_nt[nt] = before;
        value_nt[nt] = valueHigh_nt[nt] = t === 0 ? before : decided;
      }
    }
    return { value_nt, valueHigh_nt, valueTerm_nt };
  };
}

/** Whether a turn is well formed and chooses a subgoal. */
function switchesIn({ spec: { vocabulary, syntax = [] } }: Env): (tokens: readonly number[]) => boolean {
  return (tokens) =>
    vocabulary[tokens[0]!] === "SWITCH" && syntax.every((allowed, place) => allowed.includes(tokens[place]!));
}

function levelsOf(
  { value, turns, turnValue }: HistoryValue,
  switches: (tokens: readonly number[]) => boolean,
): Levels {
  const given = (isSwitch: boolean): number => {
    let [mass, sum] = [0, 0];
    turns.forEach(({ tokens, probability }, i) => {
      if (switches(tokens) !== isSwitch) return;
      mass += probability;
      sum += probability * turnValue[i]!;
    });
    return mass === 0 ? value : sum / mass;
  };
  return { before: value, switched: given(true), kept: given(false) };
}
