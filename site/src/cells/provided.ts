import * as api from "turnwise-kernel/internal/display/api";
import { displaySymbol } from "turnwise-kernel/internal/display/bundle";
import { liveSymbol } from "turnwise-kernel/internal/display/live";
import { streamChart } from "turnwise-kernel/internal/display/stream";
import type { SessionHost } from "turnwise-kernel/internal/session/host";
import { broadcast, createComm, registerTarget } from "turnwise-kernel/internal/widgets/comms";
import * as widgets from "turnwise-kernel/internal/widgets/index";
import { button, log } from "turnwise-kernel/internal/widgets/knob";
import { knobs } from "turnwise-kernel/internal/widgets/knobs";
import { serveWidgetStates, takeWidget } from "turnwise-kernel/internal/widgets/front-end";
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
    broadcast,
    createComm,
    registerTarget,
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
  widgets: () => ({ serveWidgetStates, takeWidget }),
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
