// One file because each line is a few numbers, and a reader or author looks a line up by its name.
import { exp } from "turnwise/internal/base/elementary/exp";
import { log } from "turnwise/internal/base/elementary/log";
import { square } from "turnwise/internal/base/elementary/square";
import type { Piece } from "../shared/exercise/piece";

/** Numbers as a list or as a typed array: what both can do. */
export interface Numbers {
  readonly length: number;
  readonly [place: number]: number;
  map(change: (x: number, place: number) => number): Numbers;
  reduce(add: (sum: number, x: number, place: number) => number, start: number): number;
  slice(from?: number, to?: number): Numbers;
  filter(keep: (x: number, place: number) => boolean): Numbers;
  [Symbol.iterator](): IterableIterator<number>;
}

/** The lines that readers write inside the lessons, by their names. */
export interface Pieces {
  /** 00: return of a blind guess among so many facts, if a wrong answer costs this much. */
  readonly blindGuess: (facts: number, penalty: number) => number;
  /** 01: rewards less their mean. */
  readonly center: (rewards: Numbers) => Numbers;
  /** 01: rewards less their mean, divided by their std, to which a millionth is added. */
  readonly standardize: (rewards: Numbers) => Numbers;
  /** 01: what a token is pushed by, given its ratio and advantage, under a clip of .8 to 1.2. */
  readonly clipped: (ratio: number, advantage: number) => number;
  /** 01 and 06: reward of a turn and what is expected after it, less what was expected before it. */
  readonly surprise: (reward: number, before: number, after: number) => number;
  /** 02: mean advantage of the machine in a pair, if it wins this often. */
  readonly pairPush: (chance: number) => number;
  /** 03: advantage that an earlier turn receives, given the later turn's probability before and after its update. */
  readonly passedOn: (before: number, after: number, advantage: number) => number;
  /** 03: chance that two turns say different things, if each says *a* this often. */
  readonly differ: (first: number, second: number) => number;
  /** 04: k3 of a token, given the start's probability over the policy's. */
  readonly k3: (ratio: number) => number;
  /** 05: ratio of a turn as the geometric mean of its tokens' ratios, given their logarithms. */
  readonly turnRatio: (logRatios: Numbers) => number;
  /** 05: PPO's objective for a token, under a clip of .8 to 1.2. */
  readonly ppo: (ratio: number, advantage: number) => number;
  /** 06: mean of the values whose mask is 1. */
  readonly maskedMean: (values: Numbers, mask: Numbers) => number;
  /** 07: pay of a right answer less pay of a wrong one, if a verdict of 0 or 1 is flipped this often. */
  readonly signalLeft: (error: number) => number;
  /** 07: KL of the policy to its start, in nats. */
  readonly kl: (now: Numbers, start: Numbers) => number;
  /** 08: increase of the belief in the right answer over each turn. */
  readonly gains: (beliefs: Numbers) => Numbers;
  /** 08: log of how much likelier a turn is under the second policy, times beta. */
  readonly implicitReward: (beta: number, second: number, old: number) => number;
  /** 08: outcome of a turn plus the mean of its votes. */
  readonly voted: (outcome: number, votes: Numbers) => number;
  /** 09: pay of an agent that believes a simulator which lies this often. */
  readonly believing: (lies: number) => number;
  /** 10: chance that so many turns are all right. */
  readonly allRight: (skill: number, turns: number) => number;
  /** 11: share of updates after the alarm that fall, over the share of all updates that fall. */
  readonly lift: (falls: number, alarms: number, allFalls: number, updates: number) => number;
}

export type PieceName = keyof Pieces;

const mean = (numbers: Numbers): number => numbers.reduce((sum, x) => sum + x, 0) / numbers.length;
const center = (rewards: Numbers): Numbers => rewards.map((reward) => reward - mean(rewards));
const squares = (numbers: Numbers): number =>
  numbers.map((x) => square(x - mean(numbers))).reduce((sum, x) => sum + x, 0);
const std = (numbers: Numbers): number => Math.sqrt(squares(numbers) / (numbers.length - 1));
const clamp = (ratio: number): number => Math.min(Math.max(ratio, 0.8), 1.2);
const dot = (a: Numbers, b: Numbers): number => a.reduce((sum, x, i) => sum + x * b[i]!, 0);

const groups: [Numbers][] = [[[1, 0, 0, 1]], [[1, -1, 0.5]], [[0, 0, 0, 1, 0]]];
const ratios: [number, number][] = [
  [1, 1],
  [1.5, 1],
  [0.5, 1],
  [1.5, -1],
  [0.5, -1],
  [1.1, -2],
];

/** Each line with tries and common mistakes. */
export const pieces = Object.freeze<{ readonly [Name in PieceName]: Piece<Pieces[Name]> }>({
  blindGuess: {
    ours: (facts, penalty) => 1 / facts - (penalty * (facts - 1)) / facts,
    tries: [
      [4, 1 / 3],
      [2, 1],
      [10, 0],
      [4, 1],
    ],
    mistakes: [
      ["It forgets that a wrong answer costs something.", (facts) => 1 / facts],
      ["A guess is wrong for all facts but one, not for all.", (facts, penalty) => 1 / facts - penalty],
    ],
  },
  center: {
    ours: center,
    tries: groups,
    mistakes: [
      ["Its sign is turned round.", (rewards) => rewards.map((r) => mean(rewards) - r)],
      ["It returns the rewards themselves.", (rewards) => rewards],
      ["It subtracts the sum instead of the mean.", (r) => r.map((x) => x - mean(r) * r.length)],
    ],
  },
  standardize: {
    ours: (rewards) => center(rewards).map((gap) => gap / (std(rewards) + 1e-6)),
    tries: groups,
    mistakes: [
      ["It does not divide by the std.", center],
      [
        "It divides by the variance; the std is its root.",
        (r) => center(r).map((gap) => gap / (square(std(r)) + 1e-6)),
      ],
      [
        "Its std divides by n, and the lesson's by n − 1.",
        (r) => center(r).map((gap) => gap / (Math.sqrt(squares(r) / r.length) + 1e-6)),
      ],
    ],
  },
  clipped: {
    ours(ratio, advantage) {
      const farEnough = advantage > 0 ? ratio > 1.2 : ratio < 0.8;
      return farEnough ? 0 : ratio * advantage;
    },
    tries: ratios,
    mistakes: [
      ["It never stops.", (ratio, advantage) => ratio * advantage],
      [
        "It stops tokens that have gone the wrong way, too; they must be free to come back.",
        (ratio, advantage) => (ratio > 1.2 || ratio < 0.8 ? 0 : ratio * advantage),
      ],
      ["It clamps the ratio; a token that is far enough gets no push.", (r, a) => clamp(r) * a],
      ["It forgets the ratio.", (r, a) => ((a > 0 ? r > 1.2 : r < 0.8) ? 0 : a)],
    ],
  },
  surprise: {
    ours: (reward, before, after) => reward + after - before,
    tries: [
      [0, 1 / 3, 2 / 3],
      [-1 / 3, 2 / 3, 0],
      [1, 0.5, 0],
    ],
    mistakes: [
      ["It turns before and after round.", (reward, before, after) => reward + before - after],
      ["It forgets what is expected after the turn.", (reward, before) => reward - before],
      ["It forgets the reward.", (_, before, after) => after - before],
    ],
  },
  pairPush: {
    ours: (chance) => chance * 1 + (1 - chance) * -1,
    tries: [[0.25], [0.5], [0.9]],
    mistakes: [
      ["It forgets the pairs that the machine loses.", (chance) => chance],
      ["Its sign is turned round.", (chance) => 1 - 2 * chance],
    ],
  },
  passedOn: {
    ours: (before, after, advantage) => (after / before) * advantage,
    tries: [
      [0.5, 1, 0.45],
      [0.5, 0, -0.55],
      [0.25, 0.5, -0.2],
      [0.5, 0.5, 0.05],
    ],
    mistakes: [
      ["It divides before by after.", (before, after, advantage) => (before / after) * advantage],
      ["It leaves the carry out.", (_, __, advantage) => advantage],
      ["It adds the change; the carry is a factor.", (b, a, advantage) => advantage + a - b],
      ["It returns the carry alone.", (before, after) => after / before],
    ],
  },
  differ: {
    ours: (first, second) => first * (1 - second) + second * (1 - first),
    tries: [
      [0.6, 0.6],
      [0.6, 0.4],
      [1, 0],
      [0.8, 0.2],
    ],
    mistakes: [
      ["It counts only the case in which the first says a.", (first, second) => first * (1 - second)],
      ["It is the chance that both say the same.", (p, q) => p * q + (1 - p) * (1 - q)],
    ],
  },
  k3: {
    ours: (ratio) => ratio - 1 - log(ratio),
    tries: [[1], [2], [0.5], [100]],
    mistakes: [
      ["That is k1, the log-ratio alone.", (ratio) => -log(ratio)],
      ["That is k2, half of the squared log-ratio.", (ratio) => square(log(ratio)) / 2],
      ["The sign of the logarithm is turned round.", (ratio) => ratio - 1 + log(ratio)],
    ],
  },
  turnRatio: {
    ours: (logRatios) => exp(mean(logRatios)),
    tries: [[[0.1, 0.3]], [[0.5, -0.2, 0.3, 0]], [[-0.7]]],
    mistakes: [
      ["That is the product: it sums instead of averaging.", (d) => exp(mean(d) * d.length)],
      ["It returns the log-ratio; take the exponential.", mean],
      ["It averages the ratios; average their logarithms.", (d) => mean(d.map((x) => exp(x)))],
      ["It is old over new.", (d) => exp(-mean(d))],
    ],
  },
  ppo: {
    ours: (ratio, advantage) => Math.min(ratio * advantage, clamp(ratio) * advantage),
    tries: ratios,
    mistakes: [
      ["It clamps the ratio, but does not take the smaller of the two products.", (r, a) => clamp(r) * a],
      ["It takes the larger of the two products.", (r, a) => Math.max(r * a, clamp(r) * a)],
      ["It does not clip.", (r, a) => r * a],
    ],
  },
  maskedMean: {
    ours: (values, mask) => dot(values, mask) / mask.reduce((sum, x) => sum + x, 0),
    tries: [
      [
        [1, 2, 6],
        [1, 0, 1],
      ],
      [
        [4, -2, 0, 8],
        [0, 1, 1, 0],
      ],
    ],
    mistakes: [
      ["It divides by the number of all tokens.", (values, mask) => dot(values, mask) / mask.length],
      ["It ignores the mask.", (values) => mean(values)],
      ["It does not divide.", dot],
    ],
  },
  signalLeft: {
    ours: (error) => 1 - error - error,
    tries: [[0], [3 / 16], [3 / 8], [0.5]],
    mistakes: [["That is the pay of a right answer; a wrong one is paid, too.", (error) => 1 - error]],
  },
  kl: {
    ours: (now, start) => now.reduce((sum, p, i) => sum + p * log(p / start[i]!), 0),
    tries: [
      [
        [0.5, 0.5],
        [0.5, 0.5],
      ],
      [
        [0.9, 0.1],
        [0.5, 0.5],
      ],
      [
        [0.2, 0.3, 0.5],
        [0.6, 0.3, 0.1],
      ],
    ],
    mistakes: [
      [
        "Its probabilities are the start's; the KL of the policy averages over the policy.",
        (now, start) => start.reduce((sum, q, i) => sum + q * log(q / now[i]!), 0),
      ],
      [
        "Its sign is turned round.",
        (now, start) => -now.reduce((sum, p, i) => sum + p * log(p / start[i]!), 0),
      ],
      [
        "It does not weight by the policy's probabilities.",
        (now, start) => now.reduce((sum, p, i) => sum + log(p / start[i]!), 0),
      ],
    ],
  },
  gains: {
    ours: (beliefs) => beliefs.slice(1).map((belief, turn) => belief - beliefs[turn]!),
    tries: [[[0.25, 0.25, 0.9]], [[0.1, 0.6, 0.4]]],
    mistakes: [
      [
        "It compares each belief with the first; a gain is the change over its own turn.",
        (beliefs) => beliefs.slice(1).map((belief) => belief - beliefs[0]!),
      ],
      ["Its sign is turned round.", (b) => b.slice(1).map((belief, turn) => b[turn]! - belief)],
      ["It returns the beliefs themselves.", (beliefs) => beliefs.slice(1)],
    ],
  },
  implicitReward: {
    ours: (beta, second, old) => beta * log(second / old),
    tries: [
      [1, 0.5, 0.5],
      [2, 0.6, 0.3],
      [0.5, 0.1, 0.4],
    ],
    mistakes: [
      ["It compares the wrong way round.", (beta, second, old) => beta * log(old / second)],
      ["It forgets beta.", (_, second, old) => log(second / old)],
      ["It forgets the logarithm.", (beta, second, old) => (beta * second) / old],
    ],
  },
  voted: {
    ours: (outcome, votes) => outcome + mean(votes),
    tries: [
      [1, [1, 1, -1]],
      [0, [-1, -1, -1]],
      [1, [-1, -1, -1]],
    ],
    mistakes: [
      ["It adds the sum of the votes, not their mean.", (o, votes) => o + mean(votes) * votes.length],
      ["It forgets the outcome.", (_, votes) => mean(votes)],
    ],
  },
  believing: {
    ours: (lies) => 1 - lies - lies / 3,
    tries: [[0], [0.25], [0.5], [0.75]],
    mistakes: [["It forgets that a wrong answer costs a third.", (lies) => 1 - lies]],
  },
  allRight: {
    // Each factor is exact enough; Math.pow differs in its last digit from engine to engine.
    ours: (skill, turns) => Array.from({ length: turns }, () => skill).reduce((all, p) => all * p, 1),
    tries: [
      [0.5, 5],
      [0.8, 5],
      [0.3, 1],
    ],
    mistakes: [["It adds where chances multiply.", (skill, turns) => skill * turns]],
  },
  lift: {
    ours: (falls, alarms, allFalls, updates) => falls / alarms / (allFalls / updates),
    tries: [
      [20, 100, 50, 1000],
      [5, 100, 50, 1000],
    ],
    mistakes: [
      [
        "That is how often a fall follows; compare it with any other time.",
        (falls, alarms) => falls / alarms,
      ],
      ["It is upside down.", (falls, alarms, allFalls, updates) => allFalls / updates / (falls / alarms)],
      ["That is the share of falls that had the alarm.", (falls, _, allFalls) => falls / allFalls],
    ],
  },
});
