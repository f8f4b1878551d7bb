/** A browser's channel, which Node's types do not know. */
interface Channel {
  readonly port1: { onmessage: (() => void) | null };
  readonly port2: { postMessage(message: unknown): void };
}

let channel: Channel | undefined;
const waiting: (() => void)[] = [];

/** Gives the event loop one turn; a browser's timers would wait for milliseconds. */
export function yieldToEventLoop(): Promise<void> {
  return new Promise((resolve) => {
    if (typeof setImmediate === "function") {
      setImmediate(resolve);
      return;
    }
    channel ??= opened();
    waiting.push(resolve);
    channel.port2.postMessage(0);
  });
}

function opened(): Channel {
  const { MessageChannel } = globalThis as unknown as { MessageChannel: new () => Channel };
  const made = new MessageChannel();
  made.port1.onmessage = () => waiting.shift()?.();
  return made;
}
