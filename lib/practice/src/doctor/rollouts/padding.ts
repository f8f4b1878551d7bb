import { textOfTokens, type StoredTurn } from "../../traces/trace";
import type { MaskCheck } from "./maskCheck";

/** The tokens that end an answer, and those that fill up a batch, of the usual templates. */
const end = String.raw`<\|im_end\|>|<\|eot_id\|>|<\|endoftext\|>|<\|end_of_text\|>|<\|end\|>|</s>|<eos>|<end_of_turn>|<｜end▁of▁sentence｜>`;
const pad = String.raw`<pad>|\[PAD\]|<\|pad\|>|<\|finetune_right_pad_id\|>|<\|vision_pad\|>|<unk>|<｜▁pad▁｜>|<\|PAD_TOKEN\|>`;
const filled = new RegExp(String.raw`(?:${end})\s*((?:(?:${end}|${pad})\s*)+)$|((?:(?:${pad})\s*)+)$`);
const special = new RegExp(`${end}|${pad}`, "g");
/** A turn or two that end in the same id twice may do so by chance. */
const FEWEST = 2;

interface Filling {
  turns: number;
  tokens: number;
  readonly before: Map<number | undefined, number>;
  readonly lengths: Map<number, number>;
  example: string;
}

/** Finds tokens of agents that only fill up a batch: those after the token that ends an answer. */
export class PaddingWatch {
  #turns = 0;
  #tokens = 0;
  #text = { turns: 0, tokens: 0, example: "" };
  readonly #filling = new Map<number, Filling>();
  readonly #lasts = new Map<number, number>();
  #known = { turns: 0, tokens: 0, example: "" };

  push(turn: StoredTurn, id: string): void {
    if (turn.tokens.length === 0) return;
    this.#turns += 1;
    this.#tokens += turn.tokens.length;
    const text = textOfTokens(turn);
    if (text !== undefined) {
      const match = filled.exec(text);
      const found = match === null ? 0 : ((match[1] ?? match[2])!.match(special) ?? []).length;
      if (found > 0) {
        this.#text.turns += 1;
        this.#text.tokens += found;
        this.#text.example ||= id;
      }
      return;
    }
    const tokens = turn.tokens as readonly number[];
    const { endIds } = (turn.info ?? {}) as { readonly endIds?: readonly number[] };
    const known = endIds === undefined ? -1 : tokens.findIndex((token) => endIds.includes(token));
    if (known >= 0 && tokens.slice(known + 1).every((token) => endIds!.includes(token))) {
      const rest = tokens.length - known - 1;
      if (rest > 0) {
        this.#known.turns += 1;
        this.#known.tokens += rest;
        this.#known.example ||= id;
      }
      return;
    }
    const last = tokens.at(-1)!;
    let from = tokens.length - 1;
    while (from > 0 && tokens[from - 1] === last) from -= 1;
    const run = tokens.length - from;
    if (run === 1) {
      this.#lasts.set(last, (this.#lasts.get(last) ?? 0) + 1);
      return;
    }
    const filling = this.#filling.get(last) ?? {
      turns: 0,
      tokens: 0,
      before: new Map(),
      lengths: new Map(),
      example: id,
    };
    filling.turns += 1;
    filling.tokens += run;
    const before = tokens[from - 1];
    filling.before.set(before, (filling.before.get(before) ?? 0) + 1);
    filling.lengths.set(tokens.length, (filling.lengths.get(tokens.length) ?? 0) + 1);
    this.#filling.set(last, filling);
  }

  get check(): MaskCheck {
    if (this.#turns === 0) return { why: "no turn has a token" };
    const checked = this.#tokens;
    const known = this.#known.tokens > 0 ? this.#known : this.#text;
    if (known.tokens > 0) {
      return {
        // Where text was stored, a word holds the tokens that follow it without a space.
        checked: checked + this.#text.tokens,
        found: known.tokens,
        example: known.example,
        where: `in ${known.turns} of ${this.#turns} turns`,
      };
    }
    for (const [token, filling] of this.#filling) {
      const found = this.#filled(token, filling);
      if (found === 0) continue;
      return {
        checked,
        found,
        example: filling.example,
        where: `${filling.turns} of ${this.#turns} turns end in several tokens ${token}`,
      };
    }
    return { checked, found: 0, example: undefined };
  }

  /** The tokens of runs at the end of turns that fill them up; 0 for a policy that repeats itself. */
  #filled(token: number, { turns, tokens, before, lengths }: Filling): number {
    if (turns < FEWEST) return 0;
    const [commonest] = [...before.entries()].sort((a, b) => b[1] - a[1]);
    const [length] = [...lengths.values()].sort((a, b) => b - a);
    // One token ends the answers, and another fills them up.
    const ended = commonest![0] !== undefined && commonest![1] >= 0.8 * turns && turns > FEWEST;
    if (ended) return tokens;
    // The token that ends an answer fills it up: the longest of a batch has it once, or all are equally long.
    const repeats = (this.#lasts.get(token) ?? 0) > 0 || (turns > FEWEST && length === turns);
    return repeats ? tokens - turns : 0;
  }
}
