"use strict";
// Plain ES2017, like this whole folder: an old Node must be able to parse it to say that it is too old.

const required = [20, 19];

/** The complaint about a Node that is too old, or "" if it is new enough. */
function nodeComplaint(version) {
  const parts = version.replace(/^v/, "").split(".").map(Number);
  const oldEnough = parts[0] > required[0] || (parts[0] === required[0] && parts[1] >= required[1]);
  if (oldEnough) return "";
  return [
    "Cannot start: turnwise needs Node >= " +
      required.join(".") +
      ", but this is " +
      version.replace(/^v/, "") +
      ".",
    "To fix it, install a current Node, for example with one of",
    "  nvm install 22 && nvm use 22",
    "  the installer of nodejs.org",
  ].join("\n");
}

/** Ends the process with that complaint if this Node is too old. */
function requireNode() {
  const complaint = nodeComplaint(process.versions.node);
  if (!complaint) return;
  process.stderr.write(complaint + "\n");
  process.exit(1);
}

module.exports = { nodeComplaint: nodeComplaint, requireNode: requireNode };
