const missing = /^(Cannot find name '([\p{ID_Start}$_][\p{ID_Continue}$]*)'\.)(.*)$/su;

/** The message for a name that no cell has declared, with the cell that would have: cells are run in any order, and some are stopped. */
export function withWhereabouts(message: string, stoppedIn: (name: string) => string | undefined): string {
  const [, said, name, advice] = missing.exec(message) ?? [];
  if (said === undefined || name === undefined) return message;
  const number = /^cell_(\d+)\.ts$/.exec(stoppedIn(name) ?? "")?.[1];
  if (number !== undefined)
    return `${said} Cell [${number}] declares it, but did not run because of its error: correct that and run it first`;
  return advice === "" ? `${said} No cell that has run declares it` : message;
}
