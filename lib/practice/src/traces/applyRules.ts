import { card, type Card } from "turnwise/internal/base/card";
import { short } from "turnwise/internal/base/curve";
import { displaySymbol, type MimeBundle } from "turnwise/internal/base/display";
import type { Metrics } from "turnwise/internal/base/glossary";
import { creditTranscript, type CreditTranscript } from "turnwise/internal/plot/index";
import {
  advantages,
  recipe,
  surrogateGradient,
  tokenCredit,
  type Recipe,
  type RecipeName,
} from "turnwise/internal/rule/index";
import { corrected } from "turnwise/internal/rule/correction/corrected";
import { mismatchMetrics } from "turnwise/internal/rule/correction/mismatchMetrics";
import { trainedTokens } from "turnwise/internal/rule/trainedTokens";
import { withFormerNames } from "turnwise/internal/schema/index";
import type { StoredBatch } from "./batchOf";

/** Advantages and token credit that one rule assigns to a batch. */
export interface TriedRule {
  readonly rule: string;
  /** [N, T, L]. */
  readonly advantage_ntl: Float64Array;
  /** Push of its first step on each token, [N, T, L]. */
  readonly credit_ntl: Float64Array;
  /** Share of the sampled tokens that it pushes at all. */
  readonly activeFraction: number;
  /** The cosine of its advantages and the framework's own; undefined where those were not stored, or one of both is 0. */
  readonly storedSimilarity: number | undefined;
  /** Extreme ratios of trainer to rollout engine and what its gate cuts there; empty unless both kinds of log-probs were stored. */
  readonly ratios: Metrics;
  /** Metrics of its correction. */
  readonly correction: Metrics;
  /** @deprecated Use `activeFraction`. */
  readonly pushed?: number;
  /** @deprecated Use `storedSimilarity`. */
  readonly likeStored?: number | undefined;
}

/** Results of several rules for one batch, side by side. */
export class TriedRules {
  constructor(
    readonly stored: StoredBatch,
    readonly rules: readonly TriedRule[],
    /** Disagreement of trainer and rollout engine; empty unless both kinds of log-probs were stored. */
    readonly mismatch: Metrics,
  ) {}

  /** A trajectory with its tokens colored by the advantages of each rule, and by the framework's own. */
  transcript(trajectory = 0): CreditTranscript {
    const { batch, advantage_ntl } = this.stored;
    const credit = Object.fromEntries(this.rules.map((one) => [one.rule, one.advantage_ntl]));
    return creditTranscript(batch, advantage_ntl ? { stored: advantage_ntl, ...credit } : credit, {
      trajectory,
      title: `Trajectory ${batch.trajectoryId[trajectory]}`,
    });
  }

  /** The same as a table. */
  card(): Card {
    const { batch, tokens, logProbs } = this.stored;
    const [N] = batch.shape;
    const groups = new Set(batch.groupId).size;
    const cell = (value: number | undefined): string => (value === undefined ? "–" : short(value));
    const apart = Object.entries(this.mismatch).map(([name, value]) => `${name} ${short(value)}`);
    return card({
      title: `${N} trajectories in ${groups} groups, and what rules make of them`,
      about: `Tokens are ${tokens === "words" ? "words, as only text was stored" : "the tokenizer's"}; log-probs: ${logProbs.join(" and ") || "none"}.`,
      head: ["rule", "tokens pushed", "like the stored advantages", "clipped low", "clipped high", "masked"],
      rows: this.rules.map((one) => [
        one.rule,
        cell(one.activeFraction),
        cell(one.storedSimilarity),
        cell(one.ratios["policy/clipFracLow"]),
        cell(one.ratios["policy/clipFracHigh"]),
        cell(one.correction["mismatch/fracMasked"]),
      ]),
      note:
        apart.length > 0
          ? `Trainer and rollout engine: ${apart.join(", ")}.`
          : "Ratios need the log-probs of trainer and rollout engine: they were not both stored.",
      next: [{ does: "To see who gets the credit", code: "tried.transcript(0)" }],
    });
  }

  /** The same as text. */
  toString(): string {
    return this.card().toString();
  }

  /** MIME bundle that a notebook displays for this object. */
  [displaySymbol](): MimeBundle {
    return this.card()[displaySymbol]();
  }
}

/**
 * Applies any rules to a batch that another trainer stored: advantages, which tokens are pushed, which would be clipped
 * at the ratios of trainer to rollout engine, the effect of a correction, and how near that is to what the framework
 * itself had done.
 *
 * @throws {TypeError} if a rule needs what was not stored, such as values of a critic
 */
export function applyRules(stored: StoredBatch, rules: readonly (RecipeName | Recipe)[]): TriedRules {
  const { batch } = stored;
  const { rolloutLogProb_ntl } = batch;
  return new TriedRules(
    stored,
    rules.map((one) => triedOn(stored, typeof one === "string" ? recipe(one) : one)),
    rolloutLogProb_ntl ? mismatchMetrics(batch, rolloutLogProb_ntl, batch.oldLogProb_ntl) : {},
  );
}

function triedOn({ batch, advantage_ntl: own }: StoredBatch, rule: Recipe): TriedRule {
  const { advantage_ntl } = advantages(batch, rule);
  const credit_ntl = tokenCredit(batch, rule);
  const { mask_ntl, oldLogProb_ntl, rolloutLogProb_ntl } = batch;
  const active = mask_ntl.reduce((sum, one) => sum + one, 0);
  const activeFraction = credit_ntl.reduce((sum, one) => sum + Number(one !== 0), 0) / active;
  const ratios = rolloutLogProb_ntl
    ? surrogateGradient(
        {
          shape: batch.shape,
          logProb_ntl: oldLogProb_ntl,
          oldLogProb_ntl: rolloutLogProb_ntl,
          refLogProb_ntl: oldLogProb_ntl,
          entropy_ntl: new Float64Array(mask_ntl.length),
          mask_ntl,
          advantage_ntl,
        },
        rule,
      ).metrics
    : {};
  const { "policy/entropy": _, ...measured } = ratios;
  const tried: TriedRule = {
    rule: rule.name,
    advantage_ntl,
    credit_ntl,
    activeFraction,
    storedSimilarity: own && cosine(advantage_ntl, own),
    ratios: measured,
    correction: corrected(batch, rule, trainedTokens(batch, rule)).metrics,
  };
  return withFormerNames(tried, { pushed: "activeFraction", likeStored: "storedSimilarity" });
}

function cosine(a: Float64Array, b: Float64Array): number | undefined {
  let [ab, aa, bb] = [0, 0, 0];
  a.forEach((x, i) => {
    ab += x * b[i]!;
    aa += x * x;
    bb += b[i]! * b[i]!;
  });
  return aa === 0 || bb === 0 ? undefined : ab / Math.sqrt(aa * bb);
}
