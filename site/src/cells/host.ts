import type { SessionHost } from "turnwise-kernel/internal/session/host";
import { onMark } from "../library/mark.js";
import type { StopSignal } from "./stop.js";
import { CompiledFiles } from "./compiled.js";
import { installConsole } from "./console.js";
import { GlobalEvaluator } from "./evaluator.js";
import { siteUrl } from "./files.js";
import { SiteImports } from "./imports.js";
import { pageMagics } from "./magics.js";
import type { Mail } from "./mail.js";
import { textOf } from "./module-file.js";
import { moduleOf } from "../library/modules.js";
import { sitePackage, sitePackages } from "../library/packages.js";
import { provided } from "./provided.js";
import { installStdin } from "./stdin.js";
import { GlobalVariables } from "./variables.js";
import { web } from "./web.js";

/** A worker of a web page, whose cells are functions with global names. */
export function pageHost(o: { folder: string; base: string; stop: StopSignal; mail: Mail }): SessionHost {
  const { folder, base, stop, mail } = o;
  const evaluator = new GlobalEvaluator(stop.begin);
  const ownScript = web.location.href;
  const packages = new URL("packages/", ownScript).href;
  const compiled = new CompiledFiles(ownScript);
  let variables: GlobalVariables | undefined;
  return {
    folder,
    id: 0,
    magics: pageMagics(() => sitePackages(packages)),
    evaluator,
    provided: { ...provided, typescript: compiled.lent },
    outlet: (report, buffers, sent) => {
      web.postMessage({ report, buffers });
      sent();
    },
    stacks: {
      // A cell is compiled by `eval`, of which no reader knows.
      plain: (frame) => frame.replace(/at (async )?eval \(([\w.-]+\.tsx?:\d+:\d+)\)$/, "at $1$2"),
      isKernel: (frame) => frame.includes(ownScript),
      pathOf: (url) => url,
      textOf,
    },
    imports: (stacks, own) => {
      const typescript = (): Record<string, unknown> => compiled.typescript() as Record<string, unknown>;
      const known = (name: string) =>
        name === "typescript" ? typescript : (moduleOf(name) ?? sitePackage(packages, name));
      return new SiteImports(folder, siteUrl(base), known, own, compiled, stacks, (values) =>
        evaluator.bind(values),
      );
    },
    variables: () => variables?.all() ?? [],
    captureConsole: installConsole,
    installStdin: (asker) => {
      installStdin(asker);
      // By now all names of the session itself are there.
      variables = new GlobalVariables(evaluator.names);
    },
    explained: (failed) => failed,
    mark: (tick) => {
      onMark(stop.libraryMark(tick));
      return stop.mark(tick);
    },
    mustWait: () => mail.needed(),
    rest: (ms) => mail.rest(ms),
    exit: () => web.close(),
  };
}
