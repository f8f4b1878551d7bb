import { Kernel, type KernelHost } from "turnwise-kernel/internal/front/kernel";
import type {
  LiteKernelObject,
  LiteKernelOptions,
  LiteMessage,
  LiteSignal,
  LiteSignalClass,
} from "./lite.js";
import { PageTransport } from "./page-transport.js";

/** A kernel as JupyterLite wants it. Every message is taken at once, so that sliders and completion do not wait for a cell. */
export class LiteKernel implements LiteKernelObject {
  readonly id: string;
  readonly name: string;
  readonly location: string;
  readonly ready: Promise<void>;
  readonly disposed: LiteSignal;
  isDisposed = false;
  private readonly transport: PageTransport;
  private readonly kernel: Kernel;
  private whenEnded: () => void = () => undefined;

  constructor(
    options: LiteKernelOptions,
    private readonly signals: LiteSignalClass,
    host: Omit<KernelHost, "transport" | "exit">,
  ) {
    this.id = options.id;
    this.name = options.name;
    this.location = options.location;
    this.disposed = new signals(this);
    this.transport = new PageTransport(options.sendMessage);
    this.kernel = new Kernel({ ...host, transport: this.transport, exit: () => this.dispose() });
    this.ready = this.kernel.start();
  }

  handleMessage(message: LiteMessage): Promise<void> {
    if (!this.isDisposed) this.transport.receive(message);
    return Promise.resolve();
  }

  interrupt(): void {
    this.kernel.interrupt();
  }

  /** Calls a function when the kernel has been disposed of. */
  onEnd(then: () => void): void {
    this.whenEnded = then;
  }

  /** JupyterLite disposes of a kernel to shut it down, and to restart it under the same id. */
  dispose(): void {
    if (this.isDisposed) return;
    this.isDisposed = true;
    void this.kernel.end(0, { now: true });
    this.whenEnded();
    this.disposed.emit(undefined);
    this.signals.clearData(this);
  }
}
