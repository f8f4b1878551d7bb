import { formatCsv, parseCsv } from "turnwise/internal/base/csv";
import { packed, unpacked } from "../alarms/packed";
import { watchedRules } from "../alarms/definitions";
import type { LanguageJob, LanguageResult } from "./job";

/** A run as `datasets/measured/language-model.csv` holds it, to six digits. */
export type StoredLanguageRun = Required<Omit<LanguageJob, "updates">> & LanguageResult;

/** The alarms of which the table has the levels. */
const alarms = watchedRules.filter(({ name }) =>
  ["std cliff", "entropy cliff", "unearned silence", "success itself"].includes(name),
);

const facts = (
  "world,skill,rule,reuse,bits,seed,updates,wellFormed,start,final,best,entropyFirst,entropyLast,tokensFirst,tokensLast," +
  "rose,fall,onset"
).split(",");

/** The text of `language-model.csv`: a row for each run. */
export function languageRunsToCsv(runs: readonly StoredLanguageRun[]): string {
  const six = (x: number): number => Number(x.toPrecision(6));
  return formatCsv(
    [...facts, ...alarms.map(({ name }) => name)],
    runs.map((run) => ({
      ...{ world: run.world, skill: run.skill, rule: run.rule, reuse: Number(run.reuse), bits: run.bits },
      ...{ seed: run.seed, updates: run.updates, wellFormed: six(run.wellFormed), start: six(run.start) },
      ...{ final: six(run.final), best: six(run.best) },
      ...{ entropyFirst: six(run.entropy[0]), entropyLast: six(run.entropy[1]) },
      ...{ tokensFirst: six(run.tokens[0]), tokensLast: six(run.tokens[1]) },
      ...{ rose: Number(run.rose), fall: run.fall ?? "", onset: run.onset ?? "" },
      ...Object.fromEntries(alarms.map(({ name }) => [name, packed(run.levels[name] ?? [])])),
    })),
  );
}

/** The runs of `language-model.csv`. */
export function storedLanguageRuns(csv: string): readonly StoredLanguageRun[] {
  return parseCsv("a stored table of language models", csv).map((row) => {
    const number = (name: string): number => Number(row[name]);
    const event = (name: string): number | null => ((row[name] ?? "") === "" ? null : number(name));
    return {
      world: row["world"] as LanguageJob["world"],
      skill: number("skill"),
      rule: row["rule"] as LanguageJob["rule"],
      reuse: row["reuse"] === "1",
      bits: number("bits"),
      seed: number("seed"),
      updates: number("updates"),
      wellFormed: number("wellFormed"),
      start: number("start"),
      final: number("final"),
      best: number("best"),
      entropy: [number("entropyFirst"), number("entropyLast")],
      tokens: [number("tokensFirst"), number("tokensLast")],
      rose: row["rose"] === "1",
      fall: event("fall"),
      onset: event("onset"),
      levels: Object.fromEntries(alarms.map(({ name }) => [name, unpacked(row[name] ?? "")])),
    };
  });
}
