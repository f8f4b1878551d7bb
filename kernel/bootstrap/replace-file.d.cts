/**
 * Writes a file so that a failure, a full disk or a kill leaves either all of the old content or all of the new.
 *
 * @param mode the permissions of a file that is not there yet. Default: 0o666, less what the user's mask takes away.
 * @throws {Complaint} if the file cannot be written; it is then as it was, or the message names the copy of what was there
 */
export function replaceFile(file: string, content: string | Uint8Array, mode?: number): void;
