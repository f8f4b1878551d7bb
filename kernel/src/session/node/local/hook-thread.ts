import { receiveMessageOnPort, type MessagePort } from "node:worker_threads";
import { named } from "./addresses.js";
import { LocalHooks, type HookData, type HookOrder, type Loaded, type Resolved } from "./hooks.js";

// Run by Node in a thread of its own, where it has no hooks for the thread itself.

type Context = Parameters<LocalHooks["resolve"]>[1];

let hooks: LocalHooks;
let orders: MessagePort | undefined;

export function initialize({ port, ...data }: HookData & { port?: MessagePort }): void {
  orders = port;
  port?.unref();
  hooks = new LocalHooks(data, (note) => port?.postMessage(note));
}

/** Takes what has come since: the importing thread has said it before it has asked. */
function hear(): void {
  for (let one = next(); one; one = next()) hooks.obey(one.message as HookOrder);
}

const next = (): { message: unknown } | undefined => orders && receiveMessageOnPort(orders);

export async function resolve(
  written: string,
  context: Context,
  ofNode: (specifier: string, context: Context) => Promise<Resolved>,
): Promise<Resolved> {
  hear();
  const specifier = named(written, context.parentURL);
  const local = hooks.resolve(specifier, context);
  if (local) return local;
  try {
    return hooks.resolved(await ofNode(specifier, context), specifier, context);
  } catch (error) {
    const elsewhere = hooks.elsewhere(error, specifier, context);
    if (!elsewhere) throw error;
    return ofNode(...elsewhere);
  }
}

export async function load(
  url: string,
  context: object,
  ofNode: (url: string, context: object) => Promise<Loaded>,
): Promise<Loaded> {
  hear();
  return hooks.load(url) ?? hooks.loaded(await ofNode(url, context), url);
}
