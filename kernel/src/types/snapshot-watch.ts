import { Socket } from "node:net";
import { descendants } from "../process/descendants.js";

// A thread beside the maker of a snapshot, whose main thread waits for Node. The kernel that wants the snapshot holds the
// other end of standard input: when that closes, nobody needs the work any more.
const input = new Socket({ fd: 0, readable: true, writable: false });
input.on("end", endAll);
input.on("error", endAll);
input.resume();

function endAll(): void {
  for (const pid of descendants(process.pid)) {
    try {
      process.kill(pid, "SIGKILL");
    } catch {
      // It has ended in the meantime.
    }
  }
  process.kill(process.pid, "SIGKILL");
}
