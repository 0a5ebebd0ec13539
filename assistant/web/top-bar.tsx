import type { HashLocation } from "./hash-location.ts";
import { ListIcon, Mark, PlusIcon } from "./icons.tsx";
import { panelId } from "./side/side-panel.tsx";
import type { Session, SignedIn } from "./sign-in/use-sign-in.ts";

type Props = {
  readonly session: Session;
  readonly view: HashLocation["view"];
  /** True while the side panel lies over the page, in a narrow window. */
  readonly panelOpen: boolean;
  readonly onPanel: () => void;
  /** Null while the conversation is empty. */
  readonly onNew: (() => void) | null;
  readonly onChoose: (organizationId: string) => void;
  readonly onSignOut: () => void;
};

type Demo = NonNullable<SignedIn["demo"]>;

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

export const TopBar = ({ session, view, panelOpen, onPanel, onNew, onChoose, onSignOut }: Props) => (
  <header class="top-bar">
    {session.kind === "signed_in" && view === "ask" && (
      <button
        type="button"
        class="quiet list-button"
        aria-expanded={panelOpen}
        aria-controls={panelId}
        onClick={onPanel}
      >
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
