// Any name may be imported, so that the module itself answers where it is now.
// eslint-disable-next-line @typescript-eslint/no-explicit-any
declare const moved: any;
export = moved;
