import { promises } from "./fs.js";

/** Replacement of Node's `fs/promises` in cells of a page. */
export const { readFile, writeFile, appendFile, mkdir, rename, rm, unlink, readdir, stat, access } = promises;
export default promises;
