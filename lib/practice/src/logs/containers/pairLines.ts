import { notFinite, type Row } from "../row";
import type { Blocks } from "./block";

const number = String.raw`[-+]?(?:\d[\d_]*\.?\d*(?:[eE][-+]?\d+)?|\.\d+|nan|inf)`;
/** A line of nothing but names with numbers. */
const line = new RegExp(String.raw`^(?:[A-Za-z][\w./@()-]*: *${number}(?:[ ,;|]+|$)){2,}$`, "i");
const pair = new RegExp(String.raw`(?<name>[A-Za-z][\w./@()-]*): *(?<value>${number})(?=[ ,;|]|$)`, "gi");

/** DeepSpeed-Chat's console, whose reward stands on another line. */
const ofDeepSpeed = /^epoch: \d+\|step: \d+\|/;

/** Whether a line is nothing but names of one word with numbers. */
export const isPairLine = (content: string): boolean => line.test(content) && !ofDeepSpeed.test(content);

/**
 * Reads metrics as people quote them: `reward: 0.5   reward_std: 0.2` and so on, over a line or several. A name that comes again begins
 * the next step.
 */
export class PairLines implements Blocks {
  #row: Record<string, number> = {};

  push(content: string): Row[] | undefined {
    if (!isPairLine(content)) {
      const rows = this.end();
      return rows.length === 0 ? undefined : rows;
    }
    const pairs = [...content.matchAll(pair)].map(
      ({ groups }) => [groups!.name!, numberOf(groups!.value!)] as const,
    );
    const rows = pairs.some(([name]) => name in this.#row) ? this.end() : [];
    Object.assign(this.#row, Object.fromEntries(pairs));
    return rows;
  }

  end(): Row[] {
    const row = this.#row;
    this.#row = {};
    return Object.keys(row).length === 0 ? [] : [row];
  }
}

const numberOf = (text: string): number => notFinite(text) ?? Number(text.replaceAll("_", ""));
