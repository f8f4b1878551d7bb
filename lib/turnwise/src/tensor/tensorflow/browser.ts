import * as doubles from "../float64/doubles";

/** The same in a page, which has no `require`: a site puts a stand-in there that fetches it when it is first used. */
export const tensorflow = (): typeof doubles => doubles;
