import { endingOf, salary, worthOf, type Ending, type Field, type Morning } from "./push";

const choices: Readonly<Record<Ending, string>> = {
  machine: "learns to pull the machine",
  salary: "learns to take the salary",
  between: "stays in between",
};

/** The finding of the picture, in a sentence. */
export function finding(morning: Morning, course: readonly number[]): string {
  const ending = endingOf(course);
  const better = worthOf(morning) > salary ? "machine" : "salary";
  const rule = morning.divide ? "GRPO" : "GRPO without the division";
  const judgment =
    ending === "between" ? "" : ending === better ? ", the better choice" : ", the worse choice";
  return `${rule} ${choices[ending]}${judgment}`;
}

/** Share of policies at which the push is wrong. */
export function extent({ wrong }: Field): string {
  if (wrong === 0) return "The push is right, whatever the agent does now.";
  if (wrong === 1) return "The push is wrong, whatever the agent does now.";
  return `The push is wrong for ${Math.round(100 * wrong)}% of policies.`;
}

/** Why the push is as it is. */
export const reason = ({ divide }: Morning): string =>
  divide
    ? "Dividing by the standard deviation of a small group asks who won, not by how much, and the machine loses three times out of four."
    : "Without the division an advantage keeps its size, so a rare win counts for all that it pays.";

/** The rule in a sentence, with the settings that it has here. */
export const ruleWords = ({ group, divide }: Morning): string =>
  `GRPO has the agent live the same morning ${group} times, a group, and pushes it toward choices that were paid above the ` +
  `group’s mean${divide ? ", by the distance in standard deviations of the group" : ", by the distance"}.`;
