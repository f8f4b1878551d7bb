/** Letters that can be read from the last row of a lecture hall. The theme sets their color. */
export const largeLetters: Readonly<Record<string, unknown>> = {
  // Beyond maxExtent (200 pixels by default) Vega writes the title over long labels.
  axis: {
    labelFontSize: 14,
    labelLimit: 420,
    titleFontSize: 15,
    titleFontWeight: "normal",
    titlePadding: 8,
    maxExtent: 420,
  },
  legend: { labelFontSize: 14, titleFontSize: 14, labelLimit: 320 },
  title: { fontSize: 17, subtitleFontSize: 14, anchor: "start" },
  text: { fontSize: 14 },
};
