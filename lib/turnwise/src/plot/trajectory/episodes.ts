import type { Batch } from "../../batch/batch";
import type { Tiles } from "../../env/grid/drawGrid";

/** One turn of an episode that a loop of your own has played. */
export interface EpisodeTurn {
  /** Last observation before the turn. */
  readonly observation?: string;
  /** The words that the agent wrote. */
  readonly tokens: readonly string[];
  readonly reward?: number;
  /** Agent that took the turn, if there are several. */
  readonly agent?: string;
  /** One number for the turn, or one for each of its tokens. */
  readonly advantage?: number | readonly number[];
  /** New probability over that of the policy that sampled: one number for the turn, or one for each of its tokens. */
  readonly ratio?: number | readonly number[];
}

/** An episode that a loop of your own has played. */
export interface Episode {
  readonly turns: readonly EpisodeTurn[];
  /** Name of the rule. Default: its number. */
  readonly name?: string;
  /** The whole reward. Default: the sum of the turns' rewards. */
  readonly reward?: number;
}

/** A token as it is drawn. */
export interface Token {
  readonly text: string;
  /** Mask 0: the world wrote it, and no gradient comes from it. */
  readonly byWorld: boolean;
  readonly role?: "subgoal" | "switch" | undefined;
  readonly advantage?: number | undefined;
  readonly ratio?: number | undefined;
}

/** A turn as it is drawn: what the world said, what the agent wrote, what it got. */
export interface Turn {
  readonly number: number;
  readonly observation: string;
  readonly tokens: readonly Token[];
  readonly reward: number | undefined;
  readonly agent: string | undefined;
  /** Whether the agent chose a new subgoal here. */
  readonly newSubgoal: boolean;
}

/** A trajectory as it is drawn. */
export interface Row {
  readonly name: string;
  /** Rows of a group began in the same state. */
  readonly group: string | undefined;
  readonly turns: readonly Turn[];
  readonly total: number | undefined;
  readonly truncated: boolean;
}

/** The number that belongs to token l of turn t of trajectory n; undefined without numbers. */
export type NumberAt = (n: number, t: number, l: number) => number | undefined;

/** Numbers drawn next to the words. */
export interface Numbers {
  readonly advantage: NumberAt;
  readonly ratio: NumberAt;
}

/** The trajectories of a batch, in the order of `rows`. */
export function rowsOfBatch(
  batch: Batch,
  rows: readonly number[],
  vocabulary: readonly string[],
  { advantage, ratio }: Numbers,
): Row[] {
  const [, T, L] = batch.shape;
  const turnOf = (n: number, t: number): Turn => {
    const first = (n * T + t) * L;
    const active = Array.from({ length: L }, (_, l) => batch.mask_ntl[first + l] === 1);
    const tokens = active.slice(0, active.lastIndexOf(true) + 1).map((own, l): Token => {
      const i = first + l;
      const id = batch.token_ntl[i]!;
      return {
        text: vocabulary[id] ?? `#${String(id)}`,
        byWorld: !own,
        role: ([undefined, "subgoal", "switch"] as const)[batch.role_ntl?.[i] ?? 0],
        ...(own && { advantage: advantage(n, t, l), ratio: ratio(n, t, l) }),
      };
    });
    return {
      number: t + 1,
      observation: batch.observation_nt[n]?.[t] ?? "",
      tokens,
      reward: batch.reward_nt[n * T + t]!,
      agent: batch.agentId_nt?.[n]?.[t],
      newSubgoal: batch.switch_nt?.[n * T + t] === 1,
    };
  };
  return rows.map((n) => ({
    name: String(n + 1),
    group: batch.groupId[n],
    turns: Array.from({ length: batch.turnCount_n[n]! }, (_, t) => turnOf(n, t)),
    total: batch.return_n[n]!,
    truncated: batch.truncated[n]!,
  }));
}

/** Episodes of your own loop; numbers of the turns come before those of the options. */
export function rowsOfEpisodes(
  episodes: readonly Episode[],
  rows: readonly number[],
  { advantage, ratio }: Numbers,
): Row[] {
  const part = (given: number | readonly number[] | undefined, l: number): number | undefined =>
    typeof given === "number" ? given : given?.[l];
  return rows.map((n): Row => {
    const { turns, name, reward } = episodes[n]!;
    const paid = turns.map((turn) => turn.reward).filter((r) => r !== undefined);
    return {
      name: name ?? String(n + 1),
      group: undefined,
      turns: turns.map((turn, t) => ({
        number: t + 1,
        observation: turn.observation ?? "",
        tokens: turn.tokens.map((text, l) => ({
          text,
          byWorld: false,
          advantage: part(turn.advantage, l) ?? advantage(n, t, l),
          ratio: part(turn.ratio, l) ?? ratio(n, t, l),
        })),
        reward: turn.reward,
        agent: turn.agent,
        newSubgoal: false,
      })),
      total: reward ?? (paid.length === 0 ? undefined : paid.reduce((a, b) => a + b, 0)),
      truncated: false,
    };
  });
}

/** State that the parts of a drawing share. */
export interface Scene {
  readonly title: string;
  readonly rows: readonly Row[];
  /** Number of omitted trajectories. */
  readonly more: number;
  readonly tiles: Tiles | undefined;
  /** The ratios between which the gate leaves a token alone; infinite without a gate. */
  readonly clip: { readonly low: number; readonly high: number };
  /** The ratio of a full bar; undefined for the farthest of the picture. */
  readonly ratioTop?: number | undefined;
}
