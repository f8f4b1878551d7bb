import type { StoredTrajectory, StoredTurn } from "../../traces/trace";
import type { MaskCheck } from "./maskCheck";

/** Fewer pairs of log-probs do not tell a shift from chance. */
const FEWEST_PAIRS = 16;
/** Fewer masks may begin a token late by intent. */
const FEWEST_MASKS = 4;
/** Log-probs of one token that are as near as this agree, whichever engine gave them. */
const NEAR = 0.05;
/** Share of ids that agree once they are shifted. */
const SHIFTED = 0.9;

type Shift = "same" | "later" | "earlier";

/** Parts of a turn that token records keep. */
interface TokenInfo {
  readonly lengths?: Readonly<Record<string, number>>;
  readonly rolloutIds?: readonly number[];
  readonly trainerIds?: readonly number[];
  /** The token of the answer at which its mask begins. */
  readonly maskBegins?: number;
}

const titles: Readonly<Record<string, string>> = {
  mask: "values of the mask",
  rollout: "log-probs of the engine",
  trainer: "log-probs of the trainer",
};

/**
 * Compares what the engine and the trainer have of the same tokens: how many values there are, whether the ids are the same, and whether
 * log-probs agree better one token further on.
 */
export class AlignmentWatch {
  readonly #distance = { same: 0, later: 0, earlier: 0 };
  readonly #pairs = { same: 0, later: 0, earlier: 0 };
  #uneven = { records: 0, of: 0, example: "", where: "" };
  #shifted = { records: 0, example: "", where: "" };
  #drifted = { records: 0, of: 0, example: "", where: "" };
  #first = "";
  /** Number of answers by where their mask begins. */
  readonly #begins = new Map<number, number>();

  push(one: StoredTrajectory): void {
    one.turns.forEach((turn) => this.#logProbs(turn, one.id));
    const { lengths, rolloutIds, trainerIds, maskBegins } = (one.turns[0]?.info ?? {}) as TokenInfo;
    this.#lengths(lengths, one.id);
    if (maskBegins !== undefined) this.#begins.set(maskBegins, (this.#begins.get(maskBegins) ?? 0) + 1);
    if (rolloutIds !== undefined && trainerIds !== undefined) this.#ids(rolloutIds, trainerIds, one.id);
  }

  /** Log-probs and masks that belong to the token before or after. */
  get misaligned(): MaskCheck {
    const { records, of, example, where } = this.#uneven;
    if (records > 0) return { checked: of, found: records, example, where };
    if (this.#shifted.records > 0) {
      const { records: found, ...rest } = this.#shifted;
      return { checked: this.#drifted.of, found, example: rest.example, where: rest.where };
    }
    const shift = this.#shift();
    if (shift !== undefined && !("why" in shift) && shift.found > 0) return shift;
    const off = this.#maskOff();
    if (off !== undefined) return off;
    if (shift === undefined) {
      return {
        why: "no token has a log-prob of the engine and one of the trainer",
      };
    }
    return shift;
  }

  /** Answers that the trainer has other tokens of than the engine sampled. */
  get drifted(): MaskCheck {
    const { records, of, example, where } = this.#drifted;
    return of === 0
      ? { why: "no record has the ids of the engine and those of the trainer" }
      : { checked: of, found: records, example: records === 0 ? undefined : example, where };
  }

  #logProbs({ logProb, rolloutLogProb }: StoredTurn, id: string): void {
    if (logProb === undefined || rolloutLogProb === undefined || logProb.length !== rolloutLogProb.length)
      return;
    this.#first ||= id;
    const add = (name: Shift, shift: number): void => {
      for (let i = Math.max(0, -shift); i < logProb.length - Math.max(0, shift); i++) {
        const gap = Math.abs(logProb[i]! - rolloutLogProb[i + shift]!);
        if (!Number.isFinite(gap)) continue;
        this.#distance[name] += gap;
        this.#pairs[name] += 1;
      }
    };
    add("same", 0);
    add("later", 1);
    add("earlier", -1);
  }

  #shift(): MaskCheck | undefined {
    const pairs = this.#pairs;
    if (pairs.same < FEWEST_PAIRS) return undefined;
    const mean = (name: Shift): number => this.#distance[name] / Math.max(1, pairs[name]);
    const better = mean("later") < mean("earlier") ? "later" : "earlier";
    const isShifted = pairs[better] >= FEWEST_PAIRS && mean("same") > NEAR && mean(better) < mean("same") / 3;
    if (!isShifted) return { checked: pairs.same, found: 0, example: undefined };
    return {
      checked: pairs.same,
      found: pairs.same,
      example: this.#first,
      where: `log-probs of the trainer are ${mean("same").toFixed(2)} from the engine's at the same token, and ${mean(better).toFixed(2)} at the one ${better === "later" ? "after" : "before"} it`,
    };
  }

  /** A mask that begins a token early or late in every answer; one that begins late in some leaves out a prefix on purpose. */
  #maskOff(): MaskCheck | undefined {
    const all = [...this.#begins.values()].reduce((a, b) => a + b, 0);
    const off = ([1, -1] as const).find((one) => this.#begins.get(one) === all && all >= FEWEST_MASKS);
    if (off === undefined) return undefined;
    return {
      checked: all,
      found: all,
      example: undefined,
      where: `each mask begins ${off === 1 ? "at the second token of the answer" : "at the last token of the prompt"}`,
    };
  }

  #lengths(lengths: TokenInfo["lengths"], id: string): void {
    if (lengths === undefined) return;
    this.#uneven.of += 1;
    const { tokens, ...rest } = lengths;
    const odd = Object.entries(rest).find(([, length]) => length !== tokens);
    if (odd === undefined) return;
    if (this.#uneven.records === 0) {
      this.#uneven.example = id;
      this.#uneven.where = `${odd[1]} ${titles[odd[0]]} for ${tokens} tokens`;
    }
    this.#uneven.records += 1;
  }

  #ids(rollout: readonly number[], trainer: readonly number[], id: string): void {
    this.#drifted.of += 1;
    const at = firstDifference(rollout, trainer);
    if (at === undefined) return;
    const shift = ([1, -1] as const).find((one) => agreement(rollout, trainer, one) >= SHIFTED);
    if (shift !== undefined && agreement(rollout, trainer, 0) < SHIFTED) {
      if (this.#shifted.records === 0) {
        this.#shifted.example = id;
        this.#shifted.where = `the trainer's token ${at} (${trainer[at] ?? "none"}) is the engine's token ${at + shift}`;
      }
      this.#shifted.records += 1;
      return;
    }
    if (this.#drifted.records === 0) {
      this.#drifted.example = id;
      this.#drifted.where = `at token ${at} of ${rollout.length}, where the engine sampled ${rollout[at] ?? "nothing"} and the trainer has ${trainer[at] ?? "nothing"}`;
    }
    this.#drifted.records += 1;
  }
}

function firstDifference(a: readonly number[], b: readonly number[]): number | undefined {
  for (let i = 0; i < Math.max(a.length, b.length); i++) if (a[i] !== b[i]) return i;
  return undefined;
}

/** Share of the trainer's ids that are the engine's so many places later. */
function agreement(rollout: readonly number[], trainer: readonly number[], shift: number): number {
  let [same, of] = [0, 0];
  trainer.forEach((token, i) => {
    const other = rollout[i + shift];
    if (other === undefined) return;
    of += 1;
    same += Number(token === other);
  });
  return of < 2 ? 0 : same / of;
}
