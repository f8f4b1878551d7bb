/** Files that pictures need. */
export type Asset = "DejaVuSans.ttf" | "DejaVuSans-Bold.ttf" | "resvg.wasm";
