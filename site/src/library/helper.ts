import { serveHelp } from "turnwise/browser/helper";

/** The script of a worker that helps large networks. */
serveHelp();
