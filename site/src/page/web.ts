/** A worker of the page. */
export interface WebWorker {
  postMessage(message: unknown, transfer?: unknown[]): void;
  terminate(): void;
  onmessage: ((event: { data: unknown }) => void) | null;
  onerror: ((event: { message?: string }) => void) | null;
}

/** Tells all pages of a site but this one. */
export interface Channel {
  postMessage(message: unknown): void;
  onmessage: ((event: { data: unknown }) => void) | null;
}

/** An element of the page, with what some of them have. */
export interface WebElement {
  textContent: string | null;
  className: string;
  tabIndex: number;
  href: string;
  download: string;
  value: string;
  readOnly: boolean;
  rows: number;
  onfocus: (() => void) | null;
  append(...elements: WebElement[]): void;
  setAttribute(name: string, value: string): void;
  click(): void;
  select(): void;
}

/** A link of the page. */
export interface WebLink {
  href: string;
  target: string;
  closest(selector: string): WebLink | null;
}

/** An event of a pointer or of the keyboard, as far as links need it. */
interface WebEvent {
  readonly target: unknown;
  readonly button?: number;
  readonly ctrlKey?: boolean;
  readonly metaKey?: boolean;
  readonly shiftKey?: boolean;
  readonly altKey?: boolean;
  preventDefault(): void;
  stopImmediatePropagation(): void;
}

/** Tells when an element comes into sight. */
interface Sight {
  observe(element: WebElement): void;
  disconnect(): void;
}

/** Globals of a page that Node does not have, as far as this folder uses them. */
export const web = globalThis as unknown as {
  Worker: new (url: string) => WebWorker;
  BroadcastChannel?: new (name: string) => Channel;
  IntersectionObserver: new (
    told: (entries: readonly { readonly isIntersecting: boolean }[]) => void,
    options: { readonly rootMargin: string; readonly scrollMargin: string },
  ) => Sight;
  crossOriginIsolated: boolean;
  document: {
    currentScript: { src: string } | null;
    head: WebElement;
    createElement(name: string): WebElement;
    addEventListener(
      type: "click" | "pointerdown" | "focusin" | "contextmenu" | "wheel" | "keydown",
      heard: (event: WebEvent) => void,
      capture: true,
    ): void;
  };
  location: { readonly href: string; assign(url: string): void };
  localStorage: { getItem(key: string): string | null; setItem(key: string, value: string): void };
  history: { readonly state: unknown; replaceState(state: unknown, unused: "", url: string): void };
  addEventListener(type: "hashchange", heard: (event: { newURL: string }) => void): void;
  navigator: {
    userAgent: string;
    clipboard?: { writeText(text: string): Promise<void> };
    serviceWorker?: { controller: { postMessage(message: unknown): void } | null };
  };
  _JUPYTERLAB: Record<string, unknown>;
};

/** Tells the site's service worker something, where there is one. */
export function tellServiceWorker(message: unknown): void {
  web.navigator.serviceWorker?.controller?.postMessage(message);
}
