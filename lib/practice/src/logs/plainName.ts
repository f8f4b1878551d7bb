/** A name as it may be shown: without the control characters that a terminal obeys, and of at most so many characters. */
export function plainName(name: string, most = 200): string {
  const plain = printable(name).replace(/\n/g, " ");
  return plain.length > most ? `${plain.slice(0, most)}…` : plain;
}

/* eslint-disable no-control-regex -- control characters are what is looked for */
const control =
  /\u001B\[[0-?]*[ -/]*[@-~]|\u001B\][^\u0007\u001B]*(?:\u0007|\u001B\\)?|[\u0000-\u0009\u000B-\u001F\u007F-\u009F\u202A-\u202E\u2066-\u2069]/g;
/* eslint-enable no-control-regex */

/** Text without control characters but line breaks: no escape code of a log reaches a terminal. */
export const printable = (text: string): string => text.replace(control, "");
