/** The writer of PDF files needs Node's own modules. */
export function pdfOf(): Promise<Uint8Array> {
  throw new RangeError(
    "Cannot save a chart as .pdf: that needs Node.js. In a browser, save it as .svg or .png.",
  );
}
