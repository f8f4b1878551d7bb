/** The writer of PDF files needs Node's own modules. */
export function pdfOf(): Promise<Uint8Array> {
  throw new RangeError(
    "Cannot save a chart as .pdf as it must run in Node.js for that: in a browser, save it as .svg or .png",
  );
}
