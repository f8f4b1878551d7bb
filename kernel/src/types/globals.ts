import { join } from "node:path";

/** Declarations of the names that every cell can use (session/globals.ts defines them). */
export function globalDeclarations(): string {
  const from = (file: string): string => JSON.stringify(join(__dirname, "..", file));
  const api = ["display", "html", "md", "svg", "png", "clearOutput", "progress", "input", "help"].map(
    (name) => `declare var ${name}: typeof import(${from("display/api")}).${name};`,
  );
  const knobs = ["knobs", "log"].map(
    (name) => `declare var ${name}: typeof import(${from("widgets/knobs")}).${name};`,
  );
  return [
    ...api,
    ...knobs,
    `declare var KernelInterrupt: typeof import(${from("session/interrupt")}).KernelInterrupt;`,
    `declare type KernelInterrupt = import(${from("session/interrupt")}).KernelInterrupt;`,
  ].join("\n");
}
