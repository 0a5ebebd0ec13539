import { useRef } from "preact/hooks";
import { useArrowKeys } from "./arrow-keys.ts";
import { CloseIcon } from "./icons.tsx";
import { toSpells } from "./session-spells.ts";
import { useEscape } from "./use-escape.ts";
import type { Conversation } from "./wire.ts";

type Props = {
  readonly sessions: readonly Conversation[];
  readonly problem: string | null;
  readonly current: string | null;
  /** On a narrow window the panel lies over the page, and is closed again. */
  readonly open: boolean;
  readonly onOpen: (id: string) => void;
  readonly onRemove: (id: string) => void;
  readonly onClose: () => void;
};

type RowProps = Pick<Props, "current" | "onOpen" | "onRemove"> & { readonly session: Conversation };

const Row = ({ session: { id, title }, current, onOpen, onRemove }: RowProps) => (
  <li class="session">
    <button
      type="button"
      class="session-open"
      aria-current={id === current ? "true" : undefined}
      title={title}
      onClick={() => onOpen(id)}
    >
      {title}
    </button>
    <button type="button" class="session-remove" aria-label={`Delete: ${title}`} onClick={() => onRemove(id)}>
      <CloseIcon />
    </button>
  </li>
);

/** Earlier conversations, the latest first. */
export const SessionsPanel = ({ sessions, problem, open, onClose, ...rest }: Props) => {
  const panel = useRef<HTMLElement>(null);
  useEscape(open ? onClose : null);
  useArrowKeys(panel);
  return (
    <nav class="sessions" ref={panel} data-open={open} id="conversations" aria-label="Conversations">
      {problem !== null && (
        <p class="notice" role="alert">
          {problem}
        </p>
      )}
      {sessions.length === 0 && <p class="soft">Your conversations will be kept here.</p>}
      {toSpells(sessions, new Date()).map((spell) => (
        <section key={spell.title} aria-label={spell.title}>
          <p class="sessions-title">{spell.title}</p>
          <ul>
            {spell.sessions.map((session) => (
              <Row key={session.id} session={session} {...rest} />
            ))}
          </ul>
        </section>
      ))}
    </nav>
  );
};
