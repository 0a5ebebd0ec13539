import { useLayoutEffect, useRef, useState } from "preact/hooks";
import "../styles/board.css";
import { ReadProblem } from "../paged-list.tsx";
import { errorText } from "../problem.ts";
import { usePolled } from "../routing/use-polled.ts";
import { useSession } from "../session-context.ts";
import { type SavedQuestion, savedQuestionsSchema } from "../wire.ts";
import { type Board, boardSchema, boardsPath, boardsSchema, mostPinned, type Whose, withMoved } from "./board.ts";
import { BoardCard } from "./board-card.tsx";

const everyMs = 60_000;

type PinProps = {
  readonly label: string;
  readonly choices: readonly SavedQuestion[];
  /** The id of the question that is chosen at first. */
  readonly first: string;
  readonly onPin: (question: SavedQuestion) => void;
};

const PinForm = ({ label, choices, first, onPin }: PinProps) => {
  const [chosen, choose] = useState(choices.some(({ id }) => id === first) ? first : "");
  return (
    <form
      class="inline-form"
      onSubmit={(event) => {
        event.preventDefault();
        const question = choices.find(({ id }) => id === chosen);
        if (question !== undefined) onPin(question);
        choose("");
      }}
    >
      <select aria-label={label} required value={chosen} onChange={(event) => choose(event.currentTarget.value)}>
        <option value="">Choose a saved question…</option>
        {choices.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </select>
      <button type="submit" class="secondary">
        Pin
      </button>
    </form>
  );
};

const words = {
  own: { title: "Your board", nothing: "You have pinned nothing yet." },
  organization: { title: "Your organization's board", nothing: "Your organization's admins have pinned nothing yet." },
} as const;

type SectionProps = {
  readonly whose: Whose;
  readonly board: Board;
  readonly saved: readonly SavedQuestion[];
  readonly question: string | null;
  readonly onChanged: (board: Board) => void;
};

const BoardSection = ({ whose, board, saved, question, onChanged }: SectionProps) => {
  const { client } = useSession();
  const [told, tell] = useState("");
  const [failed, fail] = useState<string | null>(null);
  const list = useRef<HTMLDivElement>(null);
  /** The name of the button that keeps the focus when its card moves. */
  const focused = useRef<string | null>(null);
  const { title, nothing } = words[whose];
  const { questions, may_change: mayChange } = board;
  const pinned = new Set(questions.map(({ id }) => id));
  const choices = saved.filter(({ id }) => !pinned.has(id));

  useLayoutEffect(() => {
    const name = focused.current;
    focused.current = null;
    if (name === null) return;
    const buttons = [...(list.current?.querySelectorAll<HTMLElement>("button[aria-label]") ?? [])];
    buttons.find((button) => button.ariaLabel === name)?.focus({ preventScroll: true });
  }, [questions]);

  const change = async (next: readonly SavedQuestion[], done: string, focus: string | null): Promise<void> => {
    try {
      const body = { saved_question_ids: next.map(({ id }) => id) };
      const changed = await client.send({ method: "PATCH", path: `${boardsPath}/${whose}`, body }, boardSchema);
      focused.current = focus;
      fail(null);
      tell(done);
      onChanged(changed);
    } catch (error) {
      fail(errorText(error));
    }
  };

  return (
    <section class="board-section" aria-labelledby={`${whose}-board`}>
      <div class="panel-head">
        <h2 id={`${whose}-board`}>{title}</h2>
        {mayChange && choices.length > 0 && questions.length < mostPinned && (
          <PinForm
            label={`Saved question to pin to ${title.toLowerCase()}`}
            choices={choices}
            first={question ?? ""}
            onPin={(pinned) => void change([...questions, pinned], `${pinned.name} is pinned.`, null)}
          />
        )}
      </div>
      <p class="visually-hidden" role="status">
        {told}
      </p>
      {failed !== null && (
        <p class="notice" role="alert">
          {failed}
        </p>
      )}
      {questions.length === 0 && (
        <p class="soft">
          {nothing}
          {!mayChange && whose === "own" && " Analysts can pin saved questions."}{" "}
          {mayChange && saved.length === 0 && (
            <>
              <a class="in-text" href="#ask">
                Ask a question
              </a>
              , choose “Save” under its answer, then pin it here.
            </>
          )}
        </p>
      )}
      <div class="board-cards" ref={list}>
        {questions.map((question, place) => (
          <BoardCard
            key={question.id}
            question={question}
            place={place}
            count={questions.length}
            mayChange={mayChange}
            onMove={(by) =>
              void change(
                withMoved(questions, place, by),
                `${question.name} is number ${place + by + 1} of ${questions.length}.`,
                `Move ${question.name} ${by < 0 ? "earlier" : "later"}`,
              )
            }
            onRemove={() => void change(questions.toSpliced(place, 1), `${question.name} is taken off.`, null)}
          />
        ))}
      </div>
    </section>
  );
};

/**
 * Saved questions that are pinned, with their answers: the organization's board and the user's own. The question that the
 * address names is chosen for pinning.
 */
const BoardView = ({ question }: { question: string | null }) => {
  const boards = usePolled(boardsPath, boardsSchema, undefined, everyMs);
  const saved = usePolled("/reporting_ai/saved?limit=200", savedQuestionsSchema, undefined, everyMs);
  const [changed, setChanged] = useState<{ of: typeof boards.found; board: Partial<Record<Whose, Board>> } | null>(
    null,
  );
  const { found, problem, read } = boards;
  // A list read since is newer than the answer to a change.
  const shown = found && { ...found, ...(changed?.of === found ? changed.board : {}) };
  return (
    <main class="overview board">
      <h1>Board</h1>
      {problem !== null && <ReadProblem problem={problem} onRetry={() => void read()} />}
      {shown === null && problem === null && <p class="soft">Reading…</p>}
      {shown !== null &&
        (["organization", "own"] as const).map((whose) => (
          <BoardSection
            key={`${whose} ${question}`}
            whose={whose}
            board={shown[whose]}
            saved={saved.found?.data ?? []}
            question={question}
            onChanged={(board) =>
              setChanged((before) => ({
                of: found,
                board: { ...(before?.of === found ? before.board : {}), [whose]: board },
              }))
            }
          />
        ))}
    </main>
  );
};

export const view = BoardView;
