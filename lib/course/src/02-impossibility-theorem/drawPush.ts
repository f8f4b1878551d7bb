import type { Chart } from "turnwise/internal/plot/chart";
import { lineChart } from "turnwise/internal/plot/lineChart";
import { chance, policies, pushesOf, usualSalary, wrongPushes, type PushDials } from "./push";

/** Which way the expected update pushes the agent, whatever it does now. */
export function drawPush(dials: PushDials): Chart {
  const { groupSize, divideByStd, prize = 1, salary = usualSalary } = dials;
  const worth = chance * prize;
  const pushes = pushesOf(dials);
  // As a share of the strongest push, so that a knob moves the line across the dashed one and not the axis under it.
  const strongest = Math.max(...pushes.map(Math.abs), Number.MIN_VALUE);
  const points = pushes.map((push, i) => ({ x: policies[i]!, y: push / strongest }));
  const wrong = wrongPushes(dials, pushes);
  const rule = divideByStd ? "grpo" : "drGrpo";
  return lineChart(
    { [`${rule}, group of ${groupSize}`]: points },
    {
      title:
        `Machine ${worth.toFixed(2)}, salary ${salary.toFixed(2)}: the push is ` +
        (wrong === 0 ? "right at every policy" : `wrong at ${wrong} of ${points.length} policies`),
      subtitle: divideByStd ? "divided by the group's std" : "not divided",
      xTitle: "how often the agent chooses the machine",
      yTitle: "push toward the machine, as a share of the strongest",
      yDomain: [-1, 1],
      reference: { y: 0, label: "no push" },
    },
  );
}
