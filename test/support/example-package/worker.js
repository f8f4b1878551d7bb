"use strict";
exports.workerEntry = () => {};
