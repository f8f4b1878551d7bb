/** @deprecated Use `drawFixes`. @public */
export { drawFixes as drawWhatMends } from "./drawFixes";
