"use strict";
exports.cubeVolume = (side) => side ** 3;
