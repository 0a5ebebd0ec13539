import { type Clock, isoTime } from "../../ingest/clock.ts";
import type { OrgId } from "../../ingest/primitives.ts";
import type { Database, Queryable } from "../database/database.ts";
import type { OpenCall } from "./open-call.ts";
import { changeRow, fillRow, holdRow, placeRow } from "./open-call-rows.ts";
import type { Told } from "./told.ts";

/** A call as a switch's report leaves it, and what the log is told of it. */
export interface CallStep {
  readonly call: OpenCall;
  readonly tell: readonly Told[];
}

/** A step that is in the call's row, with all that the row has for the log. */
export interface Written<S> {
  readonly step: S;
  readonly untold: readonly Told[];
  readonly version: number;
}

export interface StepDeps {
  readonly database: Database;
  readonly clock: Clock;
}
export interface CallName {
  readonly callId: string;
  readonly orgId: OrgId;
}

/** The first step of a call; null when there is a call of this id. */
export function writeFirst<S extends CallStep>(
  { database, clock }: StepDeps,
  { callId, orgId }: CallName,
  decide: (db: Queryable) => Promise<S>,
): Promise<Written<S> | null> {
  return database.transaction(async (db) => {
    // Before anything is decided: whoever tells of the same call at this moment waits, and finds it there.
    if (!(await placeRow(db, { callId, orgId, at: isoTime(clock.now()) }))) return null;
    const step = await decide(db);
    await fillRow(db, callId, step);
    return { step, untold: step.tell, version: 1 };
  });
}

/** One step of a call, one at a time; null for a call that is not this organization's. */
export function writeNext<S extends CallStep>(
  { database, clock }: StepDeps,
  { callId, orgId }: CallName,
  decide: (call: OpenCall, db: Queryable) => S | Promise<S>,
): Promise<Written<S> | null> {
  return database.transaction(async (db) => {
    const row = await holdRow(db, orgId, callId);
    if (row === null) return null;
    const step = await decide(row.call, db);
    const untold = [...row.untold, ...step.tell];
    const changes = step.call !== row.call || step.tell.length > 0;
    if (changes) await changeRow(db, callId, { call: step.call, untold, at: isoTime(clock.now()) });
    return { step, untold, version: row.version };
  });
}
