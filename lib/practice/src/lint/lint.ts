import { expectKnown } from "turnwise/internal/base/expect";
import { givenOf, currentFlags, readConfig } from "../configs/convert";
import type { ReadTrainer } from "../configs/contract";
import { recipe } from "turnwise/internal/rule/index";
import type { FlagValues } from "../configs/given";
import { readTrainers, recognize, trainerOf, type TrainerName } from "../configs/recognize";
import { parseConfig, type Source } from "../configs/source/parse";
import { Undecided, type Outcome } from "./contract";
import { findingIds, findings, type FindingId } from "./findings";
import { LintReport, type Found, type Open } from "./report";
import { Subject } from "./subject";

/** Options of examining a configuration. */
export interface LintOptions {
  /** Trainer of the configuration. Default: the trainer whose names it has. */
  readonly for?: TrainerName;
}

/**
 * Checks a configuration for unintended settings: as JSON, YAML, TOML, a launch script or the arguments of a
 * `GRPOConfig`, of TRL, verl, OpenRLHF, SkyRL or prime-rl. Each finding says what is seen, why it matters, its source,
 * and what to write instead.
 *
 * What cannot be decided from the configuration is listed with the reason; it is not taken to be fine.
 *
 * @param text the configuration itself
 * @throws {TypeError} if it is in none of these forms
 * @throws {RangeError} if its names are no trainer's
 * @example
 * import { lint } from "turnwise-practice";
 * const { found } = await lint("num_generations: 8\nbeta: 0.2\nloss_type: dr_grpo\n");
 * found[0].instead; // => ["beta: 0.001"]
 */
export async function lint(text: string, options: LintOptions = {}): Promise<LintReport> {
  expectKnown("lint a configuration", options, ["for"]);
  const trainer = options.for === undefined ? undefined : trainerOf(options.for);
  const source = await parseConfig(text);
  return lintSource(source, recognize(source, trainer));
}

/** The same of a configuration that has been parsed. */
export function lintSource(source: Source, trainer: ReadTrainer): LintReport {
  const flags = source.flags as FlagValues;
  const given = givenOf(trainer, flags);
  const [name] = Object.entries(readTrainers).find(([, one]) => one === trainer)! as [
    TrainerName,
    ReadTrainer,
  ];
  let read: Subject["parts"]["read"];
  try {
    const { update, ...cells } = trainer.read(given);
    // The optimizer is asked for by its settings.
    const rule = recipe("grpo", { ...cells, update: { ...recipe("grpo").update, ...update } });
    read = { rule, without: given.without };
  } catch (error) {
    if (!(error instanceof RangeError || error instanceof TypeError)) throw error;
    read = error.message;
  }
  const subject = new Subject({
    trainer: name,
    title: trainer.title,
    form: source.form,
    flags: currentFlags(trainer, flags),
    given,
    unresolved: source.unresolved.map((one) => trainer.formerNames?.[one.name] ?? one.name),
    read,
  });
  const seen: Found[] = [];
  const open: Open[] = [];
  const clear: FindingId[] = [];
  const inapplicable: Open[] = [];
  for (const id of findingIds) {
    const { title, why, source: from, lesson, severity, confidence, check } = findings[id];
    let outcome: Outcome;
    try {
      outcome = check(subject);
    } catch (error) {
      if (error instanceof Undecided) {
        (error.kind === "unknown" ? open : inapplicable).push({ id, title, why: error.message });
        continue;
      }
      if (error instanceof TypeError || error instanceof RangeError) {
        open.push({ id, title, why: error.message });
        continue;
      }
      throw error;
    }
    if (outcome.kind === "clear") clear.push(id);
    else {
      const { evidence, change, advice } = outcome;
      seen.push({
        id,
        title,
        why,
        source: from,
        lesson,
        severity,
        confidence: outcome.confidence ?? confidence,
        evidence,
        change,
        instead: [...subject.write(change)],
        advice,
      });
    }
  }
  return new LintReport({
    trainer: name,
    title: trainer.title,
    version: trainer.version,
    subject,
    names: {
      telling: Object.keys(subject.parts.flags).filter((one) => trainer.tells.test(one)).length,
      of: Object.keys(subject.parts.flags).length,
    },
    read: typeof read === "string" ? read : () => readConfig(trainer, flags, source.unresolved),
    found: seen.sort((a, b) => rank(a) - rank(b)),
    undecided: open,
    clear,
    inapplicable,
  });
}

const severities = ["error", "warning", "note"];
const confidences = ["certain", "likely", "possible"];
const rank = ({ severity, confidence }: Found): number =>
  severities.indexOf(severity) * 3 + confidences.indexOf(confidence);
