/** A rule's learning curve: its exact returns after each of some updates, a list for each seed. */
export interface Curve {
  readonly name: string;
  readonly runs: readonly (readonly number[])[];
}

const WIDTH = 440;
const HEIGHT = 270;
const LEFT = 42;
const RIGHT = 10;
const TOP = 12;
const BOTTOM = 40;

/** Paths of the curves, from the untrained policy at 0 on; returns are shares of the optimum, which is 1. */
function pathOf(updates: readonly number[], returns: readonly number[]): string {
  const last = updates.at(-1)!;
  const x = (update: number): string => (LEFT + ((WIDTH - LEFT - RIGHT) * update) / last).toFixed(1);
  return [[0, 0] as const, ...updates.map((update, i) => [update, returns[i]!] as const)]
    .map(([update, J], i) => `${i === 0 ? "M" : "L"}${x(update)} ${yOf(J)}`)
    .join("");
}

const yOf = (J: number): string => (TOP + (HEIGHT - TOP - BOTTOM) * (1 - J)).toFixed(1);

const meanOf = (runs: Curve["runs"]): number[] =>
  runs[0]!.map((_, i) => runs.reduce((sum, run) => sum + run[i]!, 0) / runs.length);

const two = (x: number): string => x.toFixed(2);

/** The finding of a picture in words: where each rule's seeds end. */
export function curveWords({ name, runs }: Curve): string {
  const ends = runs.map((run) => run.at(-1)!);
  return `${name} ends at ${two(meanOf(runs).at(-1)!)} on average, its seeds between ${two(Math.min(...ends))} and ${two(Math.max(...ends))}`;
}

/**
 * Learning curves as SVG: every seed thin, their mean thick; the second rule's are dashed. Text of SVG alone, so that the site's
 * builder draws the same picture as the page.
 */
export function curvePicture(updates: readonly number[], curves: readonly Curve[]): string {
  const last = updates.at(-1)!;
  const lines = [0, 0.25, 0.5, 0.75, 1]
    .map(
      (J) =>
        `<line class="grid" x1="${LEFT}" x2="${WIDTH - RIGHT}" y1="${yOf(J)}" y2="${yOf(J)}"/>` +
        `<text x="${LEFT - 6}" y="${yOf(J)}" dy=".35em" text-anchor="end">${J}</text>`,
    )
    .join("");
  const ticks = [0, 50, 100, 150]
    .filter((update) => update <= last)
    .map((update) => {
      const x = LEFT + ((WIDTH - LEFT - RIGHT) * update) / last;
      const anchor = update === 0 ? "start" : update === last ? "end" : "middle";
      return `<text x="${x}" y="${HEIGHT - BOTTOM + 16}" text-anchor="${anchor}">${update}</text>`;
    })
    .join("");
  const drawn = curves
    .map(({ runs }, i) => {
      const seeds = runs.map((run) => `<path class="seed" d="${pathOf(updates, run)}"/>`).join("");
      return `<g class="${i === 0 ? "first" : "second"}">${seeds}<path class="mean" d="${pathOf(updates, meanOf(runs))}"/></g>`;
    })
    .reverse()
    .join("");
  const about = `Exact return over ${last} updates. ${curves.map(curveWords).join(". ")}.`;
  return (
    `<svg class="curve" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${about}">${lines}${ticks}` +
    `<text class="title" x="${(LEFT + WIDTH - RIGHT) / 2}" y="${HEIGHT - 5}" text-anchor="middle">updates of 64 trajectories</text>${drawn}</svg>`
  );
}
