import { setUp } from "turnwise/browser";
import { displaySymbol } from "turnwise/internal/base/display";
import { readFile } from "turnwise-practice/internal/doctor/read";
import { DoctorReport } from "turnwise-practice/internal/doctor/report";
import { pageOf } from "turnwise-practice/internal/doctor/pageOf";
import type { OwnNames } from "turnwise-practice/internal/logs/names";
import { GivenFiles, type ReadPiece } from "./givenFiles";
import type { Answer, Examination, GivenFile } from "./messages";

/** The names that the command would be given: the files and folders at the top. */
const targetsOf = (files: readonly GivenFile[]): string[] => [
  ...new Set(files.map(({ path }) => path.split("/")[0]!)),
];

/** The name and the metric of a pair, as the command takes it apart: a name may hold "=". */
const pairOf = (pair: string): [string, string] => {
  const [name, metric = ""] = pair.split(/=(?=[^=]*$)/);
  return [name!, metric];
};

/** Examines a run as the command does. */
export async function examine(
  { id, files, optimum, map = [], compare }: Examination,
  readPiece: ReadPiece,
  answer: (answer: Answer) => void,
): Promise<void> {
  const store = (given: readonly GivenFile[]): void => {
    const read = (path: string, read: number, size: number): void =>
      answer({ kind: "progress", id, path, read, size });
    setUp({ files: new GivenFiles(given, readPiece, read), folder: "/" });
  };
  try {
    store(files);
    const named: GivenFile[] = [];
    for (const one of files) named.push(one.isPasted ? await namedByKind(one, store) : one);
    store(named);
    const options = {
      ...(optimum !== undefined && { optimum }),
      // What a name stands for is checked by the doctor, which knows the metrics.
      ...(map.length > 0 && { map: Object.fromEntries(map.map(pairOf)) as OwnNames }),
    };
    const page = await pageOf(targetsOf(named), options, compare);
    const reports = page instanceof DoctorReport ? [page] : [page.a, page.b];
    answer({
      kind: "page",
      id,
      code: page.code,
      headline: String(page).split("\n")[0]!,
      text: String(page),
      part: String(page[displaySymbol]()["text/html"]),
      document: page.toHtml(),
      sections: [
        ...new Set(reports.flatMap(({ causes }) => causes.slice(0, 3).map(({ section }) => section))),
      ],
    });
  } catch (error) {
    const isRefusal =
      error instanceof RangeError || error instanceof TypeError || error instanceof SyntaxError;
    const message = error instanceof Error ? error.message : String(error);
    answer({ kind: isRefusal ? "refused" : "failed", id, message });
  }
}

/** Pasted text under the name of a launch script, if it is one and no log. */
async function namedByKind(
  { path, file }: GivenFile,
  store: (files: readonly GivenFile[]) => void,
): Promise<GivenFile> {
  const named = (end: string): GivenFile => ({ path: path.replace(/\.log$/, end), file });
  for (const end of [".log", ".sh"]) {
    store([named(end)]);
    if ((await readFile(named(end).path, {})).kind !== "foreign") return named(end);
  }
  return named(".log");
}
