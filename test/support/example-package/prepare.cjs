"use strict";

/** What `turnwise install` does for this package: nothing, and says so. */
exports.prepare = () => Promise.resolve("shapes need nothing");
