import { strict } from "./assert.js";

/** Replacement of Node's `assert/strict` in cells of a page. */
export const { AssertionError, deepEqual, doesNotMatch, doesNotReject, doesNotThrow, equal, fail } = strict;
export const { ifError, match, notDeepEqual, notEqual, ok, rejects, throws } = strict;
export const { deepStrictEqual, notDeepStrictEqual, notStrictEqual, strictEqual } = strict;
export default strict;
