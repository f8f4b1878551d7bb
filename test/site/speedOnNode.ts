import { rowsAsked, loaded, trainings, type Given } from "./trainings.js";

// A process of Node that trains one row each time it is asked to, as a fresh kernel would: `librarySpeed.ts` starts it.

const here: Given = { load: async <T>(name: string) => (await import(name)) as T };
const [row] = rowsAsked([process.argv[2]!]);
const { run, options } = trainings[row!]!;

process.on("message", () => {
  const begun = performance.now();
  void run(here, options).then(() => process.send!(performance.now() - begun));
});
void Promise.all(loaded.map((name) => here.load(name))).then(() => process.send!("ready"));
