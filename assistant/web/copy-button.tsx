import { useEffect, useState } from "preact/hooks";
import { copyText } from "./copy-text.ts";
import { CopyIcon, DoneIcon } from "./icons.tsx";

type Props = { readonly label: string; readonly text: () => string };
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

  const copy = async (): Promise<void> => setOutcome((await copyText(text())) ? "copied" : "refused");

  return (
    <button type="button" class="quiet small" onClick={() => void copy()}>
      {outcome === "copied" ? <DoneIcon /> : <CopyIcon />}
      <span aria-live="polite">{outcome === "idle" ? label : words[outcome]}</span>
    </button>
  );
};
