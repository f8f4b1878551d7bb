import { setUp } from "turnwise/browser";
import { serveJobs } from "turnwise/browser/jobs";
import { HandedStore, isHanded } from "./handedFiles.js";
import { setUpJobs } from "./setUp.js";

interface JobScope {
  readonly location: { readonly href: string };
  postMessage(message: unknown): void;
  addEventListener(type: "message", heard: (event: JobEvent) => void): void;
}

interface JobEvent {
  readonly data: unknown;
  stopImmediatePropagation(): void;
}

/** The script of a worker that runs jobs of sweeps: its address says where the site lies. */
const scope = globalThis as unknown as JobScope;
const { searchParams } = new URL(scope.location.href);
const own = new HandedStore((message) => scope.postMessage(message));
setUpJobs({
  base: searchParams.get("base") ?? "/",
  location: searchParams.get("location") ?? "",
  relaxed: searchParams.get("relaxed") !== "false",
  own,
});
scope.addEventListener("message", (event) => {
  if (!isHanded(event.data)) return;
  // It is no job.
  event.stopImmediatePropagation();
  own.take(event.data);
  const { folder } = event.data;
  if (folder !== undefined) setUp({ folder });
});
serveJobs();
