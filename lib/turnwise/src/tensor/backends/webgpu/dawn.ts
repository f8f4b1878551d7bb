/** Parts of WebGPU that we use, as the package `webgpu` (Dawn) implements it. */
export interface Gpu {
  requestAdapter(o?: unknown): Promise<Adapter | null>;
}

export interface Adapter {
  readonly info?: {
    readonly vendor?: string;
    readonly description?: string;
    readonly isFallbackAdapter?: boolean;
  };
}

export interface MappableBuffer {
  readonly size: number;
  readonly mapState: "unmapped" | "pending" | "mapped";
  mapAsync(mode: number): Promise<void>;
  getMappedRange(): ArrayBuffer;
  unmap(): void;
}

export interface Dawn {
  create(flags: readonly string[]): Gpu;
  /** The names that a browser has globally, such as `GPUBufferUsage`. */
  readonly globals: Readonly<Record<string, unknown>> & {
    readonly GPUBuffer: { readonly prototype: MappableBuffer };
    readonly GPUAdapter: { readonly prototype: { requestDevice(o?: unknown): Promise<unknown> } };
    readonly GPU?: unknown;
  };
}
