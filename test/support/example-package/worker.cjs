"use strict";
exports.workerEntry = () => undefined;
