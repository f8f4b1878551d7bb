import type { Batch } from "../../batch/batch";
import { selectBlocks, selectTrajectories } from "../../batch/select";
import { createRng } from "../../base/rng";
import { exp } from "../../base/elementary/exp";
import { square } from "../../base/elementary/square";
import {
  advantages,
  filterGroups,
  recipeNeeds,
  turnSchedule,
  uncheckedSurrogate,
  type Advantages,
  type Recipe,
} from "../../rule";
import { logSoftmax } from "../../policy/softmax";
import type { Rollout } from "./rollout";

/** Question to a rule about a rollout; omitted parts are as in the trainer's first step. */
export interface Question {
  /** Of the policy that is updated. Default: the one that sampled. */
  readonly logProb_ntl?: Float64Array;
  /** Instead of the rule's own. */
  readonly advantage_ntl?: Float64Array;
  readonly entropy_ntl?: Float64Array;
  /** Of the critic that is updated. Default: exact values. */
  readonly value_nt?: Float64Array;
}

/** A rule's answer, cell by cell, in the layout of the rollout. */
export interface TokenGradient {
  readonly loss: number;
  readonly advantage_ntl: Float64Array;
  /** d loss / d log-prob of the sampled token; where whole distributions are read, its logit moves along. */
  readonly dLogProb_ntl: Float64Array;
  /** d loss / d entropy; zeros for a rule without entropy. */
  readonly dEntropy_ntl: Float64Array;
  /** d loss / d value before each turn; zeros for a rule whose loss has none. */
  readonly dValue_nt: Float64Array;
  /** Rows that the rule's filter let through. */
  readonly rows: readonly number[];
}

/**
 * The derivative of a rule's loss in every token of a rollout: filter, advantages and surrogate as the trainer calls them,
 * summed over the sets of turns that the rule updates one after the other.
 */
export function tokenGradient(rule: Recipe, rollout: Rollout, question: Question = {}): TokenGradient {
  const { keep_n } = filterGroups(rollout.batch, rule);
  const rows = [...keep_n.keys()].filter((n) => keep_n[n] === 1);
  const [N, T, L] = rollout.batch.shape;
  const advantage_ntl = new Float64Array(N * T * L);
  const dLogProb_ntl = new Float64Array(N * T * L);
  const dEntropy_ntl = new Float64Array(N * T * L);
  const dValue_nt = new Float64Array(N * T);
  if (rows.length === 0) return { loss: 0, advantage_ntl, dLogProb_ntl, dEntropy_ntl, dValue_nt, rows };
  const tokens = (x: Float64Array): Float64Array => selectBlocks(x, rows, T * L);
  const batch: Batch = rows.length === N ? rollout.batch : selectTrajectories(rollout.batch, rows);
  const value_nt = selectBlocks(rollout.value_nt, rows, T);
  const refLogProb_ntl = tokens(rollout.refLogProb_ntl);
  const logProb_ntl =
    question.logProb_ntl === undefined ? batch.oldLogProb_ntl : tokens(question.logProb_ntl);
  const V = rollout.logProb_ntlv.length / (N * T * L);
  const before_ntlv = selectBlocks(rollout.logProb_ntlv, rows, T * L * V);
  const whole = { oldLogProb_ntlv: before_ntlv, refLogProb_ntlv: before_ntlv };
  const actions = tokens(actionsOf(rollout));
  const credit: Pick<Advantages, "advantage_ntl" | "standing_nt"> =
    question.advantage_ntl === undefined
      ? advantages(batch, rule, value_nt, refLogProb_ntl, {
          ...whole,
          ...(recipeNeeds(rule).gradients && { gradientSquare_n: gradientSquares(rollout, rows) }),
        })
      : { advantage_ntl: tokens(question.advantage_ntl) };
  const own = credit.advantage_ntl;
  scatter(own, rows, T * L, advantage_ntl);
  const input = {
    shape: batch.shape,
    logProb_ntl,
    logProb_ntlv: tilted(before_ntlv, V, logProb_ntl, actions),
    ...whole,
    oldLogProb_ntl: batch.oldLogProb_ntl,
    mask_ntl: batch.mask_ntl,
    advantage_ntl: own,
    ...(credit.standing_nt && { standing_nt: credit.standing_nt }),
    refLogProb_ntl,
    entropy_ntl: tokens(question.entropy_ntl ?? rollout.entropy_ntl),
    value_nt: selectBlocks(question.value_nt ?? rollout.value_nt, rows, T),
    oldValue_nt: value_nt,
    valueTarget_nt: rewardToGo(batch),
    trajectoryId: batch.trajectoryId,
  };
  let loss = 0;
  for (const turns of turnSchedule(rule, T, createRng(0))) {
    const found = uncheckedSurrogate(input, rule, turns);
    loss += found.loss;
    const { dLogit_ntlv } = found;
    const through = dLogit_ntlv
      ? found.dLogProb_ntl.map((x, i) => (actions[i]! < 0 ? x : x + dLogit_ntlv[i * V + actions[i]!]!))
      : found.dLogProb_ntl;
    addAt(through, rows, T * L, dLogProb_ntl);
    if (found.dEntropy_ntl !== undefined) addAt(found.dEntropy_ntl, rows, T * L, dEntropy_ntl);
    if (found.dValue_nt !== undefined) addAt(found.dValue_nt, rows, T, dValue_nt);
  }
  return { loss, advantage_ntl, dLogProb_ntl, dEntropy_ntl, dValue_nt, rows };
}

/** Which of its state's actions each cell took; -1 where masked. */
const actionsOf = ({ game, parameter_ntl, state_ntl }: Rollout): Float64Array =>
  Float64Array.from(parameter_ntl, (at, i) => (at < 0 ? -1 : at - game.states[state_ntl[i]!]!.from));

/** |sum over a trajectory's sampled cells of (its action - the probabilities of its state)|^2: of the gradient in the logits. */
function gradientSquares(
  { game, batch, parameter_ntl, state_ntl, logProb_ntlv }: Rollout,
  rows: readonly number[],
): Float64Array {
  const [, T, L] = batch.shape;
  const V = logProb_ntlv.length / parameter_ntl.length;
  const gradient = new Float64Array(game.width);
  return Float64Array.from(rows, (n) => {
    gradient.fill(0);
    for (let i = n * T * L; i < (n + 1) * T * L; i++) {
      if (parameter_ntl[i]! < 0) continue;
      const { from, actions } = game.states[state_ntl[i]!]!;
      gradient[parameter_ntl[i]!]! += 1;
      actions.forEach((_, a) => (gradient[from + a]! -= exp(logProb_ntlv[i * V + a]!)));
    }
    return gradient.reduce((sum, x) => sum + square(x), 0);
  });
}

/**
 * The distributions of a policy whose logits have moved on the sampled actions alone, by as much as their log-probs are said
 * to have moved: so that an exact divergence has a derivative in a token's log-prob, as every other term has.
 */
function tilted(
  before_ntlv: Float64Array,
  V: number,
  logProb_ntl: Float64Array,
  actions: Float64Array,
): Float64Array {
  const after_ntlv = before_ntlv.slice();
  actions.forEach((action, i) => {
    if (action < 0) return;
    const at = i * V;
    after_ntlv[at + action] = logProb_ntl[i]!;
    logSoftmax(after_ntlv, at, V, 1, after_ntlv, at);
  });
  return after_ntlv;
}

/** The sampled return from each turn on, which a critic regresses to. */
export function rewardToGo({ shape: [N, T], reward_nt, turnCount_n }: Batch): Float64Array {
  const toGo_nt = new Float64Array(N * T);
  for (let n = 0; n < N; n++) {
    let sum = 0;
    for (let t = turnCount_n[n]! - 1; t >= 0; t--) {
      sum += reward_nt[n * T + t]!;
      toGo_nt[n * T + t] = sum;
    }
  }
  return toGo_nt;
}

function scatter(from: Float64Array, rows: readonly number[], width: number, to: Float64Array): void {
  rows.forEach((n, k) => to.set(from.subarray(k * width, (k + 1) * width), n * width));
}

function addAt(from: Float64Array, rows: readonly number[], width: number, to: Float64Array): void {
  rows.forEach((n, k) => {
    for (let i = 0; i < width; i++) to[n * width + i]! += from[k * width + i]!;
  });
}
