import type { Conversation } from "../wire.ts";
import { RemovableRow } from "./removable-row.tsx";
import { toSpells } from "./session-spells.ts";

type Props = {
  readonly sessions: readonly Conversation[];
  readonly current: string | null;
  readonly onOpen: (id: string) => void;
  readonly onRemove: (id: string) => Promise<boolean>;
};

const removal = { name: "Delete", question: "Delete this conversation?", yes: "Delete", no: "Keep" };

/** Earlier conversations by their days, the latest first. */
export const SessionList = ({ sessions, current, onOpen, onRemove }: Props) => {
  if (sessions.length === 0) return <p class="soft">Your conversations will be kept here.</p>;
  return (
    <>
      {toSpells(sessions, new Date()).map((spell) => (
        <section key={spell.title} aria-label={spell.title}>
          <p class="sessions-title">{spell.title}</p>
          <ul>
            {spell.sessions.map(({ id, title }) => (
              <RemovableRow
                key={id}
                {...{ title, removal }}
                isCurrent={id === current}
                onOpen={() => onOpen(id)}
                onRemove={() => onRemove(id)}
              >
                <span class="session-title">{title}</span>
              </RemovableRow>
            ))}
          </ul>
        </section>
      ))}
    </>
  );
};
