import { plainName } from "../logs/plainName";
import type { ReadTrainer } from "./contract";
import { openRlhf } from "./openRlhf";
import { primeRl } from "./primeRl";
import { skyRl } from "./skyRl";
import type { Source } from "./source/parse";
import { ONLY_DEFAULTS } from "./source/python";
import { trl } from "./trl";
import { verl } from "./verl";

/** The trainers whose configurations are read. */
export const readTrainers = { trl, verl, openrlhf: openRlhf, skyrl: skyRl, "prime-rl": primeRl } as const;

/** A trainer whose configurations `readFlags` reads. */
export type TrainerName = keyof typeof readTrainers;

/**
 * The trainer whose names a configuration has most of, which must be names of a rule.
 *
 * @param wanted the only one that is considered
 * @throws {RangeError} if it is no trainer's
 */
export function recognize(source: Source, wanted?: ReadTrainer): ReadTrainer {
  const names = Object.keys(source.flags);
  const all = [...names, ...source.unresolved.map(({ name }) => name)];
  const command = source.words.join(" ");
  const counts = (wanted ? [wanted] : Object.values<ReadTrainer>(readTrainers)).map((trainer) => {
    const known = (name: string): boolean =>
      trainer.names.test(name) || trainer.tells.test(name) || name in (trainer.formerNames ?? {});
    const telling = all.filter((name) => trainer.tells.test(name)).length;
    const mentioned = trainer.mentions.test(command) ? 3 : 0;
    return { trainer, telling, score: telling === 0 ? 0 : telling + all.filter(known).length + mentioned };
  });
  const best = counts.reduce((a, b) => (b.score > a.score ? b : a));
  if (best.score > 0) return best.trainer;
  if (source.words.includes(ONLY_DEFAULTS) && (wanted ?? trl) === trl) return trl;
  const titles = wanted ? wanted.title : "TRL, verl, OpenRLHF, SkyRL or prime-rl";
  const shown =
    all
      .slice(0, 4)
      .map((name) => plainName(name))
      .join(", ") + (all.length > 4 ? ", ..." : "");
  throw new RangeError(
    `Cannot read a configuration: it must have names of a rule of ${titles}, ` +
      (all.length === 0 ? "but it has none." : `got ${shown}.`),
  );
}
