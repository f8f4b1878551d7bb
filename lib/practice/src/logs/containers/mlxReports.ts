import { notFinite, type Row } from "../row";
import type { Blocks } from "./block";

/** The heading of a report: an iteration, with its numbers on the same line or on those below. */
const heading = /\bIter (?<step>\d+):\s*(?<rest>.*)$/;
/** "Loss: 0.1", "Hit limit: 12.5%", "Clipping:  low=0.1, high=0.2": a label, then one number or several named ones. */
const labelled = /^(?:[•*-]\s+)?(?<label>[A-Za-z][\w ./-]*):\s+(?<rest>\S.*)$/;
const rule = /^=+$/;
const letters: Readonly<Record<string, string>> = { μ: "mean", σ: "std", µ: "mean" };

const number = String.raw`[-+]?(?:\d[\d.]*(?:e[-+]?\d+)?|nan|inf(?:inity)?)`;
const alone = new RegExp(String.raw`^(?<value>${number})(?<percent>%)?(?:\s*\(.*\)|\s+GB)?$`, "i");
const assigned = new RegExp(String.raw`^(?<name>[\wμσµ]+)=(?<value>${number})(?<percent>%)?$`, "i");
const worded = new RegExp(
  String.raw`^(?<name>[A-Za-z][\w/ ]*?) (?<value>${number})(?<percent>%)?(?: GB)?$`,
  "i",
);

type Match = RegExpExecArray["groups"];

const nameOf = (text: string): string =>
  text
    .trim()
    .toLowerCase()
    .replaceAll(/[\s./-]+/g, "_");

function valueOf(groups: Match): number {
  const { value, percent } = groups!;
  return (notFinite(value) ?? Number(value)) / (percent === undefined ? 1 : 100);
}

/** The numbers of a line below a heading; none if it is of anybody else. */
function pairsOf(line: string): [string, number][] {
  const { label, rest } = labelled.exec(line)?.groups ?? {};
  if (label === undefined || rest === undefined) return [];
  const one = alone.exec(rest)?.groups;
  if (one) return [[nameOf(label), valueOf(one)]];
  const several = rest.split(/,\s+/).map((part) => assigned.exec(part)?.groups);
  if (several.some((part) => part === undefined)) return [];
  return several.map((part) => [`${nameOf(label)}_${letters[part!.name!] ?? part!.name!}`, valueOf(part)]);
}

/** The numbers of a line that has all of them: "Train loss 0.1, KL 0.02, It/sec 0.3". */
function pairsAfter(rest: string): [string, number][] {
  const parts = rest
    .replace(/,$/, "")
    .split(/,\s+/)
    .map((part) => worded.exec(part.trim())?.groups);
  return parts.flatMap((part) => (part ? [[nameOf(part.name!), valueOf(part)] as [string, number]] : []));
}

/**
 * Reads the reports of mlx-lm and mlx-lm-lora from a console: since 2026 a block of lines for each report, before that one line.
 *
 * @see https://github.com/Goekdeniz-Guelmez/mlx-lm-lora at dfaaaed530d122cd03156f7e43d1f876d2af3dbc: `mlx_lm_lora/trainer/grpo_trainer.py`
 */
export class MlxReports implements Blocks {
  #block: { readonly iteration: number; readonly pairs: [string, number][] } | undefined;

  push(line: string): Row[] | undefined {
    const begins = heading.exec(line)?.groups;
    if (begins) {
      const before = this.end();
      const iteration = Number(begins.step);
      if (begins.rest === "") {
        this.#block = { iteration, pairs: [] };
        return before;
      }
      const pairs = pairsAfter(begins.rest!);
      return pairs.length === 0 ? before : [...before, { iteration, ...Object.fromEntries(pairs) }];
    }
    if (this.#block === undefined) return undefined;
    if (rule.test(line)) return this.#block.pairs.length > 0 ? this.end() : [];
    const pairs = pairsOf(line);
    if (pairs.length === 0) return undefined;
    this.#block.pairs.push(...pairs);
    return [];
  }

  end(): Row[] {
    const block = this.#block;
    this.#block = undefined;
    return block === undefined || block.pairs.length === 0
      ? []
      : [{ iteration: block.iteration, ...Object.fromEntries(block.pairs) }];
  }
}
