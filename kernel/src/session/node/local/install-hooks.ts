import Module from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { MessageChannel, receiveMessageOnPort } from "node:worker_threads";
import { named } from "./addresses.js";
import {
  LocalHooks,
  type HookData,
  type HookNote,
  type HookOrder,
  type Loaded,
  type Resolved,
} from "./hooks.js";

type Context = Parameters<LocalHooks["resolve"]>[1];

const hookThread = pathToFileURL(join(__dirname, "hook-thread.js")).href;

/** Hooks that are installed. */
export interface Installed {
  order(order: HookOrder): void;
  /** The notes since the last call. */
  notes(): HookNote[];
}

interface Hooking {
  registerHooks?(hooks: {
    resolve(
      specifier: string,
      context: Context,
      next: (specifier: string, context: Context) => Resolved,
    ): Resolved;
    load(url: string, context: object, next: (url: string, context: object) => Loaded): Loaded;
  }): void;
}

/** Installs the hooks for local modules: in this thread where Node can do that, or else in one beside it. */
export function installHooks(data: HookData): Installed {
  const { registerHooks } = Module as unknown as Hooking;
  return registerHooks ? inThread(data, registerHooks) : besideThread(data);
}

/** Installs them in a thread or a process that a cell has started with a TypeScript file. */
export function installThreadHooks(folder: string): void {
  const data: HookData = { folder, provided: {}, isThread: true };
  const { registerHooks } = Module as unknown as Hooking;
  if (registerHooks) inThread(data, registerHooks);
  else Module.register(hookThread, { data });
}

function inThread(data: HookData, registerHooks: NonNullable<Hooking["registerHooks"]>): Installed {
  let noted: HookNote[] = [];
  const hooks = new LocalHooks(data, (note) => noted.push(note));
  registerHooks({
    resolve(written, context, ofNode) {
      const specifier = named(written, context.parentURL);
      const local = hooks.resolve(specifier, context);
      if (local) return local;
      try {
        return hooks.resolved(ofNode(specifier, context), specifier, context);
      } catch (error) {
        const elsewhere = hooks.elsewhere(error, specifier, context);
        if (!elsewhere) throw error;
        return ofNode(...elsewhere);
      }
    },
    load: (url, context, ofNode) => hooks.load(url) ?? hooks.loaded(ofNode(url, context), url),
  });
  return {
    order: (order) => hooks.obey(order),
    notes: () => {
      const all = noted;
      noted = [];
      return all;
    },
  };
}

function besideThread(data: HookData): Installed {
  const { port1, port2 } = new MessageChannel();
  port1.unref();
  Module.register(hookThread, {
    data: { ...data, port: port2 },
    transferList: [port2],
  });
  return {
    order: (order) => port1.postMessage(order),
    notes: () => {
      const all: HookNote[] = [];
      for (let one = receiveMessageOnPort(port1); one; one = receiveMessageOnPort(port1))
        all.push((one as { message: HookNote }).message);
      return all;
    },
  };
}
