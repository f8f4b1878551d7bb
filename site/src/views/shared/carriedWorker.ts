/** Made when a module for notebooks is built: the script of its view's worker. */
declare const VIEW_WORKER: string;

/** Starts the worker that the module brings along: a front end has no file of this site, and VS Code's policy takes no worker from a blob. */
export const carriedWorker = (): Worker =>
  new Worker(`data:text/javascript,${encodeURIComponent(VIEW_WORKER)}`, { type: "module" });
