import { expectKnown } from "turnwise/internal/base/expect";
import { readConfig } from "../configs/convert";
import type { FlagValues } from "../configs/given";
import { expectTrainer, understand, type Understood, type UnderstandOptions } from "../configs/understand";
import { parseConfig } from "../configs/source/parse";
import { Undecided, type Outcome } from "./contract";
import { findingIds, findings, type FindingId } from "./findings";
import { LintReport, type Found, type Open } from "./report";
import { readSubject } from "./readSubject";

/** Options of examining a configuration. */
export type LintOptions = UnderstandOptions;

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
  expectKnown("lint a configuration", options, ["for", "release"]);
  if (options.for !== undefined) expectTrainer(options.for);
  return lintSource(understand(await parseConfig(text), options));
}

/** The same of a configuration that has been parsed. */
export function lintSource(understood: Understood): LintReport {
  const { source, trainer, name, dialect, title, version } = understood;
  const flags = source.flags as FlagValues;
  const subject = readSubject(trainer, flags, {
    trainer: name,
    title,
    form: source.form,
    dialect,
    assumed: understood.assumed,
    ownName: understood.ownName,
    words: source.words,
    unresolved: source.unresolved.map((one) => trainer.formerNames?.[one.name] ?? one.name),
  });
  const seen: Found[] = [];
  const open: Open[] = [];
  const clear: FindingId[] = [];
  const inapplicable: Open[] = [];
  for (const id of findingIds) {
    const { title: called, why, source: from, lesson, severity, confidence, check } = findings[id];
    let outcome: Outcome;
    try {
      outcome = check(subject);
    } catch (error) {
      if (error instanceof Undecided) {
        (error.kind === "unknown" ? open : inapplicable).push({ id, title: called, why: error.message });
        continue;
      }
      if (error instanceof TypeError || error instanceof RangeError) {
        open.push({ id, title: called, why: error.message });
        continue;
      }
      throw error;
    }
    if (outcome.kind === "clear") clear.push(id);
    else {
      const { evidence, change, advice } = outcome;
      seen.push({
        id,
        title: called,
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
    dialect,
    title,
    version,
    subject,
    names: {
      telling: Object.keys(subject.parts.flags).filter(
        (one) => trainer.tells.test(one) && !understood.assumed.has(one),
      ).length,
      of: understood.given.length,
      why: understood.why,
    },
    read:
      typeof subject.parts.read === "string"
        ? subject.parts.read.replace(/[A-Za-z_][\w.]*/g, (word) => understood.ownName(word) ?? word)
        : () => readConfig(trainer, flags, source.unresolved),
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
