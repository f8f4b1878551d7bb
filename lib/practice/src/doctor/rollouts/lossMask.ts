import { textOfTokens, type StoredTrajectory, type StoredTurn } from "../../traces/trace";
import { AlignmentWatch } from "./alignment";
import type { MaskCheck } from "./maskCheck";
import { PaddingWatch } from "./padding";
import { kindsOf } from "./tokenKinds";

/** The loss mask of stored rollouts, compared with roles, with ends of turns and with texts. */
export interface LossMask {
  /** Whether the file itself says which tokens are trained. */
  readonly isStored: boolean;
  /** Tokens of the agent's turns that have another role's text, or that the stored mask trains in another role's message. */
  readonly otherRoles: MaskCheck;
  /** Turns without the token that ends the others. */
  readonly missingEnds: MaskCheck;
  /** Turns whose tokens do not spell the message that was stored beside them. */
  readonly respelled: MaskCheck;
  /** Tokens of the agent's turns after the one that ends an answer: they fill up a batch. */
  readonly padded: MaskCheck;
  /** Masks or log-probs that belong to the token before or after. */
  readonly misaligned: MaskCheck;
  /** Answers of which the trainer has other ids than the engine sampled. */
  readonly drifted: MaskCheck;
}

/** Formats that hold a mask. */
const masked = new Set(["episodes of verifiers", "Atropos' scored data"]);
const ENDS =
  /(?:<\|im_end\|>|<\|eot_id\|>|<\|endoftext\|>|<\|end\|>|<\/s>|<end_of_turn>|<｜end▁of▁sentence｜>)\s*$/;
/** Fewer turns do not show what turns end with. */
const FEWEST_TURNS = 8;

/** Watches trajectories go by; what is kept does not grow with their number. */
export class MaskWatch {
  #count = { texts: 0, tokens: 0, other: 0, spelled: 0, respelled: 0, turns: 0, ended: 0 };
  #examples: { other?: string; respelled?: string; open?: string } = {};
  #respelledAt = "";
  #isMasked = false;
  readonly #padding = new PaddingWatch();
  readonly #alignment = new AlignmentWatch();
  /** Number of turns that end with each token id. */
  readonly #last = new Map<number, number>();
  #numbered = 0;

  push(one: StoredTrajectory): void {
    this.#alignment.push(one);
    one.turns.forEach((turn, t) => {
      this.#isMasked ||= turn.info?.isMasked === true;
      this.#padding.push(turn, one.id);
      this.#roles(turn, one.id);
      this.#spelling(turn, one.id);
      // A last turn that was cut has no end.
      if (!(one.truncated && t === one.turns.length - 1)) this.#end(turn, one.id);
    });
  }

  /** @param format title of the form in which they are stored */
  end(format: string): LossMask {
    const count = this.#count;
    const isStored = masked.has(format) || this.#isMasked;
    const nothing = "tokens are stored as numbers, and no tokenizer is at hand";
    return {
      isStored,
      otherRoles:
        count.texts + count.other > 0 || masked.has(format)
          ? { checked: count.tokens, found: count.other, example: this.#examples.other }
          : { why: nothing },
      missingEnds: this.#ends(),
      respelled:
        count.spelled > 0
          ? {
              checked: count.spelled,
              found: count.respelled,
              example: this.#examples.respelled,
              ...(count.respelled > 0 && { where: this.#respelledAt }),
            }
          : { why: "no turn has both its tokens and its text" },
      padded: this.#padding.check,
      misaligned: this.#alignment.misaligned,
      drifted: this.#alignment.drifted,
    };
  }

  #roles(turn: StoredTurn, id: string): void {
    const { trainedBefore } = (turn.info ?? {}) as { readonly trainedBefore?: number };
    const kinds = kindsOf(turn);
    const other = (kinds?.filter((kind) => kind === "other role").length ?? 0) + (trainedBefore ?? 0);
    this.#count.texts += Number(kinds !== undefined);
    this.#count.tokens += turn.tokens.length + (trainedBefore ?? 0);
    this.#count.other += other;
    if (other > 0) this.#examples.other ??= id;
  }

  #spelling(turn: StoredTurn, id: string): void {
    const text = textOfTokens(turn);
    const { said } = (turn.info ?? {}) as { readonly said?: unknown };
    if (text === undefined || typeof said !== "string") return;
    this.#count.spelled += 1;
    // Spaces and the end of the turn are the template's.
    const plain = (some: string): string => some.replace(ENDS, "").replaceAll(/\s+/g, "");
    if (plain(text) === plain(said) || (plain(text).startsWith(plain(said)) && said !== "")) return;
    this.#count.respelled += 1;
    if (this.#count.respelled === 1) this.#respelledAt = respellingOf(turn.tokens.map(String), said);
    this.#examples.respelled ??= id;
  }

  #end(turn: StoredTurn, id: string): void {
    const last = turn.tokens.at(-1);
    if (last === undefined) return;
    if (typeof last === "number") {
      this.#numbered += 1;
      this.#last.set(last, (this.#last.get(last) ?? 0) + 1);
      return;
    }
    this.#count.turns += 1;
    if (ENDS.test(last)) this.#count.ended += 1;
    else this.#examples.open ??= id;
  }

  #ends(): MaskCheck {
    const { turns, ended } = this.#count;
    if (turns > 0) {
      if (ended === 0) return { why: "the texts of turns hold no end token: the form leaves it out" };
      return {
        checked: turns,
        found: turns - ended,
        example: turns > ended ? this.#examples.open : undefined,
      };
    }
    if (this.#numbered < FEWEST_TURNS) {
      return { why: `${this.#numbered} turns are too few to see which token ends one` };
    }
    const most = Math.max(...this.#last.values());
    // Where no token ends half of the turns, either none is trained, or turns end with many.
    if (most < this.#numbered / 2) {
      return {
        why: `no token ends half of the ${this.#numbered} turns: the end of a turn may be left out of the mask`,
      };
    }
    return { checked: this.#numbered, found: this.#numbered - most, example: undefined };
  }
}

/** The first token that does not continue the message, with what the message has there. */
function respellingOf(tokens: readonly string[], said: string): string {
  const message = said.replaceAll(/\s+/g, "");
  let at = 0;
  for (const [i, token] of tokens.entries()) {
    const piece = token.replace(ENDS, "").replaceAll(/\s+/g, "");
    if (!message.startsWith(piece, at)) {
      return `at token ${i} (${JSON.stringify(token)}), where the message has ${JSON.stringify(message.slice(at, at + 12))}`;
    }
    at += piece.length;
  }
  return `after the last token, where the message goes on with ${JSON.stringify(message.slice(at, at + 12))}`;
}
