import { serveJobs } from "turnwise/browser/jobs";
import { setUpJobs } from "./setUp.js";

/** The script of a worker that runs jobs of sweeps: its address says where the site lies. */
const { searchParams } = new URL((globalThis as unknown as { location: { href: string } }).location.href);
setUpJobs({
  base: searchParams.get("base") ?? "/",
  location: searchParams.get("location") ?? "",
  relaxed: searchParams.get("relaxed") !== "false",
});
serveJobs();
