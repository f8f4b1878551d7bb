import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { resolve, sep } from "node:path";
import { magics } from "../../magics/index.js";
import { rest } from "../../process/pipe.js";
import type { SessionHost } from "../host.js";
import { captureOutput } from "./console.js";
import { Evaluator } from "./evaluator.js";
import { Imports } from "./imports.js";
import { localPath } from "./local/addresses.js";
import { runTypeScriptInThreads } from "./local/typescript-threads.js";
import { interruptedChild } from "./interrupted-child.js";
import { fds, pipeOutlet } from "./pipe-outlet.js";
import { help, kernelModule, lazyKnobs, tslabVersions, widgetModule } from "./provided.js";
import { installStdin } from "./stdin.js";
import { Variables } from "./variables.js";

const kernelFolder = resolve(__dirname, "../..") + sep;

/** A process of Node, whose cells run in V8's REPL mode. */
export function nodeHost(state: Int32Array, folder: string): SessionHost {
  const evaluator = new Evaluator();
  runTypeScriptInThreads();
  const variables = { all: undefined as Variables | undefined };
  return {
    folder,
    id: process.pid,
    magics,
    evaluator,
    outlet: pipeOutlet(fds.out, state),
    stacks: {
      plain: (frame) => frame,
      isKernel: (frame) => frame.includes(kernelFolder),
      pathOf: (url) => localPath(url) ?? url,
      textOf: (path) => (existsSync(path) ? readFileSync(path, "utf8") : undefined),
    },
    provided: {
      kernel: kernelModule,
      versions: tslabVersions,
      widgets: widgetModule,
      knobs: lazyKnobs,
      deno: () => {
        const { denoSystem } = createRequire(__filename)("./deno.js") as typeof import("./deno.js");
        return denoSystem(folder);
      },
      typescript: () => createRequire(__filename)("typescript") as unknown,
      help: (asked, cells) => help(asked, folder, cells),
    },
    imports: (stacks, provided) => new Imports(folder, stacks, provided),
    variables: () => variables.all?.all() ?? [],
    captureConsole: captureOutput,
    installStdin(asker) {
      installStdin(asker);
      // By now all names of the session itself are there.
      variables.all = new Variables(evaluator.inspector);
    },
    explained: (failed) => interruptedChild(failed, state),
    mark: (tick) => tick,
    mustWait: () => undefined,
    rest,
    exit: () => process.exit(0),
  };
}
