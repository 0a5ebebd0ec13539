import { useContext } from "preact/hooks";
import { formatShort } from "../format-time.ts";
import type { Conversation } from "../wire.ts";
import { Zone } from "../zone.ts";
import { RemovableRow } from "./removable-row.tsx";
import { repeatedTitles, toSpells } from "./session-spells.ts";
import { ShelfBody } from "./shelf-body.tsx";
import type { Shelved } from "./use-shelf.ts";

type Props = {
  readonly sessions: Shelved<Conversation>;
  readonly current: string | null;
  readonly onOpen: (id: string) => void;
  readonly onRemove: (id: string) => Promise<boolean>;
  readonly onSignInAgain: () => void;
};

const removal = { name: "Delete", question: "Delete this conversation?", yes: "Delete", no: "Keep" };

const nothing = "Your conversations will be kept here.";

/** Earlier conversations by their days, the latest first. */
export const SessionList = ({ sessions, current, onOpen, onRemove, onSignInAgain }: Props) => {
  const zone = useContext(Zone);
  return (
    <ShelfBody shelf={sessions} nothing={nothing} onSignInAgain={onSignInAgain}>
      {(conversations) => {
        const repeated = repeatedTitles(conversations);
        return toSpells(conversations, { now: Date.now(), zone }).map((spell) => (
          <section key={spell.title} aria-label={spell.title}>
            <p class="sessions-title">{spell.title}</p>
            <ul>
              {spell.sessions.map(({ id, title, updated_at }) => (
                <RemovableRow
                  key={id}
                  title={title}
                  removal={removal}
                  isCurrent={id === current}
                  onOpen={() => onOpen(id)}
                  onRemove={() => onRemove(id)}
                >
                  <span class="session-title">{title}</span>
                  {repeated.has(title) && <span class="session-note">{formatShort(updated_at, zone)}</span>}
                </RemovableRow>
              ))}
            </ul>
          </section>
        ));
      }}
    </ShelfBody>
  );
};
