import { type HashLocation, viewNames } from "./hash-location.ts";
import { ListIcon, Mark, PlusIcon } from "./icons.tsx";
import { panelId } from "./side/side-panel.tsx";
import type { Demo, Session } from "./sign-in/use-sign-in.ts";

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
    {Object.entries(viewNames).map(([name, label]) => (
      <a key={name} href={`#${name}`} aria-current={name === view ? "page" : undefined}>
        {label}
      </a>
    ))}
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
        {session.demo?.readOnly === true && (
          <span class="read-only">
            Read-only<span class="visually-hidden">: nothing can be changed, called or sent here.</span>
          </span>
        )}
        {onNew !== null && view === "ask" && (
          <button type="button" class="quiet" aria-label="New conversation" onClick={onNew}>
            <PlusIcon />
            <span class="wide-only">New</span>
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
