import fs from "node:fs";
import path from "node:path";
import { root } from "./paths.js";

const course = path.join(root, "lib", "course", "src");

/** The file of each exercise's solution by the name of the exercise, such as `00-one-knob`: it is in the folder of its lesson. */
export const solutions: ReadonlyMap<string, string> = new Map(
  fs
    .readdirSync(course)
    .map((lesson) => path.join(course, lesson, "solutions"))
    .filter((folder) => fs.existsSync(folder))
    .flatMap((folder) => fs.readdirSync(folder).map((name) => path.join(folder, name)))
    .filter((file) => file.endsWith(".ipynb"))
    .map((file) => [path.basename(file, ".ipynb"), file] as const)
    .sort(([a], [b]) => (a < b ? -1 : 1)),
);
