"use strict";

/** An error whose message is meant for the user, with the command that fixes it. */
class Complaint extends Error {
  constructor(message, advice) {
    super(message);
    this.name = "Complaint";
    this.advice = advice || "";
  }
}

function seconds(since) {
  return ((Date.now() - since) / 1000).toFixed(1) + " s";
}

/**
 * Runs one step of a longer job and prints one line for it: title, progress while it runs, result and time.
 * On a terminal the line is rewritten; elsewhere its beginning appears immediately and its end when the step ends.
 */
async function step(title, work, out) {
  const stream = out || process.stdout;
  const started = Date.now();
  const columns = stream.isTTY ? Math.max(20, stream.columns || 80) : 0;
  let note = "";
  const draw = () => {
    const text = title + " ... " + (note ? note + ", " : "") + seconds(started);
    stream.write("\r\x1b[K" + text.slice(0, columns - 1));
  };
  const timer = columns ? setInterval(draw, 200) : undefined;
  if (columns) draw();
  else stream.write(title + " ... ");
  const finish = (text) => {
    if (timer) clearInterval(timer);
    stream.write((columns ? "\r\x1b[K" + title + " ... " : "") + text + "\n");
  };
  try {
    const result = await work((text) => {
      note = text;
    });
    finish((typeof result === "string" && result ? result + ", " : "") + seconds(started));
    return result;
  } catch (error) {
    finish("failed after " + seconds(started));
    throw error;
  }
}

/** Prints an error: a complaint as its sentences, anything else with its stack. */
function report(error, out) {
  const stream = out || process.stderr;
  if (error instanceof Complaint || (error && error.name === "Complaint")) {
    stream.write(error.message + "\n" + (error.advice ? error.advice + "\n" : ""));
  } else {
    stream.write((error && error.stack ? error.stack : String(error)) + "\n");
  }
}

module.exports = { Complaint: Complaint, step: step, report: report };
