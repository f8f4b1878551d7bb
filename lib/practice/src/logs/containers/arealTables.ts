import { notFinite, type Row } from "../row";
import type { Blocks } from "./block";

/** The line above the tables of a step: "Epoch 1/2 Step 3/23 Train step 3/46 done." */
const heading = /\bTrain step (?<step>\d+)\/\d+ done\b/;
const next = /\bStats \(\d+\/\d+\):/;
const line = /│(?<cells>.*)│/;

/**
 * Reads AReaL's tables: pairs of a name and a number in several columns, under a line with the step. Other tables, as of an evaluation,
 * have no such line above them.
 *
 * @see https://github.com/inclusionAI/AReaL: `areal/utils/stats_logger.py`, `areal/utils/printing.py`
 */
export class ArealTables implements Blocks {
  #step: number | undefined;
  #open = false;
  #values: Record<string, number> = {};

  push(text: string): Row[] | undefined {
    const step = heading.exec(text)?.groups?.step;
    if (step !== undefined || (this.#step !== undefined && next.test(text))) {
      const before = this.end();
      if (step !== undefined) this.#step = Number(step);
      this.#open = true;
      return before;
    }
    if (!this.#open) return undefined;
    const cells = line.exec(text)?.groups?.cells?.split("│");
    if (cells === undefined) return text.includes("╘") ? this.end() : undefined;
    for (let i = 0; i + 1 < cells.length; i += 2) {
      const [name, value] = [cells[i]!.trim(), cells[i + 1]!.trim()];
      const number = notFinite(value) ?? Number(value);
      if (name !== "" && value !== "" && (!Number.isNaN(number) || notFinite(value) !== undefined))
        this.#values[name] = number;
    }
    return [];
  }

  end(): Row[] {
    const [values, step] = [this.#values, this.#step];
    this.#values = {};
    this.#open = false;
    return step === undefined || Object.keys(values).length === 0 ? [] : [{ step, ...values }];
  }
}
