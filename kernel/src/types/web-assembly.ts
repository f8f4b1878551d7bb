/** Declarations of WebAssembly, which those of TypeScript have for pages alone. */
export const webAssembly = `declare namespace WebAssembly {
  type BufferSource = ArrayBufferView<ArrayBuffer> | ArrayBuffer;
  type ValueType = "anyfunc" | "externref" | "f32" | "f64" | "i32" | "i64" | "v128";
  type ImportExportKind = "function" | "global" | "memory" | "table" | "tag";
  type ImportValue = Function | Global | Memory | Table | number | bigint;
  type Imports = Record<string, Record<string, ImportValue>>;
  type Exports = Record<string, any>;
  class Module {
    constructor(bytes: BufferSource);
    static exports(module: Module): { name: string; kind: ImportExportKind }[];
    static imports(module: Module): { module: string; name: string; kind: ImportExportKind }[];
    static customSections(module: Module, name: string): ArrayBuffer[];
  }
  class Instance {
    constructor(module: Module, imports?: Imports);
    readonly exports: Exports;
  }
  class Memory {
    constructor(descriptor: { initial: number; maximum?: number; shared?: boolean });
    readonly buffer: ArrayBuffer;
    grow(pages: number): number;
  }
  class Table {
    constructor(descriptor: { element: "anyfunc" | "externref"; initial: number; maximum?: number }, value?: any);
    readonly length: number;
    get(index: number): any;
    set(index: number, value?: any): void;
    grow(by: number, value?: any): number;
  }
  class Global<T = any> {
    constructor(descriptor: { value: ValueType; mutable?: boolean }, value?: T);
    value: T;
    valueOf(): T;
  }
  class CompileError extends Error {}
  class LinkError extends Error {}
  class RuntimeError extends Error {}
  interface WebAssemblyInstantiatedSource { instance: Instance; module: Module }
  function compile(bytes: BufferSource): Promise<Module>;
  function compileStreaming(source: Response | PromiseLike<Response>): Promise<Module>;
  function instantiate(bytes: BufferSource, imports?: Imports): Promise<WebAssemblyInstantiatedSource>;
  function instantiate(module: Module, imports?: Imports): Promise<Instance>;
  function instantiateStreaming(source: Response | PromiseLike<Response>, imports?: Imports): Promise<WebAssemblyInstantiatedSource>;
  function validate(bytes: BufferSource): boolean;
}`;
