type Listener = (value: unknown) => void;

/**
 * Listens to events of the process for good: a cell may add listeners of its own and remove them all, as tests of libraries
 * do, but an error that nobody awaits must not end the session.
 */
export function keepListening(listeners: Record<string, Listener>): void {
  const listen = (): void => {
    for (const [event, listener] of Object.entries(listeners)) {
      if (!process.listeners(event as "exit").includes(listener as never)) process.on(event, listener);
    }
  };
  for (const name of ["removeAllListeners", "removeListener", "off"] as const) {
    const remove = process[name].bind(process) as (...args: unknown[]) => unknown;
    Object.defineProperty(process, name, {
      value: (...args: unknown[]) => {
        remove(...args);
        listen();
        return process;
      },
      writable: true,
      configurable: true,
    });
  }
  listen();
}
