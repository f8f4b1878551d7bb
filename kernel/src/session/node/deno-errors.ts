import type { DenoErrorName } from "../deno-system.js";

const names: Record<DenoErrorName, readonly string[]> = {
  NotFound: ["ENOENT"],
  PermissionDenied: ["EACCES", "EPERM"],
  AlreadyExists: ["EEXIST"],
  NotADirectory: ["ENOTDIR"],
  IsADirectory: ["EISDIR"],
  InvalidData: ["EINVAL"],
  Busy: ["EBUSY"],
  TimedOut: ["ETIMEDOUT"],
  Interrupted: ["EINTR"],
  ConnectionRefused: ["ECONNREFUSED"],
  BadResource: ["EBADF"],
};

/** Deno's classes of errors. */
export const errors = Object.fromEntries(
  Object.keys(names).map((name) => {
    const kind = class extends Error {
      override name = name;
    };
    Object.defineProperty(kind, "name", { value: name });
    return [name, kind];
  }),
) as unknown as Record<DenoErrorName, new (message?: string) => Error>;

/** The same error, which `instanceof` takes for one of Deno's. */
export function asDeno(error: unknown): unknown {
  const { code } = error as NodeJS.ErrnoException;
  const [name] = Object.entries(names).find(([, codes]) => code !== undefined && codes.includes(code)) ?? [];
  if (name === undefined) return error;
  Object.setPrototypeOf(error, errors[name as DenoErrorName].prototype as object);
  return Object.assign(error as Error, { name });
}

/** A function that throws Deno's errors where Node's would come. */
export function throwing<A extends unknown[], R>(run: (...given: A) => R): (...given: A) => R {
  return (...given) => {
    try {
      return run(...given);
    } catch (error) {
      throw asDeno(error);
    }
  };
}
