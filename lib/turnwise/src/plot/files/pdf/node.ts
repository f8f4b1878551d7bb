import { fileOf } from "#assets";
import { fontFiles } from "../fonts";

/** Parts of PDFKit that we use, which has no types of its own. */
interface PdfDocument {
  registerFont(name: string, file: string): this;
  on(event: "data", listener: (chunk: Uint8Array) => void): this;
  on(event: "end", listener: () => void): this;
  end(): void;
}

type PdfKit = new (options: object) => PdfDocument;
type SvgToPdf = (document: PdfDocument, svg: string, x: number, y: number, options: object) => void;

/**
 * An SVG document as a PDF of one page of its size, with text as text.
 *
 * @param title what readers of the file see as its title
 */
export async function pdfOf(svg: string, title: string): Promise<Uint8Array> {
  // Loaded here and not above: a second of work that most programs never need.
  // eslint-disable-next-line @typescript-eslint/no-require-imports
  const PDFDocument = require("pdfkit") as PdfKit;
  // eslint-disable-next-line @typescript-eslint/no-require-imports
  const draw = require("svg-to-pdfkit") as SvgToPdf;
  const [width, height] = sizeOf(svg);
  const document = new PDFDocument({ size: [width, height], margin: 0, info: { Title: title } });
  for (const [name, file] of Object.entries(fontFiles)) document.registerFont(name, fileOf(file));
  const chunks: Uint8Array[] = [];
  const written = new Promise<void>((resolve) =>
    document.on("data", (part) => chunks.push(part)).on("end", resolve),
  );
  // A dash without a gap is a line, which PDFKit refuses to draw as a dash.
  draw(document, svg.replaceAll(/ stroke-dasharray="[\d.]+,0"/g, ""), 0, 0, {
    width,
    height,
    assumePt: true,
    fontCallback: (_family: string, bold: boolean) => (bold ? "bold" : "regular"),
  });
  document.end();
  await written;
  return Buffer.concat(chunks);
}

function sizeOf(svg: string): [width: number, height: number] {
  const of = (name: string): number => Number(new RegExp(`<svg[^>]*\\s${name}="([\\d.]+)"`).exec(svg)?.[1]);
  return [of("width"), of("height")];
}
