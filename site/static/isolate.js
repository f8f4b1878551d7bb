// Runs before JupyterLite. The first time, the page is loaded once more, by way of the service worker, which isolates it; that
// comes before anything large is loaded. Where it cannot be had, the page goes on without.
const mark = "turnwise-isolated";
const site = new URL("./", import.meta.url);
const script = new URL("service-worker.js?enableCache=false", site).href;
let isInUse = false;

async function isolate() {
  const { serviceWorker } = navigator;
  if (!serviceWorker) return;
  // JupyterLite removes a service worker whose version it does not know.
  localStorage.setItem(`${script}-version`, "JUPYTERLITE_VERSION");
  if (serviceWorker.controller && globalThis.crossOriginIsolated) {
    sessionStorage.removeItem(mark);
    return;
  }
  if (sessionStorage.getItem(mark)) return;
  await serviceWorker.register(script);
  await serviceWorker.ready;
  // Whoever has begun to read or write does not lose the page: the next one is isolated.
  if (isInUse) return;
  sessionStorage.setItem(mark, "asked");
  location.reload();
  await new Promise(() => undefined);
}

await Promise.race([
  isolate().catch((error) => console.warn(`turnwise: the page is not isolated: ${error.message}`)),
  new Promise((resolve) => setTimeout(resolve, 10_000)),
]);
isInUse = true;
