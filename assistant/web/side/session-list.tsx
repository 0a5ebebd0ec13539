import type { Conversation } from "../wire.ts";
import { RemovableRow } from "./removable-row.tsx";
import { toSpells } from "./session-spells.ts";
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
export const SessionList = ({ sessions, current, onOpen, onRemove, onSignInAgain }: Props) => (
  <ShelfBody shelf={sessions} {...{ nothing, onSignInAgain }}>
    {(conversations) =>
      toSpells(conversations, new Date()).map((spell) => (
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
      ))
    }
  </ShelfBody>
);
