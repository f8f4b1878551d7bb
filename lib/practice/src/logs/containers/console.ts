import { BAR, placeOf } from "../progressBar";
import { isFiniteNumber, isObject, notFinite, type Row, type RowReader } from "../row";
import { blockReader } from "./blocks";
import { Failures } from "./failure";
import { parseLenient } from "./jsonl";
import { Lines } from "./lines";
import { PrintedConfig } from "./printedConfig";

/** Line that verl's console logger writes for a step, after any prefix of a scheduler. */
const verlLine = /\bstep:(?<step>\d+) - (?<pairs>\S+:.+)$/;
/** Line that TRL's trainer prints for a step: a Python dict, often after a progress bar. */
const trlLine = /\{(?<pairs>'[^{}]+)\}/;
/** Line of slime and miles: the number of a rollout or of an optimizer step, then a Python dict. */
const slimeLine =
  /\b(?<kind>step|rollout|perf|multi_turn) (?<number>\d+): \{(?='(?:train|rollout|perf|multi_turn)\/)/;
/** A module of a model that was printed. */
const dropoutLine = /\bDropout\d?d?\(p=(?<rate>0?\.\d*[1-9])/;
const pair = /'(?<name>[^']+)': (?:'(?<quoted>[^']*)'|(?<bare>[^,\s]+))/g;
// eslint-disable-next-line no-control-regex -- terminals color what they are given
const colors = /\u001B\[[\d;]*m/g;

/** A line without colors. */
export const colorless = (content: string): string => content.replace(colors, "");

/** A line without colors and the blanks around it. */
export const plain = (content: string): string => colorless(content).trim();

/** The metrics that a line of a console holds; undefined for all the other lines. */
export function parseConsoleLine(content: string): Row | undefined {
  const line = plain(content);
  const verl = verlLine.exec(line)?.groups;
  if (verl) return withMetrics({ step: Number(verl.step), ...Object.fromEntries(pairsOfVerl(verl.pairs!)) });
  const trl = trlLine.exec(line)?.groups;
  return trl ? withMetrics(Object.fromEntries(pairsOfTrl(trl.pairs!))) : undefined;
}

type Pair = [string, number | string | null];

const pairsOfVerl = (pairs: string): Pair[] =>
  pairs.split(" - ").flatMap((one) => {
    const at = one.lastIndexOf(":");
    const value = numberOf(one.slice(at + 1));
    return at < 1 || value === undefined ? [] : [[one.slice(0, at).trim(), value] as Pair];
  });

const pairsOfTrl = (pairs: string): Pair[] =>
  [...pairs.matchAll(pair)].flatMap(({ groups }) => {
    const value = numberOf(groups!.quoted ?? groups!.bare!);
    return value === undefined ? [] : [[groups!.name!, value] as Pair];
  });

/** A number as Python prints it, or a step of all of them; null for None, undefined for what is not meant as a number. */
function numberOf(text: string): number | string | null | undefined {
  const plain = /^np\.\w+\((?<inner>.+)\)$/.exec(text.trim())?.groups?.inner ?? text.trim();
  if (plain === "None") return null;
  if (/^\d+\/\d+$/.test(plain)) return plain;
  const none = notFinite(plain);
  if (none !== undefined) return none;
  const value = plain === "" ? NaN : Number(plain);
  return Number.isFinite(value) ? value : undefined;
}

// One number may stand in any line of a console by chance.
const withMetrics = (row: Row): Row | undefined =>
  Object.values(row).filter(isFiniteNumber).length < 2 ? undefined : row;

/** Numbers that make a row of a JSON object among other output. */
const FEWEST = 3;

/** The row that a script prints as JSON: an object with a step and some numbers. */
export function jsonRow(line: string): Row | undefined {
  if (!/^\{"[^]*\}$/.test(line)) return undefined;
  let value: unknown;
  try {
    value = parseLenient(line);
  } catch {
    return undefined;
  }
  if (
    !isObject(value) ||
    !Object.keys(value).some((name) => /(^|[/_])(step|iter(ation)?|update)$/i.test(name))
  )
    return undefined;
  const values = Object.values(value).flatMap((one) => (isObject(one) ? Object.values(one) : [one]));
  return values.filter(isFiniteNumber).length < FEWEST ? undefined : value;
}

/** Numbers the lines of slime and miles, whose dicts name no rollout. */
function numbered(line: string, row: Row): Row {
  const { kind, number } = slimeLine.exec(line)?.groups ?? {};
  if (kind === undefined) return row;
  return { [kind === "step" ? "train/step" : "rollout/step"]: Number(number), ...row };
}

/**
 * Reads the console output of a training run: lines with metrics of verl, TRL or slime are rows, and so are the reports of mlx-lm-lora,
 * NeMo RL, AReaL, rLLM, EasyR1 and a notebook, which take several lines, lines of labels with numbers, and JSON objects with a step. All others are skipped.
 */
export function consoleReader(): RowReader {
  const lines = new Lines(true);
  const blocks = blockReader();
  const failures = new Failures();
  const config = new PrintedConfig();
  let place: string | undefined;
  let dropout: number | undefined;
  // A trainer that prints in a form of its own may print JSON of something else.
  let hasForm = false;
  const rows = (complete: readonly string[]): Row[] =>
    complete.flatMap((content) => {
      const line = plain(content);
      const formed = parseConsoleLine(line);
      const row = formed ?? (hasForm ? undefined : jsonRow(line));
      config.push(content);
      const rate = dropoutLine.exec(line)?.groups?.rate;
      if (rate !== undefined) dropout = Math.max(dropout ?? 0, Number(rate));
      const reported = row === undefined ? blocks.push(line, colorless(content)) : undefined;
      hasForm ||= formed !== undefined || (reported ?? []).length > 0;
      if (row === undefined && (reported ?? []).length === 0) failures.push(line);
      else failures.goesOn();
      place = placeOf(content) ?? place;
      if (row !== undefined)
        return [place === undefined ? numbered(line, row) : { ...numbered(line, row), [BAR]: place }];
      return reported ?? [];
    });
  return {
    push: (piece) => rows(lines.push(piece)),
    end: () => [...rows(lines.end()), ...blocks.end()],
    get failure() {
      return failures.failure;
    },
    get config() {
      return config.value;
    },
    get dropout() {
      return dropout;
    },
  };
}
