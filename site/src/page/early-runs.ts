/** Property of JupyterLab's `ISessionContext` that shows whether a notebook has its kernel. */
interface SessionContext {
  readonly isReady: boolean;
  /** Resolves when the first kernel is there, and stays so. */
  readonly ready: Promise<void>;
  /** Without a name until the notebook has been read. */
  readonly kernelPreference: { readonly name?: string | null };
}

/** `INotebookCellExecutor.IRunCellOptions` of @jupyterlab/notebook. */
export interface RunCellOptions {
  readonly cell: { readonly model: { readonly type: string }; setPrompt(text: string): void };
  readonly sessionContext?: SessionContext;
}

export type RunCell = (options: RunCellOptions) => Promise<boolean>;

/** Resolves when a notebook of this kernel has it; that of another kernel is left to JupyterLab, which may first ask. */
async function kernelOf(session: SessionContext, kernelName: string, readingMs: number): Promise<void> {
  const patienceEnds = Date.now() + readingMs;
  while (!session.isReady && session.kernelPreference.name == null && Date.now() < patienceEnds)
    await new Promise((resolve) => setTimeout(resolve, 20));
  if (session.kernelPreference.name === kernelName) await session.ready;
}

/**
 * Runs cells as JupyterLab does, but those that are run before their notebook has its kernel then, in their order: JupyterLab drops
 * them without a word, and what they had shown with them. A notebook that names no kernel after `readingMs`, by when it has been read,
 * is left to JupyterLab too.
 */
export function whenKernelIsThere(run: RunCell, kernelName: string, readingMs = 5_000): RunCell {
  const coming = new WeakMap<SessionContext, Promise<void>>();
  return async (options) => {
    const { cell, sessionContext } = options;
    const name = sessionContext?.kernelPreference.name ?? kernelName;
    if (cell.model.type === "code" && sessionContext?.isReady === false && name === kernelName) {
      let kernel = coming.get(sessionContext);
      if (!kernel) coming.set(sessionContext, (kernel = kernelOf(sessionContext, kernelName, readingMs)));
      cell.setPrompt("*");
      await kernel;
    }
    return run(options);
  };
}
