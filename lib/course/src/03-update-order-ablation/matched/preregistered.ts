import { matchedArms, matchedRates, matchedSeeds, matchedWorldNames, matchedWorlds } from "./design";
import { matchedQuestions } from "./questions";

const span = (values: readonly number[]): string => `${values[0]} to ${values.at(-1)}`;

/**
 * The plan as `PREREGISTRATION.md` lists it: seeds, worlds with their rates, arms and questions. A test compares the two, so that neither
 * changes without the other.
 */
export function preregisteredPlan(): string {
  const { study, confirmFrom, tuning } = matchedSeeds;
  const worlds = matchedWorldNames.map((world) => {
    const { title, shared, tokens, turns, updates, stuckBelow } = matchedWorlds[world];
    const rates = matchedRates(world).join(", ");
    return `| ${world} | ${title} | ${shared ? "yes" : "no"} | ${tokens} | ${turns} | ${updates} | ${rates} | ${stuckBelow} | ${matchedArms(world).length} |`;
  });
  const everyName = [
    ...new Set(matchedWorldNames.flatMap((world) => matchedArms(world).map(({ name }) => name))),
  ];
  const arms = everyName.map((name) => {
    const own = matchedWorldNames.filter((world) => matchedArms(world).some((one) => one.name === name));
    return `| ${name} | ${own.length === matchedWorldNames.length ? "all" : own.join(", ")} |`;
  });
  const questions = Object.values(matchedQuestions).map(
    ({ claim, family, claims, smallest, comparisons }) =>
      `| ${claim} | ${family} | ${claims} | ${smallest} | ${comparisons.length} |`,
  );
  return [
    "### Seeds",
    "",
    `- Study: ${span(study)}, ${study.length} for every arm. Those below ${confirmFrom} find, those from ${confirmFrom} on confirm.`,
    `- Tuning: ${span(tuning)}, ${tuning.length} for every arm and rate.`,
    "",
    "### Worlds",
    "",
    "| name | world | turns share parameters | tokens a turn | turns | updates | rates | stuck below | arms |",
    "| --- | --- | --- | --- | --- | --- | --- | --- | --- |",
    ...worlds,
    "",
    "### Arms",
    "",
    "| arm | worlds |",
    "| --- | --- |",
    ...arms,
    "",
    "### Questions",
    "",
    "| claim | family | claims | smallest effect | comparisons |",
    "| --- | --- | --- | --- | --- |",
    ...questions,
  ].join("\n");
}
