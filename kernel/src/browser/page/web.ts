/** A worker of the page. */
export interface WebWorker {
  postMessage(message: unknown, transfer?: unknown[]): void;
  terminate(): void;
  onmessage: ((event: { data: unknown }) => void) | null;
  onerror: ((event: { message?: string }) => void) | null;
}

/** What a page has and Node has not, as far as this room uses it. */
export const web = globalThis as unknown as {
  Worker: new (url: string) => WebWorker;
  crossOriginIsolated: boolean;
  document: { currentScript: { src: string } | null };
  navigator: {
    userAgent: string;
    serviceWorker?: { controller: { postMessage(message: unknown): void } | null };
  };
  _JUPYTERLAB: Record<string, unknown>;
};

/** Tells the site's service worker something, where there is one. */
export function tellServiceWorker(message: unknown): void {
  web.navigator.serviceWorker?.controller?.postMessage(message);
}
