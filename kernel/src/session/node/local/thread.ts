import { installThreadHooks } from "./install-hooks.js";
import { runTypeScriptInThreads } from "./typescript-threads.js";

// Loaded by Node before the entry of a thread or process that is TypeScript. Its errors point into the file as it was written.
process.setSourceMapsEnabled(true);
installThreadHooks(process.cwd());
runTypeScriptInThreads();
