import { inputNow } from "./api.js";

/** Asks for a line of text and waits for it, as in a browser: no `await` is needed. An empty answer is the second argument. */
export function prompt(message = "", initial = ""): string {
  const answer = inputNow(initial === "" ? `${message} ` : `${message} [${initial}] `);
  return answer === "" ? initial : answer;
}

/** Asks a question that is answered by yes or no, and waits for it. Anything but a `y` or `yes` is no. */
export function confirm(message = ""): boolean {
  return /^\s*y(es)?\s*$/i.test(inputNow(`${message} [y/N] `));
}

/** Shows a message and waits until it is read. */
export function alert(message = ""): void {
  inputNow(`${message} [Enter] `);
}
