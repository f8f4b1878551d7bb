import assert from "node:assert/strict";
import { checkExercise } from "turnwise-course";

type Numbers = readonly number[];
type Case<Answer> = readonly [said: string, answer: Answer];

const sum = (x: Numbers): number => x.reduce((total, one) => total + one, 0);

/** Answers to an exercise, and what each is told. */
function told<Answer>(
  exercise: string,
  check: (answer: Answer) => unknown,
  cases: readonly Case<Answer>[],
): void {
  describe(exercise, () => {
    cases.forEach(([said, answer], i) => {
      it(`${String(i + 1)}: ${said}`, () => {
        let message: string;
        try {
          message = String(check(answer));
        } catch (error) {
          assert.equal((error as Error).name, "NotYet", String(error));
          message = (error as Error).message;
        }
        assert.equal(
          message.replace(/passed \(\d+ hidden inputs\)\. .+\.$/, "passed"),
          `${exercise}: ${said}`,
        );
      });
    });
  });
}

describe("check of the exercises on theorem, clip, looking and logits", () => {
  type Push = (prize_k: Numbers, chance_k: Numbers, salary: number) => number;
  /** The mean over the prizes of what a pair gives. */
  const pairs =
    (f: (prize: number, salary: number) => number): Push =>
    (prize_k, chance_k, salary) =>
      sum(prize_k.map((prize, k) => chance_k[k]! * f(prize, salary)));
  const advantage = (prize: number, salary: number): number => {
    const mean = (prize + salary) / 2;
    const std = Math.sqrt(((prize - mean) ** 2 + (salary - mean) ** 2) / 2);
    return std === 0 ? 0 : (prize - mean) / std;
  };
  type Two = (nobody: number, first: number, second: number, both: number) => number[];
  told<Two>("twoShares", (answer) => checkExercise("twoShares", answer), [
    ["passed", (n, a, b, both) => [(a - n + both - b) / 2, (b - n + both - a) / 2]],
    [
      "it is what would be lost without each agent; these do not add up to what the two gain.",
      (_, a, b, both) => [both - b, both - a],
    ],
    ["it is what each earns alone; what they add to the other is missing.", (n, a, b) => [a - n, b - n]],
    [
      "it halves the gain; an agent that adds more in each order must get more.",
      (n, _, __, both) => [(both - n) / 2, (both - n) / 2],
    ],
    [
      "it adds the two orders up; each of them has the chance 1/2.",
      (n, a, b, both) => [a - n + both - b, b - n + both - a],
    ],
    ["the two shares are exchanged.", (n, a, b, both) => [(b - n + both - a) / 2, (a - n + both - b) / 2]],
    [
      "it divides all that both earn; what is earned without them belongs to neither.",
      (_, a, b, both) => [(a + both - b) / 2, (b + both - a) / 2],
    ],
  ]);
  told<Push>("expectedPush", (answer) => checkExercise("expectedPush", answer), [
    ["passed", pairs(advantage)],
    ["passed", pairs((prize, salary) => Math.sign(prize - salary))],
    ["it does not divide by the std of the group.", pairs((p, s) => p - (p + s) / 2)],
    [
      "it divides by the std with n - 1; the task takes the one with n.",
      pairs((p, s) => advantage(p, s) / Math.sqrt(2)),
    ],
    [
      "it compares with the salary; the advantage compares with the mean of the group.",
      pairs((p, s) => (p === s ? 0 : (p - s) / (Math.abs(p - s) / 2))),
    ],
    [
      "it takes the mean of the prizes first; each prize makes a group of its own.",
      (p, c, s) => advantage(sum(p.map((x, k) => x * c[k]!)), s),
    ],
    [
      "it counts every prize alike; some come more often than others.",
      (p, _c, s) => sum(p.map((x) => advantage(x, s))) / p.length,
    ],
    ["it is the advantage of the salary; the machine's is asked for.", pairs((p, s) => advantage(s, p))],
    [
      "it divides 0 by 0 when both earn the same; nobody did better than the mean of the group then.",
      pairs((p, s) => (p - s) / Math.abs(p - s)),
    ],
    [
      "it is wrong when both earn the same; nobody did better than the mean of the group then.",
      pairs((p, s) => (p >= s ? 1 : -1)),
    ],
    [
      "it is wrong with more than two prizes.",
      ([a, b], [x, y], s) => x! * advantage(a!, s) + y! * advantage(b!, s),
    ],
    ["it must return a number; it returned undefined.", () => undefined as never],
    [
      "the answer throws on the plainest input: no code yet",
      () => {
        throw new Error("no code yet");
      },
    ],
  ]);

  type Gate = (ratio_l: Numbers, advantage_l: Numbers, epsilon: number) => ArrayLike<number>;
  const each =
    (f: (ratio: number, advantage: number, clipped: number, epsilon: number) => number): Gate =>
    (ratio_l, advantage_l, e) =>
      ratio_l.map((r, l) => f(r, advantage_l[l]!, Math.max(1 - e, Math.min(1 + e, r)), e));
  const gate = (r: number, A: number, _c: number, e: number): number =>
    (A > 0 && r > 1 + e) || (A < 0 && r < 1 - e) ? 0 : r * A;
  told<Gate>("clipGate", (answer) => checkExercise("clipGate", answer), [
    ["passed", each(gate)],
    ["passed", (r, A, e) => Float32Array.from(each(gate)(r, A, e) as number[])],
    [
      "it stops every ratio outside of the window; one on the wrong side for its advantage may come back.",
      each((r, A, _c, e) => (Math.abs(r - 1) > e ? 0 : r * A)),
    ],
    [
      "it leaves out the ratio; the derivative of a ratio in the log-prob is not 1.",
      each((r, A, c, e) => gate(r, A, c, e) / r),
    ],
    [
      "it returns the clipped objective; its derivative is asked for.",
      each((r, A, c) => Math.min(r * A, c * A)),
    ],
    [
      "it multiplies by the clipped ratio; where the clip holds, a constant is differentiated.",
      each((_r, A, c) => c * A),
    ],
    [
      "it takes the larger of the two objectives; PPO takes the smaller.",
      each((r, A, _c, e) => ((A < 0 && r > 1 + e) || (A > 0 && r < 1 - e) ? 0 : r * A)),
    ],
    [
      "it is the derivative of the loss; that of the objective has the other sign.",
      each((r, A, c, e) => -gate(r, A, c, e)),
    ],
    ["nothing is clipped: every token is pushed.", each((r, A) => r * A)],
    [
      "it takes the epsilon for positive advantages only: ratios below the window go on falling.",
      each((r, A, _c, e) => (A > 0 && r > 1 + e ? 0 : r * A)),
    ],
    [
      "it is right for positive advantages and wrong for negative ones.",
      each((r, A, _c, e) => (r > 1 + e ? 0 : r * A)),
    ],
    ["it must return one number for each token; it returned 0 for 6.", () => []],
    ["it must return a list of numbers.", () => 3 as never],
  ]);

  type Look = (chance_s: Numbers, seen_s: Numbers, reward_sa: readonly Numbers[]) => number;
  const actions = [0, 1, 2];
  const earns = (c: Numbers, r: readonly Numbers[], of: Numbers, a: number): number =>
    sum(of.map((s) => c[s]! * r[s]![a]!));
  const top = (c: Numbers, r: readonly Numbers[], of: Numbers): number =>
    Math.max(...actions.map((a) => earns(c, r, of, a)));
  const all = (c: Numbers): number[] => c.map((_, s) => s);
  const groups = (seen: Numbers): number[][] =>
    [...new Set(seen)].map((o) => all(seen).filter((s) => seen[s] === o));
  const looking = (c: Numbers, seen: Numbers, r: readonly Numbers[]): number =>
    sum(groups(seen).map((of) => top(c, r, of)));
  const right: Look = (c, seen, r) => looking(c, seen, r) - top(c, r, all(c));
  const chanceOf = (c: Numbers, of: Numbers): number => sum(of.map((s) => c[s]!));
  told<Look>("worthOfLooking", (answer) => checkExercise("worthOfLooking", answer), [
    ["passed", right],
    [
      "it lets the agent know the state; it knows only what it sees.",
      (c, _seen, r) => sum(all(c).map((s) => top(c, r, [s]))) - top(c, r, all(c)),
    ],
    ["it returns what the agent earns that looks; how much more than a fixed plan is asked for.", looking],
    ["it returns what the best fixed plan earns.", (c, _seen, r) => top(c, r, all(c))],
    [
      "it counts every state alike; some come more often than others.",
      (c, seen, r) =>
        right(
          c.map(() => 1 / c.length),
          seen,
          r,
        ),
    ],
    [
      "it compares with a plan drawn at random; the best of the fixed plans is meant.",
      (c, seen, r) => looking(c, seen, r) - sum(actions.map((a) => earns(c, r, all(c), a))) / 3,
    ],
    ["its sign is turned round.", (c, seen, r) => -right(c, seen, r)],
    [
      "it counts everything that can be seen alike; some of it is seen more often.",
      (c, seen, r) =>
        sum(groups(seen).map((of) => top(c, r, of) / chanceOf(c, of))) / groups(seen).length -
        top(c, r, all(c)),
    ],
    [
      "it takes the best reward of any state that looks like this; the agent cannot tell which it is in.",
      (c, seen, r) =>
        sum(groups(seen).map((of) => chanceOf(c, of) * Math.max(...of.flatMap((s) => r[s]!)))) -
        top(c, r, all(c)),
    ],
    [
      "it is wrong when all states look alike; who sees nothing can do no better than a fixed plan.",
      (c, seen, r) => (new Set(seen).size === 1 ? 1 : right(c, seen, r)),
    ],
    [
      "it is wrong with states that all look different.",
      (c, seen, r) => (new Set(seen).size === c.length ? 1 : right(c, seen, r)),
    ],
    ["it must return a number; it returned object.", () => [] as never],
  ]);

  type Gain = (logProb_tl: readonly Numbers[], outcome: number) => Numbers;
  type Belief = (logProb_l: Numbers) => number;
  const geometric: Belief = (l) => Math.exp(sum(l) / l.length);
  const paidBy =
    (belief: Belief): Gain =>
    (l, outcome) => {
      const p = l.map(belief);
      return p.map((now, t) => (t + 1 < p.length ? p[t + 1]! - now : outcome));
    };
  const gain = paidBy(geometric);
  const butLast = (all: Numbers, of: (r: number) => number): number[] =>
    all.map((r, t) => (t + 1 < all.length ? of(r) : r));
  told<Gain>("informationGain", (answer) => checkExercise("informationGain", answer), [
    ["passed", gain],
    [
      "it turns the gain round: a turn is paid for what is believed after it and was not before.",
      (l, R) => butLast(gain(l, R), (r) => -r),
    ],
    [
      "it pays the gain one turn too late, to the turn that follows.",
      (l, R) => {
        const late = [0, ...gain(l, R).slice(0, -1)];
        return late.map((r, t) => (t + 1 < late.length ? r : r + R));
      },
    ],
    ["it forgets the outcome, which the last turn is paid.", (l) => gain(l, 0)],
    [
      "it pays every turn the outcome; only the last one gets it.",
      (l, R) => butLast(gain(l, R), (r) => r + R),
    ],
    [
      "it pays the belief itself; only what a turn adds to it counts.",
      (l, R) => l.map((_, t) => (t + 1 < l.length ? geometric(l[t + 1]!) : R)),
    ],
    [
      "it takes differences of log-probs; differences of probabilities are asked for.",
      paidBy((l) => sum(l) / l.length),
    ],
    [
      "it multiplies the tokens' probabilities; their geometric mean is asked for.",
      paidBy((l) => Math.exp(sum(l))),
    ],
    [
      "it takes the mean of the tokens' probabilities; the mean is of their log-probs.",
      paidBy((l) => sum(l.map(Math.exp)) / l.length),
    ],
    ["it must return a list of numbers.", () => 1 as never],
    ["it must return one number for each turn; it returned 1 for 3.", () => [1]],
  ]);

  type LogProb = (logit_v: Numbers, token: number, temperature: number) => number;
  const stable: LogProb = (z, y, T) => {
    const most = Math.max(...z);
    return (z[y]! - most) / T - Math.log(sum(z.map((x) => Math.exp((x - most) / T))));
  };
  told<LogProb>("tokenLogProb", (answer) => checkExercise("tokenLogProb", answer), [
    ["passed", stable],
    ["it returns the probability; its logarithm is asked for.", (z, y, T) => Math.exp(stable(z, y, T))],
    ["it returns the loss: a log-prob is never above 0.", (z, y, T) => -stable(z, y, T)],
    [
      "it leaves out what all tokens share: the probabilities do not sum to 1.",
      (z, y, T) => (z[y]! - Math.max(...z)) / T,
    ],
    ["it returns the logit as it is.", (z, y) => z[y]!],
    ["it counts in bits; nats are asked for.", (z, y, T) => stable(z, y, T) * Math.LOG2E],
    ["it leaves out the temperature.", (z, y) => stable(z, y, 1)],
    [
      "it turns the temperature round: a higher one must make tokens more alike.",
      (z, y, T) => stable(z, y, 1 / T),
    ],
    [
      "it applies the temperature after the softmax: the probabilities no longer sum to 1.",
      (z, y, T) => stable(z, y, 1) / T,
    ],
    [
      "it is wrong for logits near 1000 or -1000: their exponentials overflow, or are all 0.",
      (z, y, T) => z[y]! / T - Math.log(sum(z.map((x) => Math.exp(x / T)))),
    ],
    [
      // The largest logit before the temperature: at T = .5, 1000 is left of 2000, and exp(1000) is infinite.
      "it is wrong for logits near 1000 or -1000: their exponentials overflow, or are all 0.",
      (z, y, T) => {
        const top = Math.max(...z);
        return z[y]! / T - top - Math.log(sum(z.map((x) => Math.exp(x / T - top))));
      },
    ],
    [
      // The mean of [1000, -1000] is 0: nothing is taken away.
      "it is wrong for logits near 1000 or -1000: their exponentials overflow, or are all 0.",
      (z, y, T) => {
        const finite = z.filter(Number.isFinite);
        const middle = sum(finite) / finite.length / T;
        return z[y]! / T - middle - Math.log(sum(z.map((x) => Math.exp(x / T - middle))));
      },
    ],
    [
      // A softmax that is stable, and a logarithm of a probability that is 0.
      "it is wrong for logits near 1000 or -1000: their exponentials overflow, or are all 0.",
      (z, y, T) => Math.log(Math.exp(stable(z, y, T))),
    ],
    [
      "it is wrong with a token that is forbidden by a logit of -Infinity.",
      (z, y, T) => (z.includes(-Infinity) ? NaN : stable(z, y, T)),
    ],
    ["it must return a number; it returned string.", () => "-1" as never],
  ]);

  interface Line {
    readonly step: number;
    readonly reward?: number;
    readonly frac_reward_zero_std?: number;
  }
  type Silence = (lines: readonly Line[]) => number | null;
  /** The line after a number of in a row of which it is true, among those that have both metrics. */
  const after =
    (
      isAbove: (silence: number, agree: number) => boolean,
      inARow = 3,
      tell = (at: Line[]) => at.at(-1)!.step,
    ): Silence =>
    (lines) => {
      let row: Line[] = [];
      for (const line of lines) {
        const { reward, frac_reward_zero_std: agree } = line;
        if (reward === undefined || agree === undefined) continue;
        row = isAbove(agree - reward, agree) ? [...row, line] : [];
        if (row.length === inARow) return tell(row);
      }
      return null;
    };
  const silent = after((silence) => silence > 0.2);
  told<Silence>("unearnedSilence", (answer) => checkExercise("unearnedSilence", answer), [
    ["passed", silent],
    [
      "it rings at any silence: where all have solved their task, groups agree as well.",
      after((_, agree) => agree > 0.2),
    ],
    [
      "it rings at a single bad step; a healthy run has such steps, too.",
      after((silence) => silence > 0.2, 1),
    ],
    [
      "it counts bad steps that are not in a row.",
      (lines) =>
        lines.filter(({ reward = 1, frac_reward_zero_std: agree = 0 }) => agree - reward > 0.2)[2]?.step ??
        null,
    ],
    [
      "it tells the place of the line in the log; its step is asked for.",
      (lines) => {
        const at = lines.findIndex(({ step }) => step === silent(lines));
        return at < 0 ? null : at;
      },
    ],
    [
      "it tells the first of the three steps; nobody knows then that two more will follow.",
      after(
        (silence) => silence > 0.2,
        3,
        (row) => row[0]!.step,
      ),
    ],
    [
      "it turns the difference round: silence is what the reward does not explain.",
      after((silence) => silence < -0.2),
    ],
    ["it never rings, not even after the fall.", () => null],
    ["it rings in a run that has solved its task.", (lines) => silent(lines) ?? lines.at(-1)!.step],
    ["it rings after two bad steps in a row; three are asked for.", after((silence) => silence > 0.2, 2)],
    [
      "it is wrong with a log of every tenth step.",
      (lines) => (lines[1]!.step - lines[0]!.step === 10 ? lines.length : silent(lines)),
    ],
    [
      "it lets a line of an evaluation, which has neither of the two metrics, end its count.",
      (lines) => (lines.some(({ reward }) => reward === undefined) ? null : silent(lines)),
    ],
    ["it must return a step, or null; it returned undefined.", () => undefined as never],
  ]);
});
