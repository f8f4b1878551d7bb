"use strict";

exports.examine = () => [{ state: "ok", text: "The example draws squares" }];
