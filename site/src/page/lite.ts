import type { JsonObject } from "turnwise-kernel/internal/protocol/message";

// What of JupyterLite 0.8 this room uses, and no more: the types of its own packages would bring JupyterLab's with them.

/** A message as JupyterLab's front end has it. */
export interface LiteMessage {
  channel: string;
  header: Record<string, unknown>;
  parent_header: Record<string, unknown>;
  metadata: JsonObject;
  content: JsonObject;
  buffers?: (ArrayBuffer | ArrayBufferView)[];
}

export interface LiteKernelOptions {
  readonly id: string;
  readonly name: string;
  /** The folder of the notebook, as the contents name it. */
  readonly location: string;
  readonly sendMessage: (message: LiteMessage) => void;
}

/** A signal of Lumino. */
export interface LiteSignal {
  emit(value: unknown): void;
}

export type LiteSignalClass = (new (sender: unknown) => LiteSignal) & { clearData(sender: unknown): void };

/** `IKernel` of @jupyterlite/services. */
export interface LiteKernelObject {
  readonly id: string;
  readonly name: string;
  readonly location: string;
  readonly ready: Promise<void>;
  readonly disposed: LiteSignal;
  readonly isDisposed: boolean;
  handleMessage(message: LiteMessage): Promise<void>;
  dispose(): void;
}

/** `IKernelSpecs` of @jupyterlite/services. */
export interface LiteKernelSpecs {
  register(o: { spec: JsonObject; create: (options: LiteKernelOptions) => Promise<LiteKernelObject> }): void;
}

/** `IKernelClient` of @jupyterlite/services. */
export interface LiteKernelClient {
  interrupt(id: string): Promise<void>;
}
