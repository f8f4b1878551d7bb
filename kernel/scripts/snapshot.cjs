// Reads the type libraries once for all kernels that will start: see src/types/snapshot.ts.
const { makeSnapshot } = require("../dist/types/snapshot.js");
makeSnapshot();
