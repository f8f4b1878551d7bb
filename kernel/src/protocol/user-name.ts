import { userInfo } from "node:os";

let cachedUser: string | undefined;

/** The name of who runs this process, as headers of messages give it. */
export function userName(): string {
  if (cachedUser === undefined) {
    try {
      cachedUser = userInfo().username;
    } catch {
      // A container may run under a user id without an entry in the user database.
      cachedUser = "kernel";
    }
  }
  return cachedUser;
}
