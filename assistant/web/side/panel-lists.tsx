import type { ComponentChildren } from "preact";
import { useRef } from "preact/hooks";
import { nowMs } from "../clock.ts";
import { formatCount } from "../format.ts";
import { formatDate, formatShort } from "../format-time.ts";
import type { Linked } from "../hash-location.ts";
import { PagedListView } from "../paged-list.tsx";
import { useZone } from "../session-context.ts";
import { type ApprovedQuestion, approvedBy, type SavedQuestion, type StoredSession } from "../wire.ts";
import { Row, SavedRow } from "./row.tsx";
import { groupByDay, repeatedTitles } from "./session-groups.ts";
import type { List, useSavedQuestions } from "./use-lists.ts";

type ListProps<T extends { readonly id: string }> = {
  readonly list: Pick<List<T>, "list" | "more" | "retry">;
  /** Shown in an empty list: how something gets here. */
  readonly empty: string;
  readonly children: (rows: readonly T[], total: number) => ComponentChildren;
};

const PanelList = <T extends { readonly id: string }>({ list, empty, children }: ListProps<T>) => {
  const element = useRef<HTMLDivElement>(null);
  return (
    <PagedListView source={list} element={element} loading="Looking…" buttonClass="quiet small">
      {({ rows, total }, end) => (
        <div class="shelf" ref={element}>
          {rows.length === 0 ? <p class="soft">{empty}</p> : children(rows, total)}
          {end}
        </div>
      )}
    </PagedListView>
  );
};

type Remove = (id: string) => Promise<boolean>;

const sessionRemoval = { name: "Delete", question: "Delete this conversation?", yes: "Delete", no: "Keep" };

type SessionsProps = {
  readonly list: List<StoredSession>;
  readonly current: string | null;
  /** True where only those with a text in them are listed. */
  readonly isSearched: boolean;
  readonly onOpen: (id: string) => void;
  readonly onRemove: Remove;
};

/** Earlier conversations by their days, the latest first. */
export const SessionList = ({ list, current, isSearched, onOpen, onRemove }: SessionsProps) => {
  const zone = useZone();
  return (
    <PanelList
      list={list}
      empty={isSearched ? "None of your conversations has this in it." : "Your conversations will be kept here."}
    >
      {(conversations) => {
        const repeated = repeatedTitles(conversations);
        return groupByDay(conversations, { now: nowMs(), zone }).map((group) => (
          <section key={group.title} aria-label={group.title}>
            <p class="sessions-title">{group.title}</p>
            <ul>
              {group.sessions.map(({ id, title, updated_at }) => (
                <Row
                  key={id}
                  title={title}
                  removal={sessionRemoval}
                  isCurrent={id === current}
                  onOpen={() => onOpen(id)}
                  onRemove={() => onRemove(id)}
                >
                  <span class="session-title">{title}</span>
                  {repeated.has(title) && <span class="session-note">{formatShort(updated_at, zone)}</span>}
                </Row>
              ))}
            </ul>
          </section>
        ));
      }}
    </PanelList>
  );
};

type SavedProps = {
  readonly list: ReturnType<typeof useSavedQuestions>;
  readonly onOpen: (question: SavedQuestion) => void;
  readonly onRemove: Remove;
};

export const SavedList = ({ list, onOpen, onRemove }: SavedProps) => (
  <PanelList
    list={list}
    empty="Choose “Save” under an answer to keep its question here by a name, for all of your organization."
  >
    {(questions, total) => (
      <section aria-label="Saved questions">
        <p class="sessions-title">{formatCount(total, "saved question")} of your organization</p>
        <ul>
          {questions.map((question) => (
            <SavedRow
              key={question.id}
              question={question}
              onOpen={() => onOpen(question)}
              onRename={(name) => list.rename(question.id, name)}
              onRemove={() => onRemove(question.id)}
            />
          ))}
        </ul>
      </section>
    )}
  </PanelList>
);

const approvalRemoval = {
  name: "Take back",
  question: "From now on, read this question anew for everybody?",
  yes: "Take back",
  no: "Keep",
};

type ApprovedProps = {
  readonly list: List<ApprovedQuestion>;
  readonly onAsk: (question: Linked) => void;
  readonly onRemove: Remove;
};

/** Questions whose answers were found right, by anybody of the organization. */
export const ApprovedList = ({ list, onAsk, onRemove }: ApprovedProps) => {
  const zone = useZone();
  return (
    <PanelList
      list={list}
      empty="Say “Yes” to “Was this right?” under an answer: the same question is answered that way then."
    >
      {(questions, total) => (
        <section aria-label="Approved questions">
          <p class="sessions-title">{formatCount(total, "approved question")} of your organization</p>
          <ul>
            {questions.map((question) => {
              const { id, query, plan, approved_at: at } = question;
              const title = query ?? question.summary ?? "A question of an earlier version";
              return (
                <Row
                  key={id}
                  title={title}
                  removal={question.may_change ? approvalRemoval : null}
                  // One whose words were not kept is asked by its plan.
                  onOpen={() => onAsk({ question: title, plan: query === null ? plan : null })}
                  onRemove={() => onRemove(id)}
                >
                  <span class="session-title">{title}</span>
                  <span class="session-note">
                    {formatDate(at, zone)} {approvedBy(question)}
                  </span>
                </Row>
              );
            })}
          </ul>
        </section>
      )}
    </PanelList>
  );
};
