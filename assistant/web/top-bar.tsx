import { ListIcon, Mark, PlusIcon } from "./icons.tsx";
import type { Place } from "./place.ts";
import { panelId } from "./side/side-panel.tsx";
import type { Session } from "./sign-in/use-session.ts";

type Props = {
  readonly session: Session;
  readonly view: Place["view"];
  /** Whether the panel of conversations is open, where it lies over the page. */
  readonly listing: boolean;
  readonly onList: () => void;
  /** Null while there is nothing to leave behind. */
  readonly onNew: (() => void) | null;
  readonly onChoose: (organizationId: string) => void;
  readonly onSignOut: () => void;
};

type Demo = NonNullable<Extract<Session, { kind: "signed_in" }>["demo"]>;

const Organization = ({ demo, onChoose }: { demo: Demo; onChoose: (organizationId: string) => void }) => {
  if (demo.organizations.length < 2) return <span class="organization">{demo.current.name}</span>;
  return (
    <label class="organization">
      <span class="visually-hidden">Organization</span>
      <select value={demo.current.org_id} onChange={(event) => onChoose(event.currentTarget.value)}>
        {demo.organizations.map(({ org_id, name }) => (
          <option key={org_id} value={org_id}>
            {name}
          </option>
        ))}
      </select>
    </label>
  );
};

const Views = ({ view }: Pick<Props, "view">) => (
  <nav class="views" aria-label="Views">
    <a href="#ask" aria-current={view === "ask" ? "page" : undefined}>
      Ask
    </a>
    <a href="#deliveries" aria-current={view === "deliveries" ? "page" : undefined}>
      Deliveries
    </a>
  </nav>
);

export const TopBar = ({ session, view, listing, onList, onNew, onChoose, onSignOut }: Props) => (
  <header class="top-bar">
    {session.kind === "signed_in" && view === "ask" && (
      <button type="button" class="quiet list-button" aria-expanded={listing} aria-controls={panelId} onClick={onList}>
        <ListIcon />
        <span class="visually-hidden">Conversations</span>
      </button>
    )}
    <span class="brand">
      <Mark />
      <span class="brand-name">Trunkline</span>
    </span>
    {session.kind === "signed_in" && <Views view={view} />}
    {session.kind === "signed_in" && (
      <div class="top-actions">
        {onNew !== null && view === "ask" && (
          <button type="button" class="quiet" aria-label="New conversation" onClick={onNew}>
            <PlusIcon />
            <span class="wide-only">New conversation</span>
          </button>
        )}
        {session.demo === null ? (
          <button type="button" class="quiet" onClick={onSignOut}>
            Sign out
          </button>
        ) : (
          <Organization demo={session.demo} onChoose={onChoose} />
        )}
      </div>
    )}
  </header>
);
