/** @deprecated Use `drawFixes`. */
export { drawFixes as drawWhatMends } from "./drawFixes";
