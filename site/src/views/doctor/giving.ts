import { h, type ComponentChild } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { chosen } from "./gather";
import type { GivenFile } from "./messages";

interface GivingProps {
  readonly isEmpty: boolean;
  readonly add: (files: readonly GivenFile[]) => void;
  readonly takeDropped: (data: DataTransfer | null) => void;
  readonly sample: (name: string) => void;
}

/** Whether the reader can drag files into the page: a finger cannot. */
const canDrop = (): boolean => !matchMedia("(hover: none) and (pointer: coarse)").matches;

/** The place to drop files, and all other ways to give some. */
export function Giving({ isEmpty, add, takeDropped, sample }: GivingProps): ComponentChild {
  const [isOver, setOver] = useState(false);
  const [isPasting, setPasting] = useState(false);
  const files = useRef<HTMLInputElement>(null);
  const folder = useRef<HTMLInputElement>(null);
  const text = useRef<HTMLTextAreaElement>(null);
  useEffect(() => {
    // Files dropped beside the box are meant for it, too: else the browser would leave the page to show them.
    const over = (event: DragEvent): void => {
      event.preventDefault();
      setOver(true);
    };
    const out = (event: DragEvent): void => {
      if (event.relatedTarget === null) setOver(false);
    };
    const drop = (event: DragEvent): void => {
      event.preventDefault();
      setOver(false);
      takeDropped(event.dataTransfer);
    };
    addEventListener("dragover", over);
    addEventListener("dragleave", out);
    addEventListener("drop", drop);
    return () => {
      removeEventListener("dragover", over);
      removeEventListener("dragleave", out);
      removeEventListener("drop", drop);
    };
  });
  useEffect(() => {
    if (isPasting) text.current?.focus();
  }, [isPasting]);
  const picked = (event: Event): void => {
    const input = event.currentTarget as HTMLInputElement;
    const list = chosen(Array.from(input.files ?? []));
    // The same file may be chosen again, after it has changed.
    input.value = "";
    add(list);
  };
  const paste = (): void => {
    const pasted = text.current?.value ?? "";
    if (pasted.trim() === "") return text.current?.focus();
    setPasting(false);
    add([{ path: "pasted.log", file: new Blob([pasted]), isPasted: true }]);
  };
  const button = (label: string, onClick: () => void, isMain = false): ComponentChild =>
    h("button", { type: "button", class: isMain ? "go" : "", onClick }, label);
  return h(
    "section",
    { class: `giving${isOver ? " over" : ""}${isEmpty ? "" : " small"}`, "aria-label": "Your files" },
    [
      h(
        "p",
        { class: isEmpty ? "big" : "soft" },
        isEmpty
          ? canDrop()
            ? "Drop a folder or files anywhere on this page"
            : "Choose the files of a run, or paste what it printed"
          : `A launch script or rollouts next to the log tell more; a second folder is a second run, to compare.${canDrop() ? " Drop them here, too." : ""}`,
      ),
      h("div", { class: "bar" }, [
        button(isEmpty ? "Choose files" : "Add files", () => files.current?.click(), isEmpty),
        // Phones offer no folders.
        canDrop() && button(isEmpty ? "Choose a folder" : "Add a folder", () => folder.current?.click()),
        button("Paste console output", () => setPasting(!isPasting)),
      ]),
      h("input", {
        ref: files,
        type: "file",
        multiple: true,
        hidden: true,
        onChange: picked,
        "aria-label": "Files of the run",
      }),
      h("input", {
        ref: folder,
        type: "file",
        webkitdirectory: true,
        hidden: true,
        onChange: picked,
        "aria-label": "Folder of the run",
      }),
      isPasting &&
        h("div", { class: "paste" }, [
          h("label", null, [
            "What the trainer printed, or its launch script",
            h("textarea", { ref: text, rows: 8, spellcheck: false }),
          ]),
          h("div", { class: "bar" }, [
            button("Examine it", paste, true),
            button("Cancel", () => setPasting(false)),
          ]),
        ]),
      isEmpty &&
        h("div", { class: "bar samples" }, [
          h("span", { class: "soft" }, "Or see it at work:"),
          button("a run of ours that fell", () => sample("fell")),
          button("a made-up run with its launch script", () => sample("entropy")),
        ]),
    ],
  );
}
