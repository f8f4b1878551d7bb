import { recipe as ruleOf, tokenCredit, type Recipe, type RecipeName } from "turnwise/internal/rule/index";
import { batchOf } from "../../traces/batchOf";
import { readTrajectories, type TrajectoryOptions } from "../../traces/readTrajectories";
import { textOfTokens, type StoredTrajectory, type StoredTurn } from "../../traces/trace";
import { kindsOf, type TokenKind } from "./tokenKinds";

/** One rule's credit. Shares are of the sum of its absolute values. */
export interface RuleCredit {
  readonly rule: string;
  /** Whether it is the rule of the run's configuration. */
  readonly isOwn: boolean;
  /** Share of the tokens that it pushes. */
  readonly pushed: number;
  /** Cosine with the credit of the first rule; 1 for that itself, undefined where one of both is 0. */
  readonly like: number | undefined;
  /** Share on the first turns, the last ones, and those between; a trajectory of one turn has only a last one. */
  readonly turns: { readonly first: number; readonly between: number; readonly last: number };
  /** Share on the trajectories that are longer than the median; undefined where none is. */
  readonly longerHalf: number | undefined;
  /** An earlier rule whose credit is the same, times a factor. */
  readonly as: string | undefined;
  /** Share on each kind of token; empty where tokens are numbers. */
  readonly kinds: Readonly<Partial<Record<TokenKind, number>>>;
}

/** An episode that two rules credit differently. */
export interface DifferingEpisode {
  readonly id: string;
  readonly group: string;
  readonly reward: number;
  readonly turns: number;
  readonly tokens: number;
  /** Its share of the absolute credit under the first rule and under the other one. */
  readonly shares: readonly [first: number, other: number];
  /** The beginning of what its last turn says; undefined where tokens are numbers. */
  readonly says: string | undefined;
}

/** The credit that rules assign to a sample of stored rollouts. */
export interface Credit {
  readonly trajectories: number;
  readonly tokens: number;
  /** Share of the tokens of each kind, to compare shares of credit with; empty where tokens are numbers. */
  readonly kinds: Readonly<Partial<Record<TokenKind, number>>>;
  readonly rules: readonly RuleCredit[];
  readonly skipped: readonly { readonly rule: string; readonly why: string }[];
  /** The rule that is least like the first one, and the episodes in which both differ most. */
  readonly differ: { readonly rule: string; readonly episodes: readonly DifferingEpisode[] } | undefined;
}

/** The rules that the run's rule is compared with. */
const others: readonly RecipeName[] = ["grpo", "drGrpo", "dapo", "rloo", "reinforce", "perTurnLoo"];
const MOST_TRAJECTORIES = 512;
/** Cells of a padded batch: its size grows with the longest turn of all. */
const MOST_CELLS = 1 << 21;
const SHOWN = 3;

/**
 * Computes the credit of the run's rule and of others on the first rollouts of a file.
 *
 * @param own the rule of the run's configuration, if that could be read
 * @throws {RangeError} if no rollout has a turn
 */
export async function creditOf(
  file: string,
  own: Recipe | undefined,
  options: TrajectoryOptions = {},
): Promise<Credit> {
  const sample = await sampleOf(file, options);
  const { batch } = await batchOf(sample);
  const [, T, L] = batch.shape;
  const kinds_nt = sample.map(({ turns }) => turns.map(kindsOf));
  const isText = kinds_nt.every((turns) => turns.every((kinds) => kinds !== undefined));
  const credits: { readonly row: Recipe; readonly isOwn: boolean; readonly credit_ntl: Float64Array }[] = [];
  const skipped: { rule: string; why: string }[] = [];
  const names = others.filter((name) => name !== own?.name).map((name) => ruleOf(name));
  for (const [i, rule] of [...(own ? [own] : []), ...names].entries()) {
    try {
      credits.push({ row: rule, isOwn: own !== undefined && i === 0, credit_ntl: tokenCredit(batch, rule) });
    } catch (error) {
      if (!(error instanceof TypeError || error instanceof RangeError)) throw error;
      skipped.push({ rule: rule.name, why: shortened(error.message, 200) });
    }
  }
  const lengths = sample.map(({ turns }) => turns.reduce((sum, { tokens }) => sum + tokens.length, 0));
  const median = [...lengths].sort((a, b) => a - b)[Math.floor(lengths.length / 2)]!;
  const tokens = lengths.reduce((a, b) => a + b, 0);
  const countOf = new Map<TokenKind, number>();
  if (isText) {
    for (const kind of kinds_nt.flat(2)) countOf.set(kind!, (countOf.get(kind!) ?? 0) + 1);
  }
  const [first] = credits;
  const hasLonger = lengths.some((length) => length > median);
  const rules = credits.map(({ row: rule, isOwn, credit_ntl }, at): RuleCredit => {
    const sums = { all: 0, first: 0, between: 0, last: 0, long: 0, pushed: 0 };
    const byKind = new Map<TokenKind, number>();
    sample.forEach(({ turns }, n) =>
      turns.forEach((turn, t) => {
        for (let l = 0; l < turn.tokens.length; l++) {
          const c = Math.abs(credit_ntl[(n * T + t) * L + l]!);
          sums.all += c;
          sums.pushed += Number(c > 0);
          sums[t === turns.length - 1 ? "last" : t === 0 ? "first" : "between"] += c;
          if (lengths[n]! > median) sums.long += c;
          const kind = kinds_nt[n]![t]?.[l];
          if (isText && kind !== undefined) byKind.set(kind, (byKind.get(kind) ?? 0) + c);
        }
      }),
    );
    const share = (part: number): number => (sums.all === 0 ? 0 : part / sums.all);
    return {
      ...{ rule: rule.name, isOwn, pushed: sums.pushed / Math.max(1, tokens) },
      like: cosine(first!.credit_ntl, credit_ntl),
      turns: { first: share(sums.first), between: share(sums.between), last: share(sums.last) },
      longerHalf: hasLonger ? share(sums.long) : undefined,
      as: credits.slice(0, at).find((other) => areAlike(cosine(other.credit_ntl, credit_ntl)))?.row.name,
      kinds: Object.fromEntries([...byKind].map(([kind, sum]) => [kind, share(sum)])),
    };
  });
  return {
    ...{ trajectories: sample.length, tokens, rules, skipped },
    kinds: Object.fromEntries([...countOf].map(([kind, count]) => [kind, count / Math.max(1, tokens)])),
    differ: differing(sample, credits, rules, T * L),
  };
}

/** The first rollouts, as many as a padded batch holds, in whole groups where those come in a row. */
async function sampleOf(file: string, options: TrajectoryOptions): Promise<readonly StoredTrajectory[]> {
  const sample: StoredTrajectory[] = [];
  let [T, L] = [1, 1];
  let more = false;
  for await (const one of readTrajectories(file, options)) {
    if (one.turns.length === 0) continue;
    T = Math.max(T, one.turns.length);
    L = one.turns.reduce((most, { tokens }) => Math.max(most, tokens.length), L);
    more = sample.length >= MOST_TRAJECTORIES || (sample.length + 1) * T * L > MOST_CELLS;
    if (more && sample.length > 0) break;
    sample.push(one);
  }
  // The group in which it stops may have further members.
  const last = sample.at(-1)?.group;
  const whole = more ? sample.filter(({ group }) => group !== last) : sample;
  return whole.length > 0 ? whole : sample;
}

function differing(
  sample: readonly StoredTrajectory[],
  credits: readonly { readonly credit_ntl: Float64Array }[],
  rules: readonly RuleCredit[],
  cells: number,
): Credit["differ"] {
  const like = rules.map((rule) => rule.like ?? Infinity);
  const least = like.indexOf(Math.min(...like));
  if (rules.length < 2 || least <= 0 || areAlike(like[least])) return undefined;
  const [a, b] = [normalized(credits[0]!.credit_ntl), normalized(credits[least]!.credit_ntl)];
  const episodes = sample
    .map((one, n) => {
      const [from, to] = [n * cells, (n + 1) * cells];
      let apart = 0;
      for (let i = from; i < to; i++) apart += Math.abs(a[i]! - b[i]!);
      const shareOf = (credit: Float64Array): number =>
        credit.subarray(from, to).reduce((sum, c) => sum + Math.abs(c), 0);
      return { one, apart, shares: [shareOf(a), shareOf(b)] as const };
    })
    .sort((x, y) => y.apart - x.apart)
    .slice(0, SHOWN)
    .filter(({ apart }) => apart > 0)
    .map(({ one, shares }): DifferingEpisode => {
      const last = one.turns.at(-1);
      const text = last && spelled(last);
      return {
        ...{
          id: one.id,
          group: shortened(one.group, 60),
          reward: one.reward,
          turns: one.turns.length,
          shares,
        },
        tokens: one.turns.reduce((sum, { tokens }) => sum + tokens.length, 0),
        says: text === undefined ? undefined : shortened(text, 80),
      };
    });
  return { rule: rules[least]!.rule, episodes };
}

/** Rules whose credit differs by a factor alone push alike. */
const areAlike = (like: number | undefined): boolean => like !== undefined && like > 1 - 1e-9;

function normalized(credit: Float64Array): Float64Array {
  const sum = credit.reduce((all, c) => all + Math.abs(c), 0);
  return sum === 0 ? credit : credit.map((c) => c / sum);
}

function cosine(a: Float64Array, b: Float64Array): number | undefined {
  let [ab, aa, bb] = [0, 0, 0];
  for (let i = 0; i < a.length; i++) {
    ab += a[i]! * b[i]!;
    aa += a[i]! * a[i]!;
    bb += b[i]! * b[i]!;
  }
  return aa === 0 || bb === 0 ? undefined : ab / Math.sqrt(aa * bb);
}

/** The text of a turn; tokens that were stored without the spaces between them get some. */
function spelled(turn: StoredTurn): string | undefined {
  const text = textOfTokens(turn);
  return text === undefined || /\s/.test(text) ? text : turn.tokens.join(" ");
}

function shortened(text: string, most: number): string {
  const line = text.replaceAll(/\s+/g, " ").trim();
  return line.length > most ? `${line.slice(0, most)}...` : line;
}
