/** Text before a cell's code in the global form, in a file of its own so that the session loads no TypeScript. */
export const functionStart = '(async()=>{"use strict";';
/** The same for a cell that is not strict. */
export const sloppyStart = "(async()=>{";
