import { useEffect, useState } from "preact/hooks";
import { CopyIcon, DoneIcon } from "./icons.tsx";

// navigator.clipboard exists on secure origins only, and the page may be served over plain http.
const copyBySelection = (text: string): boolean => {
  const before = document.activeElement;
  const area = document.createElement("textarea");
  area.value = text;
  area.readOnly = true;
  area.className = "visually-hidden";
  document.body.append(area);
  area.select();
  const copied = document.execCommand("copy");
  area.remove();
  if (before instanceof HTMLElement) before.focus();
  return copied;
};

/** Puts text on the clipboard; false when the browser does not allow it. */
const copyText = async (text: string): Promise<boolean> => {
  if (navigator.clipboard === undefined) return copyBySelection(text);
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copyBySelection(text);
  }
};

type Props = { readonly label: string; readonly text: () => string | Promise<string> };
type Outcome = "idle" | "copied" | "refused";

const confirmationMs = 2_000;
const words: Record<Exclude<Outcome, "idle">, string> = { copied: "Copied", refused: "Not allowed by the browser" };

export const CopyButton = ({ label, text }: Props) => {
  const [outcome, setOutcome] = useState<Outcome>("idle");

  useEffect(() => {
    if (outcome === "idle") return;
    const timer = setTimeout(() => setOutcome("idle"), confirmationMs);
    return () => clearTimeout(timer);
  }, [outcome]);

  const copy = async (): Promise<void> => setOutcome((await copyText(await text())) ? "copied" : "refused");

  return (
    <button type="button" class="quiet small" onClick={() => void copy()}>
      {outcome === "copied" ? <DoneIcon /> : <CopyIcon />}
      <span aria-live="polite">{outcome === "idle" ? label : words[outcome]}</span>
    </button>
  );
};
