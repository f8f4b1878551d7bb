import type { Case } from "./case";
import type { Progress } from "./messages";

/** The meaning of the command's exit code, in words. */
export const verdicts: Readonly<Record<number, string>> = {
  0: "Checked: success did not fall",
  3: "Success fell",
  4: "Cannot tell whether success fell",
};

const units = ["bytes", "kB", "MB", "GB", "TB"];

/** A number of bytes for a reader: "1.2 MB". */
export function bytesInWords(bytes: number): string {
  const power = bytes < 1000 ? 0 : Math.min(units.length - 1, Math.floor(Math.log10(bytes) / 3));
  const number = bytes / 1000 ** power;
  return `${power === 0 ? number : number.toPrecision(3)} ${units[power]!}`;
}

export const progressInWords = ({ path, read, size }: Progress): string =>
  `Reading ${path}: ${bytesInWords(read)} of ${bytesInWords(size)}`;

/** A name as a shell takes it. */
const quoted = (name: string): string =>
  /^[\w./@%+=:,-]+$/.test(name) ? name : `'${name.replaceAll("'", "'\\''")}'`;

/** The command that makes the same page. */
export const commandOf = (
  targets: readonly string[],
  { compare, optimum, map }: Omit<Case, "files">,
): string =>
  [
    "npx turnwise doctor",
    ...targets.map(quoted),
    ...(compare ? ["--compare"] : []),
    ...(optimum === undefined ? [] : [`--optimum ${optimum}`]),
    ...map.map((pair) => `--map ${quoted(pair)}`),
  ].join(" ");
