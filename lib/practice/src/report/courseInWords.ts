import { short } from "turnwise/internal/base/curve";
import type { Dip, LogVerdict } from "./logFacts";

/** Whether success has fallen, in a sentence or two: with what was checked, or why it cannot be told. */
export function courseInWords({ success, dip }: Pick<LogVerdict, "success" | "dip">): string {
  const checked = `in ${success.checked} steps`;
  const depth =
    dip === null
      ? ""
      : `as deep as in ${percent(dip.chance)} of ${chanceOf(dip)}: from a mean of ${short(dip.best)} to ${short(dip.lowest)}`;
  if (success.kind === "fell") {
    const back = dip!.recovered === null ? "" : `, and recovered by step ${dip!.recovered}`;
    return `Success had fallen at step ${dip!.update}, ${depth}${back}.`;
  }
  if (success.kind === "unknown") {
    const low = dip === null ? "" : ` It was low at step ${dip.update}, ${depth}.`;
    return `Cannot tell whether success has fallen: ${success.why}.${low}`;
  }
  if (dip === null) return `Success did not fall ${checked}.`;
  return `Success was low at step ${dip.update}, ${depth}. That is too often to call it a fall.`;
}

/** The chance that a drop is compared with. */
export const chanceOf = ({ lasting }: Dip): string =>
  lasting ? "simulated plateaus whose noise lasts as long" : "random orders of the steps near its best";

const percent = (share: number): string => `${(100 * share).toFixed(1)}%`;
