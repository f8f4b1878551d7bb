/** A Vega-Lite 5 specification; JupyterLab 4 renders no later version. */
export interface VegaLiteSpec {
  readonly $schema: string;
  /** Description for screen readers instead of the chart. */
  readonly description: string;
  readonly [key: string]: unknown;
}
