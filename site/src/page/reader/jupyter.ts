// What of JupyterLab 4 the reader's commands use, and no more.

export interface LabCell {
  readonly node: { scrollIntoView(o: object): void };
  readonly model: {
    readonly id: string;
    readonly type: string;
    readonly sharedModel: { getSource(): string };
    getMetadata(key: string): unknown;
  };
  addClass(name: string): void;
}

type StateHeard = (sender: unknown, change: { name: string; newValue: unknown }) => void;

interface StateSignal {
  connect(heard: StateHeard): unknown;
  disconnect(heard: StateHeard): unknown;
}

export interface NotebookPanel {
  readonly context: {
    readonly path: string;
    readonly pathChanged: { connect(heard: () => void): unknown };
    readonly ready: Promise<void>;
    readonly model: {
      dirty: boolean;
      readonly stateChanged: StateSignal;
      toJSON(): unknown;
    };
    revert(): Promise<void>;
    save(): Promise<void>;
  };
  readonly content: {
    readonly widgets: readonly LabCell[];
    readonly activeCell: LabCell | null;
    activeCellIndex: number;
    readonly model: {
      readonly sharedModel: {
        insertCell(
          at: number,
          cell: { cell_type: "code"; source: string; metadata: Record<string, unknown> },
        ): unknown;
      };
    } | null;
    scrollToItem(at: number): Promise<void>;
  };
}

/** `INotebookTracker` of @jupyterlab/notebook. */
export interface NotebookTracker {
  readonly currentWidget: NotebookPanel | null;
  forEach(visit: (panel: NotebookPanel) => void): void;
  readonly widgetAdded: { connect(heard: (sender: unknown, panel: NotebookPanel) => void): unknown };
  readonly currentChanged: { connect(heard: () => void): unknown };
}

export interface Commands {
  addCommand(
    id: string,
    o: { label: string; caption: string; execute: () => unknown; isEnabled: () => boolean; icon?: unknown },
  ): unknown;
  execute(id: string, o?: object): Promise<unknown>;
  notifyCommandChanged(): void;
}

/** `ICommandPalette` of @jupyterlab/apputils. */
export interface CommandPalette {
  addItem(o: { command: string; category: string }): unknown;
}

/** Dialogs: questions and messages to the user. */
export interface Dialogs {
  showDialog(o: {
    title: string;
    body: unknown;
    buttons: unknown[];
  }): Promise<{ button: { accept: boolean } }>;
  showErrorMessage(title: string, error: { message: string }): Promise<void>;
  readonly Dialog: Record<"cancelButton" | "okButton" | "warnButton", (o?: { label: string }) => unknown>;
  readonly Notification: { success(text: string, o: { autoClose: number }): unknown };
}

export type WidgetClass = new (o: { node: unknown }) => unknown;
