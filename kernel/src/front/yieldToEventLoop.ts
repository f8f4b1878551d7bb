/** Calls a function in a later turn of the event loop, without the wait of a timer; a page has no `setImmediate`. */
export const yieldToEventLoop: (act: () => void) => void =
  typeof setImmediate === "function"
    ? (act) => void setImmediate(act)
    : (act) => {
        const { port1, port2 } = new MessageChannel();
        Object.assign(port1, { onmessage: () => (port1.close(), act()) });
        port2.postMessage(0);
      };
