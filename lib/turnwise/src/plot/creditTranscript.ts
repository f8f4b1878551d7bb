import type { Batch } from "../batch/batch";
import { displaySymbol, type MimeBundle } from "../base/display";
import { observationHtml, type Tiles } from "../env/grid/drawGrid";
import { escapeHtml } from "./escapeHtml";
import { heatMap } from "./heatMap";
import type { Chart } from "./chart";

/** The advantage of every token, [N, T, L], by the name of the rule. */
export type CreditByRule = Readonly<Record<string, ArrayLike<number>>>;

/** Contents next to the turns of a transcript. */
export interface CreditTranscriptOptions {
  /** The tokens' words, for a batch that does not tell them: `env.spec.vocabulary`. */
  readonly vocabulary?: readonly string[];
  /** Meaning of the characters of maps, for a batch that lacks it: `env.spec.tiles`. */
  readonly tiles?: Tiles | undefined;
  /** Index of the trajectory. Default 0. */
  readonly trajectory?: number;
  readonly title?: string;
}

interface Token {
  readonly word: string;
  readonly credit: number;
}

interface Turn {
  readonly observation: string;
  readonly tokens: readonly Token[];
}

const signed = (value: number): string =>
  `${value > 0 ? "+" : value < 0 ? "−" : "±"}${Math.abs(value).toFixed(2)}`;

/**
 * One trajectory as a transcript whose tokens are colored by their advantage, once for each rule.
 *
 * Advantages above 0 are blue with a solid line, those below 0 orange with a dotted line, and the number stands beside the
 * word, so nothing depends on color alone. What the environment wrote has mask 0 and gets no credit. Backgrounds are
 * translucent to suit both of JupyterLab's themes.
 */
export class CreditTranscript {
  constructor(
    readonly batch: Batch,
    readonly credit: CreditByRule,
    readonly options: CreditTranscriptOptions = {},
  ) {
    const names = Object.keys(credit);
    if (names.length === 0) throw new RangeError("Cannot show credit: there must be a rule.");
    const [N, T, L] = batch.shape;
    const n = options.trajectory ?? 0;
    if (!Number.isInteger(n) || n < 0 || n >= N) {
      throw new RangeError(`Cannot show credit: trajectory must be from 0 to ${N - 1}, got ${n}.`);
    }
    for (const name of names) {
      if (credit[name]!.length === N * T * L) continue;
      throw new TypeError(
        `Cannot show credit: ${name} must have shape [${batch.shape.join(", ")}], ` +
          `got ${credit[name]!.length}.`,
      );
    }
  }

  /** MIME bundle that a notebook displays for this object. */
  [displaySymbol](): MimeBundle {
    const rules = Object.keys(this.credit).map((name) => ({ name, turns: this.#turns(this.credit[name]!) }));
    return { "text/html": this.#html(rules), "text/plain": this.#text(rules) };
  }

  #turns(advantage_ntl: ArrayLike<number>): Turn[] {
    const { batch, options } = this;
    const { vocabulary = batch.script?.vocabulary ?? [] } = options;
    const [, T, L] = batch.shape;
    const n = options.trajectory ?? 0;
    return Array.from({ length: batch.turnCount_n[n]! }, (_, t) => {
      const tokens: Token[] = [];
      for (let l = 0; l < L; l++) {
        const i = (n * T + t) * L + l;
        if (batch.mask_ntl[i] !== 1) continue;
        const word = vocabulary[batch.token_ntl[i]!] ?? String(batch.token_ntl[i]);
        tokens.push({ word, credit: advantage_ntl[i]! });
      }
      return { observation: batch.observation_nt[n]![t]!, tokens };
    });
  }

  #html(rules: readonly { name: string; turns: readonly Turn[] }[]): string {
    const { title = "Who gets the credit" } = this.options;
    const blocks = rules.map(({ name, turns }) => {
      // Each rule has its own scale: the colors show what it prefers, and the numbers by how much.
      const most = Math.max(
        ...turns.flatMap(({ tokens }) => tokens.map(({ credit }) => Math.abs(credit))),
        1e-12,
      );
      const lines = turns.map(({ observation, tokens }) => {
        const words = tokens.map(({ word, credit }) => tokenHtml(word, credit, Math.abs(credit) / most));
        return (
          `<div><small>environment</small> <em>${observationHtml(observation, this.options.tiles ?? this.batch.script?.tiles)}</em></div>` +
          `<div><small>agent</small> ${words.join(" ")}</div>`
        );
      });
      return `<section style="margin:0 0 1em"><strong>${escapeHtml(name)}</strong>${lines.join("")}</section>`;
    });
    const reward = this.batch.return_n[this.options.trajectory ?? 0]!;
    return (
      `<figure style="margin:0" aria-label="${escapeHtml(title)}"><figcaption><strong>${escapeHtml(title)}</strong>; ` +
      `return ${reward.toFixed(2)}; number: advantage of the token</figcaption>${blocks.join("")}</figure>`
    );
  }

  #text(rules: readonly { name: string; turns: readonly Turn[] }[]): string {
    const lines = rules.flatMap(({ name, turns }) => [
      `${name}:`,
      ...turns.flatMap(({ observation, tokens }) => [
        `  environment: ${observation}`,
        `  agent: ${tokens.map(({ word, credit }) => `${word}[${signed(credit)}]`).join(" ")}`,
      ]),
    ]);
    return lines.join("\n");
  }
}

function tokenHtml(word: string, credit: number, share: number): string {
  const color = credit < 0 ? "213,94,0" : "0,114,178";
  const line = credit === 0 ? "none" : `3px ${credit < 0 ? "dotted" : "solid"} rgb(${color})`;
  const ground = credit === 0 ? "transparent" : `rgba(${color},${(0.08 + 0.32 * share).toFixed(2)})`;
  return (
    `<span style="display:inline-block;padding:0 .3em;border-bottom:${line};background:${ground}">` +
    `<code style="background:none">${escapeHtml(word)}</code><sub>${signed(credit)}</sub></span>`
  );
}

/**
 * One trajectory as a transcript whose tokens are colored by their advantage, once for each rule.
 *
 * @throws {TypeError} if shapes differ
 * @throws {RangeError} if there is no rule or no such trajectory
 * @example
 * import { advantages, collect, createPolicy, createRng, make, recipe } from "turnwise";
 * import { creditTranscript } from "turnwise/plot";
 * const env = make("LookUp-v0");
 * const batch = collect(env, createPolicy(env.spec), { groups: 1, groupSize: 4, rng: createRng(1) });
 * const grpo = advantages(batch, recipe("grpo")).advantage_ntl;
 * creditTranscript(batch, { grpo });
 */
export function creditTranscript(
  batch: Batch,
  credit: CreditByRule,
  options: CreditTranscriptOptions = {},
): CreditTranscript {
  return new CreditTranscript(batch, credit, options);
}

/**
 * The mean advantage of each turn's tokens under each rule, as a heat map: turns of one trajectory across, rules down.
 *
 * @throws {TypeError} if shapes differ
 * @throws {RangeError} if there is no rule or no such trajectory
 */
export function turnAdvantageMap(
  batch: Batch,
  credit: CreditByRule,
  options: { readonly trajectory?: number; readonly title?: string } = {},
): Chart {
  new CreditTranscript(batch, credit, options);
  const [, T, L] = batch.shape;
  const n = options.trajectory ?? 0;
  const cells = Object.entries(credit).flatMap(([row, advantage_ntl]) =>
    Array.from({ length: batch.turnCount_n[n]! }, (_, t) => {
      let sum = 0;
      let count = 0;
      for (let i = (n * T + t) * L; i < (n * T + t + 1) * L; i++) {
        if (batch.mask_ntl[i] !== 1) continue;
        sum += advantage_ntl[i]!;
        count += 1;
      }
      return { row, column: `turn ${t + 1}`, value: count === 0 ? 0 : sum / count };
    }),
  );
  return heatMap(cells, {
    title: options.title ?? "Advantage of each turn",
    subtitle: `trajectory ${batch.trajectoryId[n]!}, return ${batch.return_n[n]!.toFixed(2)}`,
    columnTitle: "turn of the trajectory",
    rowTitle: "rule",
    scale: "sign",
  });
}
