import * as api from "../../display/api.js";
import { displaySymbol } from "../../display/bundle.js";
import { liveSymbol } from "../../display/live.js";
import { streamChart } from "../../display/stream.js";
import type { SessionHost } from "../../session/host.js";
import * as widgets from "../../widgets/index.js";
import { button, log } from "../../widgets/knob.js";
import { knobs } from "../../widgets/knobs.js";
import { serveWidgetStates } from "../../widgets/widget.js";
import { loadedTier } from "../library/modules.js";
import { inspect } from "../library/node/util.js";
import { helpInPage } from "../types/help-loader.js";
import { web } from "./web.js";

/** Constants that the build writes into the bundle. */
declare const VERSIONS: { readonly typescript: string };

const absent = (what: string) => (): never => {
  throw new Error(`Cannot ${what}: processes must be there, but a web page has none.`);
};

let helper: ReturnType<typeof helpInPage> | undefined;

/** Names that every cell finds. */
export const provided: Omit<SessionHost["provided"], "typescript"> = {
  kernel: () => ({
    ...api,
    displaySymbol,
    liveSymbol,
    streamChart,
    widgets,
    button,
    knobs,
    log,
    startKernel: absent("start a kernel"),
    KernelClient: absent("connect to a kernel"),
  }),
  versions: () => ({ tslab: "", typescript: VERSIONS.typescript, node: "" }),
  widgets: () => ({ serveWidgetStates }),
  knobs: { knobs, log },
  help(asked, cells) {
    helper ??= helpInPage(web.location.href, {
      kernel: () => provided.kernel(),
      load: loadedTier,
      inspect: (value) => inspect(value, { depth: 0, breakLength: Infinity }),
      cells,
    });
    return helper.about(...asked);
  },
};
