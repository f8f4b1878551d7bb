import { host } from "./host.js";
import { unknownToTypes } from "./node-limits.js";

/** Declarations of the names that every cell can use (session/globals.ts defines them). */
export function globalDeclarations(): string {
  const { kernel, files } = host();
  const from = (file: string): string => JSON.stringify(files.path.join(kernel(), file));
  const declare = (name: string, file: string): string =>
    `declare var ${name}: typeof import(${from(file)}).${name};`;
  const api = [
    "display",
    "html",
    "md",
    "svg",
    "png",
    "jpeg",
    "latex",
    "javascript",
    "clearOutput",
    "progress",
    "input",
    "help",
  ];
  return [
    ...unknownToTypes(),
    ...api.map((name) => declare(name, "display/api")),
    ...["prompt", "confirm", "alert"].map((name) => declare(name, "display/dialogs")),
    ...["_", "__", "___"].map((name) => `declare var ${name}: any;`),
    "declare var In: Record<number, string>;",
    "declare var Out: Record<number, any>;",
    ...["createComm", "registerTarget", "broadcast"].map((name) => declare(name, "widgets/comms")),
    declare("knobs", "widgets/knobs"),
    declare("log", "widgets/knob"),
    `declare var Deno: import(${from("session/deno")}).DenoOfCells;`,
    `declare var $$: import(${from("session/results-by-hand")}).ResultsByHandApi;`,
    ...["mime", "html", "svg", "png", "jpeg", "async", "done"].map((name) => `declare var $$${name}$$: any;`),
    declare("KernelInterrupt", "session/interrupt"),
    `declare type KernelInterrupt = import(${from("session/interrupt")}).KernelInterrupt;`,
  ].join("\n");
}
