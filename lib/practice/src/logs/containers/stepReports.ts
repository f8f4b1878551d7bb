import { notFinite, type Row } from "../row";
import type { Blocks } from "./block";
import { YamlLines } from "./yamlLines";

/** A line that names a step and holds nothing else, after what Ray puts before the lines of a process: "Step 12", "step:12". */
const heading = /^(?<process>\([^()]*\)\s+)?\s*step[:\s]\s*(?<step>\d+)\s*-?$/i;
/** A row of a table of Rich: a name and a value, the value empty where the name goes on below. */
const boxed = /^[│┃|]\s*(?<name>.*?)\s*[│┃|]\s*(?<value>.*?)\s*[│┃|]$/;
const border = /^[┏┳┓┡╇┩├┼┤┌┬┐━─═\s]+$/;
const bottom = /^[└╰┴┘╯─━\s]+$/;
const rule = /^=+$/;
/** "actor/entropy        0.25" of a table without lines, " - actor/entropy:0.25" of a step that was pasted in several lines. */
const spaced = /^(?<name>[\w@./-]+\/[\w@./-]+)\s{2,}(?<value>\S+)$/;
const listed = /^(?:- ?)?\s*(?<name>[\w@./-]+\/[\w@./-]+):\s*(?<value>\S+?)(?: -)?$/;

/** Numbers that make a report: one alone may stand anywhere. */
const FEWEST = 3;

/**
 * Reads reports that begin with a line for the step and give each metric a line: rLLM's tables, with and without lines around them,
 * EasyR1's YAML, and the lines of verl's console logger where they were pasted broken at their dashes.
 *
 * @see https://github.com/rllm-org/rllm: `rllm/trainer/algorithms/visualization.py` (print_metrics_table);
 * https://github.com/hiyouga/EasyR1: `verl/utils/logger/logger.py` (ConsoleLogger)
 */
export class StepReports implements Blocks {
  #process = "";
  #step: number | undefined;
  readonly #values = new Map<string, number>();
  #name = "";
  #yaml = new YamlLines();

  push(line: string, indented = line): Row[] | undefined {
    const head = heading.exec(line)?.groups;
    if (head) {
      const before = this.end();
      [this.#process, this.#step] = [(head.process ?? "").trim(), Number(head.step)];
      return before;
    }
    if (this.#step === undefined) return undefined;
    // Lines of other processes stand between those of this one.
    if (!line.startsWith(this.#process)) return undefined;
    const own = indented.trimStart().startsWith(this.#process)
      ? indented.slice(indented.indexOf(this.#process) + this.#process.length)
      : indented;
    const text = own.trim();
    if (text === "" || border.test(text) || (rule.test(text) && this.#values.size === 0)) return [];
    if (bottom.test(text) || rule.test(text)) return this.end();
    return this.#take(text, this.#process === "" ? own : own.slice(1)) ? [] : this.#ended();
  }

  end(): Row[] {
    const [values, step] = [Object.fromEntries(this.#values), this.#step];
    this.#values.clear();
    [this.#step, this.#name, this.#yaml] = [undefined, "", new YamlLines()];
    return step === undefined || Object.keys(values).length < FEWEST ? [] : [{ step, ...values }];
  }

  /** The report before a line that is no part of it; undefined if there was none. */
  #ended(): Row[] | undefined {
    const rows = this.end();
    return rows.length > 0 ? rows : undefined;
  }

  /** Whether a line is part of the report. */
  #take(text: string, own: string): boolean {
    const box = boxed.exec(text)?.groups;
    if (box) {
      // Rich breaks a long name over several rows, of which the first has the value.
      if (box.value === "" && this.#name !== "") {
        const value = this.#values.get(this.#name);
        if (value === undefined) return true;
        this.#values.delete(this.#name);
        this.#name += box.name!;
        this.#values.set(this.#name, value);
      } else this.#keep(box.name!, box.value!);
      return true;
    }
    const pair = (spaced.exec(text) ?? listed.exec(text))?.groups;
    if (pair) {
      this.#keep(pair.name!, pair.value!);
      return true;
    }
    const found = this.#yaml.push(own);
    if (found === undefined) return false;
    if (found.value !== undefined) this.#keep(found.path.join("/"), found.value);
    return true;
  }

  #keep(name: string, text: string): void {
    this.#name = name;
    const value = notFinite(text) ?? (text === "" ? NaN : Number(text));
    if (!Number.isNaN(value) || notFinite(text) !== undefined) this.#values.set(name, value);
  }
}
