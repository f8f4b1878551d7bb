import { DoctorWorker } from "./doctorWorker";

/** Texts of sample runs by name, each with its files by path. */
type Samples = Readonly<Record<string, Readonly<Record<string, string>>>>;

export interface Parts {
  readonly worker: DoctorWorker;
  readonly samples: Promise<Samples>;
}

const textOf = async <T>(name: string): Promise<T> =>
  ((await import(new URL(name, document.baseURI).href)) as { readonly default: T }).default;

/** Loads what comes after the first picture: the doctor itself, and the samples. */
export function loadParts(): Parts {
  const samples = textOf<Samples>("samples.js");
  samples.catch(() => undefined);
  return { worker: new DoctorWorker(() => textOf<string>("worker.js")), samples };
}
