import type { Chart } from "turnwise/internal/plot/chart";
import { heatMap } from "turnwise/internal/plot/heatMap";
import type { CreditExample } from "./example";

/** Method that the others are compared with. */
const exact = "exact advantage";
/** Credit that is drawn as 0 has no sign. */
const SEEN = 0.005;

const signed = (value: number): string => (value > 0 ? `+${value.toFixed(2)}` : value.toFixed(2));

const wrongText = (turns: readonly number[]): string =>
  `${turns.length === 0 ? "No turn" : `Turn${turns.length === 1 ? "" : "s"} ${turns.join(" and ")}`} ${turns.length > 1 ? "have" : "has"} the wrong sign`;

/**
 * Table of each method's credit for the turns of the example: one row each, one column for each turn. Each row is
 * divided by its largest number, as the methods have units of their own.
 *
 * @throws {RangeError} if a method is unknown
 */
export function drawCredit(
  { batch, trajectory, credits }: CreditExample,
  methods: readonly string[] = Object.keys(credits),
): Chart {
  const [, T, L] = batch.shape;
  const tools = batch.info_nt![trajectory]!.map((info) => String(info["tool"]));
  const cells = methods.flatMap((row) => {
    const found = credits[row];
    if (found === undefined) {
      throw new RangeError(
        `Cannot draw credit: each method must be one of ${Object.keys(credits).join("; ")}, got "${row}".`,
      );
    }
    const given = tools.map((_, t) => found.advantage_ntl[(trajectory * T + t) * L]!);
    const most = Math.max(...given.map(Math.abs));
    return tools.map((tool, t) => {
      const value = most === 0 ? 0 : given[t]! / most;
      return { row, column: `${t + 1}: ${tool}`, value, label: signed(value) };
    });
  });
  const of = (row: string): number[] => cells.filter((cell) => cell.row === row).map(({ value }) => value);
  const compared = methods.filter((row) => row !== exact);
  const wrongTurns = (row: string): number[] =>
    of(row).flatMap((value, t) => {
      const truth = of(exact)[t]!;
      return value * truth < 0 && Math.min(Math.abs(value), Math.abs(truth)) >= SEEN ? [t + 1] : [];
    });
  const wrong = compared.filter((row) => wrongTurns(row).length > 0);
  return heatMap(cells, {
    title: methods.includes(exact)
      ? compared.length === 1
        ? `${wrongText(wrongTurns(compared[0]!))} (${compared[0]!})`
        : `${wrong.length} of ${compared.length} methods give a turn a wrong sign`
      : "Credit for each turn",
    subtitle: "1 or -1: the most that the method gives to a turn of this trajectory",
    columnTitle: "turn",
    rowTitle: "method",
    scale: "sign",
  });
}
