/**
 * Series styles that survive color blindness, gray print, and both of JupyterLab's themes.
 *
 * Three of Okabe and Ito's colors, and a lighter blue than theirs: each has a contrast of at least 3:1 on white, on
 * JupyterLab's dark background (#111111) and on that of Vega's dark theme (#333333), where their own blue has 2.4:1.
 * The dash pattern is the second cue.
 *
 * @see Okabe and Ito, "Color Universal Design", 2008
 */
export const seriesColors: readonly string[] = ["#4080E0", "#D55E00", "#009E73", "#CC79A7"];

/** A fifth color for the rules of the library, as clear of the backgrounds above as the others are. */
export const crimson = "#F02454";

/** A dash pattern for each color, so that lines differ without it. */
export const seriesDashes: readonly (readonly number[])[] = [
  [1, 0],
  [6, 3],
  [2, 2],
  [8, 2, 2, 2],
];

/** For reference lines and their labels: readable on light and on dark backgrounds. */
export const neutralColor = "#808080";
