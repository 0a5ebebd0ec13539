import { v7 as uuidv7 } from "uuid";
import type { Answer } from "../../../assistant/answer.ts";
import type { Asked, Assistant } from "../../../assistant/assistant.ts";
import type { Similar } from "../../../assistant/llm/similar.ts";
import type { Plan } from "../../../assistant/plan.ts";
import type { PastTurn } from "../../../assistant/planning.ts";
import type { Clock } from "../../../ingest/clock.ts";
import type { Database } from "../../database/database.ts";
import { type Approval, findApproved, findSimilarApproved, toApproval } from "./approved-rows.ts";
import { findInstructions } from "./instructions-rows.ts";
import { insertMessage, listMessages, type Message, type NewMessage } from "./message-rows.ts";
import { insertSession, type Origin, type Owner, touchSession } from "./session-rows.ts";

export interface ConversationDeps {
  readonly assistant: Assistant;
  readonly database: Database;
  readonly clock: Clock;
  /** Finds approved questions that are like one. Default: by spelling. */
  readonly similar?: Similar | undefined;
  /** Called with an error of storing an answer, which is sent all the same. */
  onTrouble(error: unknown): void;
}

export interface SessionQuestion {
  readonly owner: Owner;
  readonly timeZone: string;
  readonly question: string;
  readonly origin: Origin;
  /** The session to continue, or to begin where there is none of this id; null begins one with an id of its own. */
  readonly sessionId: string | null;
  /** The answer before the question, as the client gave it; null takes the session's last answer. */
  readonly previous: Previous | null;
  /** The plan to answer by, in place of reading the question. */
  readonly plan: Plan | null;
  readonly signal: AbortSignal;
  readonly onProgress?: Asked["onProgress"];
}

export interface StoredAnswer extends Answer {
  /** Null if the answer could not be stored. */
  readonly session_id: string | null;
  readonly message_id: string | null;
  /** The approval whose plan answered; null without one. */
  readonly approval: Approval | null;
}

/** The plan of the answer before, or the SQL of one without a plan, and the turns up to it. */
export type Previous = Pick<Asked, "previousPlan" | "previousSql" | "turns">;

/** Returns the answer that a question after these turns follows up; null where there are none. */
export function previousIn(turns: readonly PastTurn[]): Previous | null {
  const last = turns.at(-1);
  if (last === undefined) return null;
  return last.plan === undefined ? { turns, previousSql: last.sql } : { turns, previousPlan: last.plan };
}

const titleLength = 120;

/** Answers a question of a session and keeps both. */
export async function askInSession(deps: ConversationDeps, asked: SessionQuestion): Promise<StoredAnswer> {
  const { assistant } = deps;
  const { owner, timeZone, question, sessionId, signal, onProgress } = asked;
  const previous = asked.previous ?? (sessionId === null ? null : await lastAnswered(deps, owner, sessionId));
  const found = asked.plan === null ? await findApproval(deps, { ...asked, previous }) : null;
  const [plan, approval] = [asked.plan ?? found?.plan ?? null, found?.approval ?? null];
  const answer = await assistant.ask({
    orgId: owner.orgId,
    timeZone,
    question,
    signal,
    onProgress,
    ...previous,
    examples: () => similarTo(deps, asked),
    instructions: await instructionsOf(deps, owner),
    ...(plan === null ? {} : { plan }),
  });
  const follows = plan === null && previous !== null;
  return { ...answer, approval, ...(await store(deps, asked, { answer, approval, follows })) };
}

/** An answer without them is better than none. */
async function instructionsOf(
  { database, onTrouble }: ConversationDeps,
  { orgId }: Owner,
): Promise<string | undefined> {
  const found = await findInstructions(database, orgId).catch(onTrouble);
  return found?.instructions;
}

async function similarTo({ database, similar, onTrouble }: ConversationDeps, asked: SessionQuestion) {
  const { owner, question, signal } = asked;
  try {
    return await findSimilarApproved(database, owner.orgId, { question, similar, signal });
  } catch (error) {
    onTrouble(error);
    return [];
  }
}

const mostTurns = 10;

/** The session's answers with a plan or a SELECT, among its last few. */
async function lastAnswered({ database, onTrouble }: ConversationDeps, owner: Owner, sessionId: string) {
  const page = { limit: mostTurns, offset: 0, direction: "desc" } as const;
  const { messages } = await listMessages(database, owner, { sessionId, onUnreadable: onTrouble, ...page });
  const answered = messages.filter(({ answer }) => answer.plan !== null || isSelected(answer));
  return previousIn(answered.map(toPastTurn).toReversed());
}

const toPastTurn = ({ question, answer: { interpretation, plan, sql } }: Message): PastTurn => ({
  question,
  reading: interpretation?.summary ?? "",
  ...(plan === null ? { sql } : { plan }),
});

/** True for an answer by SQL of a language model; other answers without a plan had one of an earlier version. */
const isSelected = ({ sql, planner }: Answer): boolean => planner === "llm" && sql !== "";

/** Returns the approved plan of the same question, unless the question before gives it another meaning. */
async function findApproval(deps: ConversationDeps, asked: SessionQuestion) {
  const { assistant, database, onTrouble } = deps;
  const { owner, timeZone, question, previous } = asked;
  const approved = await findApproved(database, owner.orgId, question).catch(onTrouble);
  if (!approved?.plan) return null;
  const said = { orgId: owner.orgId, timeZone, question };
  if (previous !== null && (await assistant.leansOn({ ...said, ...previous }))) return null;
  const plan = assistant.planOfToday(approved.plan, timeZone);
  return plan && { plan, approval: toApproval(approved, owner) };
}

async function store(
  { database, clock, onTrouble }: ConversationDeps,
  { owner, question, origin, sessionId }: SessionQuestion,
  said: Pick<NewMessage, "answer" | "approval" | "follows">,
) {
  const now = clock.now();
  const message = { ...said, id: uuidv7(), question, now };
  const session = sessionId ?? uuidv7();
  try {
    await database.transaction(async (db) => {
      const goesOn = sessionId !== null && (await touchSession(db, owner, { id: session, origin, now }));
      if (!goesOn) await insertSession(db, owner, { id: session, title: question.slice(0, titleLength), origin, now });
      await insertMessage(db, owner, { ...message, sessionId: session });
    });
    return { session_id: session, message_id: message.id };
  } catch (error) {
    onTrouble(error);
    return { session_id: sessionId, message_id: null };
  }
}
