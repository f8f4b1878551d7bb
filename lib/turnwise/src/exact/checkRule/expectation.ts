import { exp } from "../../base/elementary/exp";
import { square } from "../../base/elementary/square";
import type { Recipe } from "../../rule";
import { rolloutOf, type Rollout } from "./rollout";
import { tokenGradient, type TokenGradient } from "./tokenGradient";
import { probabilityOfLines, returnOf, type Line, type TokenGame, type TokenPolicy } from "./tokenGame";

/** A rule's expected first step on one group, exactly: ascent, in the policy's logits. */
export interface ExpectedUpdate {
  readonly mean: Float64Array;
  /** Of one group's update, for each logit. */
  readonly variance: Float64Array;
  /** Compositions of groups that were summed. */
  readonly compositions: number;
}

/**
 * E[update] over every composition of a group of `groupSize`, each a batch of its own.
 *
 *   E[u] = sum_task P(task) sum_counts G! / prod_k n_k! prod_k p_k^n_k u(counts)
 */
export function expectedUpdate(
  rule: Recipe,
  game: TokenGame,
  policy: TokenPolicy,
  groupSize: number,
): ExpectedUpdate {
  const mean = new Float64Array(game.width);
  const squares = new Float64Array(game.width);
  let compositions = 0;
  for (const task of game.tasks) {
    const p = probabilityOfLines(game, task, policy);
    forEachGroup(p, groupSize, (members, weight) => {
      const lines = members.map((k) => task.lines[k]!);
      const rollout = rolloutOf(game, policy, [{ task, lines }]);
      const update = ascent(rollout, policy, tokenGradient(rule, rollout));
      const share = task.probability * weight;
      for (let i = 0; i < mean.length; i++) {
        mean[i]! += share * update[i]!;
        squares[i]! += share * square(update[i]!);
      }
      compositions++;
    });
  }
  return { mean, variance: squares.map((x, i) => Math.max(0, x - square(mean[i]!))), compositions };
}

/** - d loss / d logits, given what the rule says of each token. */
export function ascent(rollout: Rollout, policy: TokenPolicy, tokens: TokenGradient): Float64Array {
  const { game, parameter_ntl, state_ntl } = rollout;
  const update = new Float64Array(game.width);
  for (let i = 0; i < parameter_ntl.length; i++) {
    if (parameter_ntl[i]! < 0) continue;
    const { from, actions } = game.states[state_ntl[i]!]!;
    const push = -tokens.dLogProb_ntl[i]!;
    const spread = -tokens.dEntropy_ntl[i]!;
    const entropy = policy.entropy[state_ntl[i]!]!;
    for (let j = from; j < from + actions.length; j++) {
      const p = exp(policy.logProb[j]!);
      update[j]! +=
        push * ((j === parameter_ntl[i] ? 1 : 0) - p) - spread * p * (policy.logProb[j]! + entropy);
    }
  }
  return update;
}

/** Every multiset of `size` of the outcomes, as a sorted list, with its multinomial probability. */
function forEachGroup(
  probability: readonly number[],
  size: number,
  visit: (members: readonly number[], weight: number) => void,
): void {
  const place = (k: number, members: readonly number[], weight: number): void => {
    if (members.length === size) {
      visit(members, weight);
      return;
    }
    if (k === probability.length) return;
    // Of the places that are left, c go to outcome k: the binomial factor is built up one by one.
    let factor = weight;
    let now = members;
    const left = size - members.length;
    for (let c = 0; c <= left; c++) {
      place(k + 1, now, factor);
      factor *= (probability[k]! * (left - c)) / (c + 1);
      now = [...now, k];
    }
  };
  place(0, [], 1);
}

/** J and its gradient in the logits, summed over every trajectory. */
export function exactReturn(
  game: TokenGame,
  policy: TokenPolicy,
): { readonly J: number; readonly gradient: Float64Array } {
  let J = 0;
  const gradient = new Float64Array(game.width);
  for (const task of game.tasks) {
    const p = probabilityOfLines(game, task, policy);
    task.lines.forEach((line: Line, k) => {
      const weight = task.probability * p[k]! * returnOf(line);
      J += weight;
      for (const { cells } of line.turns) {
        for (const cell of cells) {
          if (!("state" in cell)) continue;
          const { from, actions } = game.states[cell.state]!;
          actions.forEach((_, a) => {
            gradient[from + a]! += weight * ((a === cell.action ? 1 : 0) - exp(policy.logProb[from + a]!));
          });
        }
      }
    });
  }
  return { J, gradient };
}
