import { installNodeGlobals } from "./globals.js";
import type { ControlCommand, SessionCommand } from "turnwise-kernel/internal/session/messages";
import { CellSession } from "turnwise-kernel/internal/session/session";
import { folderOf } from "../shared/folder.js";
import { pageHost } from "./host.js";
import { Mail } from "./mail.js";
import { StopSignal } from "./stop.js";
import { membersOf } from "./variables.js";
import { PageStore } from "../library/pageStore.js";
import { readLibrary } from "../library/modules.js";
import { setUpLibrary } from "../library/setUp.js";
import { web, type CellsStart } from "./web.js";

// The worker of a page that runs its cells: the session of Node's kernel in other surroundings.

Error.stackTraceLimit = 50;

let kept: PageStore | undefined;
let session: ((command: SessionCommand, buffers: readonly Uint8Array[], mail?: number) => void) | undefined;
let control: (command: ControlCommand) => void = () => undefined;

web.onmessage = ({ data }) => {
  if ("start" in data) start(data.start);
  else if ("files" in data) kept?.hear(data.files);
  else if ("control" in data) control(data.control);
  else session?.(data.command, data.buffers ?? [], data.mail);
};

function start({ base, location, files, readAhead, ...shared }: CellsStart): void {
  const folder = folderOf(location);
  installNodeGlobals();
  if (files) kept = new PageStore((written) => web.postMessage({ files: written }));
  const onSource = (path: string, text: string | undefined): void =>
    web.postMessage({ source: { path, text } });
  setUpLibrary({ base, location, onSource, ...(kept && { kept }) });
  const stop = new StopSignal(shared);
  const mail = new Mail(shared.mail);
  const cells = new CellSession(stop.state, pageHost({ folder, base, stop, mail }));
  cells.pollCommands = () => {
    for (let command = mail.next(); command; command = mail.next()) cells.onCommand(command, []);
  };
  if (readAhead) readLibrary();
  session = (command, buffers, serial) => {
    if (command.t === "execute") stop.cells++;
    if (serial !== undefined && mail.wasTaken(serial)) return;
    cells.onCommand(
      command,
      buffers.map((bytes) => Buffer.from(bytes)),
    );
  };
  control = (command) => {
    switch (command.t) {
      case "interrupt": {
        const { serial: started } = command;
        const isForIt = stop.hear(started, cells.isRunning);
        return cells.onBridge({ t: "interrupt", started, ...(!isForIt && { earlier: true }) });
      }
      case "members":
        return web.postMessage({
          controlReport: { t: "members", id: command.id, names: membersOf(command.expression) },
        });
      case "debug":
        return;
      case "taken":
        // Messages to a worker are not lost: nothing ends it in the middle of one.
        return;
      default:
        command satisfies never;
    }
  };
  web.addEventListener("error", (event) => {
    event.preventDefault();
    cells.onStrayError(event.error ?? new Error(event.message));
  });
  web.addEventListener("unhandledrejection", (event) => {
    event.preventDefault();
    cells.onStrayError(event.reason);
  });
}
