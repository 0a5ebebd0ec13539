import { CloseIcon } from "./icons.tsx";
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

/** Earlier conversations, the latest first. */
export const SessionsPanel = ({ sessions, problem, current, open, onOpen, onRemove, onClose }: Props) => {
  useEscape(open ? onClose : null);

  if (sessions.length === 0 && !open) return null;
  return (
    <nav class="sessions" data-open={open} id="conversations" aria-label="Conversations">
      <p class="sessions-title">Conversations</p>
      {problem !== null && (
        <p class="notice" role="alert">
          {problem}
        </p>
      )}
      {sessions.length === 0 && <p class="soft">Nothing has been asked yet.</p>}
      <ul>
        {sessions.map(({ id, title }) => (
          <li key={id} class="session">
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
        ))}
      </ul>
    </nav>
  );
};
