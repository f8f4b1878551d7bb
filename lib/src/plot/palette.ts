/**
 * Series styles that survive colour blindness, grey print, and both of JupyterLab's themes.
 *
 * Four of Okabe and Ito's colours: those with a contrast of at least 3:1 on white and on Lab's dark ground.
 * The dash pattern is the second cue.
 *
 * @see Okabe and Ito, "Color Universal Design", 2008
 */
export const seriesColors: readonly string[] = ["#0072B2", "#D55E00", "#009E73", "#CC79A7"];

export const seriesDashes: readonly (readonly number[])[] = [
  [1, 0],
  [6, 3],
  [2, 2],
  [8, 2, 2, 2],
];

/** For reference lines and their labels: readable on light and dark grounds alike. */
export const neutralColor = "#808080";
