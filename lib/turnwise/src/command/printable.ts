/* eslint-disable no-control-regex -- control characters are what is looked for */
const control =
  /\u001B\[[0-?]*[ -/]*[@-~]|[\u0000-\u0009\u000B-\u001F\u007F-\u009F\u202A-\u202E\u2066-\u2069]/g;
/* eslint-enable no-control-regex */

/** Text without control characters but line breaks: what a file of somebody else holds does not command the terminal. */
export const printable = (text: string): string => text.replace(control, "");
