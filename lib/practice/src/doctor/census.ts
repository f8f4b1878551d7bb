import { formatTitleOf, readTrajectories, type TrajectoryOptions } from "../traces/readTrajectories";
import { textOfTokens, type StoredTrajectory } from "../traces/trace";
import { MaskWatch, type LossMask } from "./rollouts/lossMask";

/** Distribution of a file's rollouts over groups, and their ends. */
export interface Census {
  readonly title: string;
  /** The step of training that all of them are of, where the file says so. */
  readonly step: number | undefined;
  readonly trajectories: number;
  readonly groups: number;
  /** Groups of one: no baseline can be taken of them. */
  readonly alone: number;
  /** Groups whose rewards are all the least that occurs, all the highest, equal in between, and not equal. */
  readonly allFailed: number;
  readonly allSolved: number;
  readonly equal: number;
  readonly mixed: number;
  /** Groups whose members began with different texts. */
  readonly mixedPrompts: number;
  readonly reward: { readonly least: number; readonly most: number; readonly mean: number };
  readonly turns: number;
  /** Mean length, in tokens or words, of those that earn more than the mean reward and of the others. */
  readonly lengthOfBetter: number | undefined;
  readonly lengthOfWorse: number | undefined;
  readonly truncated: number;
  /** Trajectories without an answer, and those that say the same three times. */
  readonly empty: number;
  readonly loops: number;
  /** Trajectories with a call of a tool, and those with an answer of a tool that reports an error. */
  readonly callTools: number;
  readonly toolErrors: number;
  /** Trajectories whose agent writes the environment's side itself, and the mean rewards of those and of the others. */
  readonly invents: number;
  readonly rewardOfInventors: number | undefined;
  readonly rewardOfOthers: number | undefined;
  /** Trajectories with less than the highest reward, each counted under the first of these that it shows. */
  readonly failures: Failures;
  readonly mask: LossMask;
  /** The final answer that most rollouts have in common; undefined where they mark none. */
  readonly commonAnswer?: CommonAnswer;
  /** The chance that one of k rollouts of a group solves it, for k = 1, 2, 4, ... up to the smallest group. */
  readonly passAtK: readonly (readonly [k: number, share: number])[];
}

/** A final answer, as `<answer>` or a box marks it, that several rollouts have. */
export interface CommonAnswer {
  readonly text: string;
  /** Share of the rollouts that mark an answer. */
  readonly share: number;
  /** Groups in which it occurs. */
  readonly tasks: number;
  /** Mean reward of those that have it, and of the others. */
  readonly reward: number;
  readonly others: number | undefined;
}

/** Ways in which trajectories fail; they sum to `all`. */
export interface Failures {
  readonly all: number;
  readonly cut: number;
  readonly noAnswer: number;
  readonly loop: number;
  readonly toolErrors: number;
  /** Without a call of a tool, where others of the file have one. */
  readonly noTool: number;
  /** With an answer that is not good enough. */
  readonly wrong: number;
}

type Way = Exclude<keyof Failures, "all">;

interface Group {
  count: number;
  least: number;
  most: number;
  best: number;
  prompt: string | undefined;
  isMixed: boolean;
}

/**
 * Counts the rollouts of a file, which is read in pieces: what is kept grows with the number of groups alone.
 *
 * @throws {RangeError} if it has none
 */
export async function census(file: string, options: TrajectoryOptions = {}): Promise<Census> {
  const title = await formatTitleOf(file, options);
  const groups = new Map<string, Group>();
  const rewards: number[] = [];
  const lengths: number[] = [];
  const sums = { turns: 0, truncated: 0, empty: 0, loops: 0, callTools: 0, toolErrors: 0, invents: 0 };
  let earned = 0;
  const members = new Map<string, number[]>();
  const endings: Way[] = [];
  const mask = new MaskWatch();
  const steps = new Set<unknown>();
  const answers = new Answers();
  for await (const one of readTrajectories(file, options)) {
    rewards.push(one.reward);
    // Two are as good as many.
    if (steps.size < 2) steps.add(one.extra.step);
    lengths.push(one.turns.reduce((sum, { tokens }) => sum + tokens.length, 0));
    sums.turns += one.turns.length;
    const ways = waysOf(one);
    endings.push(wayOf(ways));
    mask.push(one);
    answers.push(one);
    for (const name of Object.keys(ways) as (keyof typeof ways)[]) sums[name] += Number(ways[name]);
    if (ways.invents) earned += one.reward;
    const prompt = one.turns[0]?.observation;
    const group = groups.get(one.group);
    members.set(one.group, [...(members.get(one.group) ?? []), one.reward]);
    if (group === undefined) {
      groups.set(one.group, {
        count: 1,
        least: one.reward,
        most: one.reward,
        best: 0,
        prompt,
        isMixed: false,
      });
      continue;
    }
    group.count += 1;
    group.least = Math.min(group.least, one.reward);
    group.most = Math.max(group.most, one.reward);
    group.isMixed ||= group.prompt !== prompt;
  }
  const [step] = steps;
  const N = rewards.length;
  if (N === 0) throw new RangeError("Cannot count rollouts: there must be one, but the file has none.");
  const [least, most] = [Math.min(...chunked(rewards, Math.min)), Math.max(...chunked(rewards, Math.max))];
  const mean = rewards.reduce((a, b) => a + b, 0) / N;
  const all = [...groups.values()];
  const equal = all.filter((group) => group.count > 1 && group.least === group.most);
  const of = (better: boolean): number | undefined => {
    const some = lengths.filter((_, n) => rewards[n]! > mean === better);
    return some.length === 0 ? undefined : some.reduce((a, b) => a + b, 0) / some.length;
  };
  return {
    title,
    step: steps.size === 1 && typeof step === "number" ? step : undefined,
    trajectories: N,
    groups: all.length,
    alone: all.filter(({ count }) => count === 1).length,
    allFailed: equal.filter((group) => group.most === least && most > least).length,
    allSolved: equal.filter((group) => group.least === most && most > least).length,
    equal: equal.filter((group) => (group.most > least && group.least < most) || most === least).length,
    mixed: all.filter((group) => group.least < group.most).length,
    mixedPrompts: all.filter(({ isMixed }) => isMixed).length,
    reward: { least, most, mean },
    turns: sums.turns / N,
    lengthOfBetter: of(true),
    lengthOfWorse: of(false),
    truncated: sums.truncated / N,
    empty: sums.empty / N,
    loops: sums.loops / N,
    callTools: sums.callTools / N,
    toolErrors: sums.toolErrors / N,
    invents: sums.invents / N,
    rewardOfInventors: sums.invents === 0 ? undefined : earned / sums.invents,
    rewardOfOthers: sums.invents === N ? undefined : (mean * N - earned) / (N - sums.invents),
    failures: failuresOf(
      endings.filter((_, n) => rewards[n]! < most || (most === least && most <= 0)),
      sums.callTools > 0,
    ),
    mask: mask.end(title),
    ...answers.common,
    passAtK: passAtK([...members.values()], most),
  };
}

/** Marks of the final answer of a text. */
const marked = [/<answer>([\s\S]*?)<\/answer>/g, /\\boxed\{([^{}]*)\}/g];
/** So many different answers are kept: more are none that tasks have in common. */
const MOST_ANSWERS = 2000;

/** Counts the final answers of rollouts. */
class Answers {
  #all = 0;
  #sum = 0;
  readonly #found = new Map<string, { count: number; sum: number; tasks: Set<string> }>();

  push({ turns, group, reward }: StoredTrajectory): void {
    const last = turns.at(-1);
    const text = last === undefined ? undefined : textOfTokens(last);
    const answer = text === undefined ? undefined : answerIn(text);
    if (answer === undefined) return;
    this.#all += 1;
    this.#sum += reward;
    const known = this.#found.get(answer);
    if (known === undefined) {
      if (this.#found.size < MOST_ANSWERS)
        this.#found.set(answer, { count: 1, sum: reward, tasks: new Set([group]) });
      return;
    }
    known.count += 1;
    known.sum += reward;
    known.tasks.add(group);
  }

  get common(): { commonAnswer?: CommonAnswer } {
    const [best] = [...this.#found].sort(([, a], [, b]) => b.count - a.count);
    if (best === undefined) return {};
    const [text, { count, sum, tasks }] = best;
    const rest = this.#all - count;
    return {
      commonAnswer: {
        text,
        share: count / this.#all,
        tasks: tasks.size,
        reward: sum / count,
        others: rest === 0 ? undefined : (this.#sum - sum) / rest,
      },
    };
  }
}

/** The last answer that a text marks. */
function answerIn(text: string): string | undefined {
  for (const mark of marked) {
    const found = [...text.matchAll(mark)].at(-1);
    if (found) return found[1]!.trim();
  }
  return undefined;
}

/** A spread of very many values would not fit on the stack. */
const chunked = (values: readonly number[], of: (...some: number[]) => number): number[] =>
  Array.from({ length: Math.ceil(values.length / 1000) }, (_, i) =>
    of(...values.slice(1000 * i, 1000 * (i + 1))),
  );

/** Markers that chat templates and environments put before the words of others; an agent should not write them. */
const others =
  /<\|im_start\|>\s*(?:user|tool|system)|<\|start_header_id\|>\s*(?:user|tool|ipython)|<tool_response>|<information>|<\|User\|>|\n(?:Human|User|Observation): /;

function waysOf(
  one: StoredTrajectory,
): Record<"truncated" | "empty" | "loops" | "callTools" | "toolErrors" | "invents", boolean> {
  const texts = one.turns.map((turn) => textOfTokens(turn));
  const last = texts.at(-1);
  const said = texts.flatMap((text) => (text === undefined || text.trim() === "" ? [] : [text.trim()]));
  const heard = one.turns.slice(1).map(({ observation }) => observation);
  return {
    truncated: one.truncated,
    empty: one.turns.length === 0 || (last !== undefined && last.trim() === ""),
    loops: said.some((text) => said.filter((other) => other === text).length >= 3),
    callTools:
      one.turns.some(({ info }) => info?.tool_calls !== undefined) ||
      texts.some((text) => /<tool_call>|<search>|"name"\s*:|^Action( Input)?:/m.test(text ?? "")),
    invents: texts.some((text) => text !== undefined && others.test(text)),
    toolErrors: heard.some((text) => /\b(error|traceback|exception)\b/i.test(text)),
  };
}

/** The first way in which a trajectory may have failed. */
function wayOf(ways: ReturnType<typeof waysOf>): Way {
  if (ways.truncated) return "cut";
  if (ways.empty) return "noAnswer";
  if (ways.loops) return "loop";
  if (ways.toolErrors) return "toolErrors";
  return ways.callTools ? "wrong" : "noTool";
}

function failuresOf(ways: readonly Way[], callTools: boolean): Failures {
  const count = { cut: 0, noAnswer: 0, loop: 0, toolErrors: 0, noTool: 0, wrong: 0 };
  // Where nothing calls a tool, none is asked for.
  for (const way of ways) count[way === "noTool" && !callTools ? "wrong" : way] += 1;
  return { all: ways.length, ...count };
}

/**
 * The unbiased estimate over groups, 1 - C(n - c, k) / C(n, k), where a rollout with the highest reward solves.
 *
 * @see Chen et al., arXiv 2107.03374
 */
function passAtK(groups: readonly (readonly number[])[], most: number): [number, number][] {
  const fewest = Math.min(
    ...chunked(
      groups.map(({ length }) => length),
      Math.min,
    ),
  );
  const ks: number[] = [];
  for (let k = 1; k <= fewest; k *= 2) ks.push(k);
  return ks.map((k) => {
    const sum = groups.reduce((all, rewards) => {
      const n = rewards.length;
      const wrong = rewards.filter((reward) => reward < most).length;
      let none = 1;
      for (let i = 0; i < k; i++) none *= Math.max(0, wrong - i) / (n - i);
      return all + 1 - none;
    }, 0);
    return [k, sum / groups.length];
  });
}
