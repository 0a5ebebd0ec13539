import { z } from "zod";
import { ApiError } from "../../serve/errors.ts";
import { defineOperation, type Operation } from "../../serve/operation.ts";
import { pageOf, pageQuery, toPage } from "../../serve/pages.ts";
import { findSaved, findSavedOf } from "../saved/saved-rows.ts";
import { listRuns } from "./run-rows.ts";
import {
  changeSchedule,
  createSchedule,
  findOwn,
  removeSchedule,
  type ScheduleChangesDeps,
  unknown,
} from "./schedule-changes.ts";
import { findSchedule, listSchedules, mostSchedules } from "./schedule-rows.ts";
import { keptDays, type ScheduleRunner } from "./schedule-runner.ts";
import {
  changedSchema,
  newScheduleSchema,
  runSchema,
  scheduleChangeSchema,
  scheduleSchema,
  toShown,
  toShownRun,
} from "./schedule-schemas.ts";
import { countSend, mostAnHour, untilNextHour } from "./send-quota.ts";

export interface ScheduleOperationsDeps extends ScheduleChangesDeps {
  readonly schedules: ScheduleChangesDeps["schedules"] & { readonly runner: Pick<ScheduleRunner, "sendNow"> };
}

const about = {
  tag: "Reporting assistant",
  area: "questions",
  access: "user",
  limit: "assistant",
  status: 200,
} as const;
const base = "/reporting_ai/schedules";
const one = `${base}/{schedule_id}`;
const params = z.object({ schedule_id: z.string().min(1).max(64) });

/** Operations of schedules: saved questions that are asked and sent by themselves. */
export const scheduleOperations = (deps: ScheduleOperationsDeps): Operation[] => [
  creating(deps),
  listing(deps),
  reading(deps),
  changing(deps),
  removing(deps),
  sending(deps),
  history(deps),
];

const creating = (deps: ScheduleOperationsDeps): Operation =>
  defineOperation({
    ...about,
    status: 201,
    method: "post",
    path: base,
    name: "createSchedule",
    summary: `Send a saved question's answer by mail or webhook, by the clock or as an alert (${mostSchedules} at the most)`,
    body: newScheduleSchema,
    example: {
      saved_question_id: "SAVED_QUESTION_ID",
      timing: { every: "workday", at: "08:00" },
      deliver_to: { kind: "webhook", url: "https://hooks.customer.example/reports" },
    },
    answer: changedSchema,
    errors: [409, 503],
    async handle(request) {
      return createSchedule(deps, request, request.body);
    },
  });

const listing = (deps: ScheduleOperationsDeps): Operation =>
  defineOperation({
    ...about,
    method: "get",
    path: base,
    name: "listSchedules",
    summary: "The organization's scheduled answers and alerts",
    query: pageQuery,
    answer: pageOf(scheduleSchema).extend({
      can_mail: z.boolean().describe("Whether this installation sends mail; else answers go to webhooks."),
    }),
    errors: [503],
    async handle({ caller, query: { sort_direction: direction, ...page } }) {
      const { schedules, total } = await listSchedules(deps.database, caller.orgId, { ...page, direction });
      const ids = [...new Set(schedules.map(({ savedQuestionId }) => savedQuestionId))];
      const found = new Map((await findSavedOf(deps.database, caller.orgId, ids)).map((each) => [each.id, each]));
      const rows = schedules.map((each) => toShown(caller, each, found.get(each.savedQuestionId) ?? null));
      return { ...toPage(rows, total, page), can_mail: deps.schedules.canMail };
    },
  });

const reading = (deps: ScheduleOperationsDeps): Operation =>
  defineOperation({
    ...about,
    method: "get",
    path: one,
    params,
    name: "getSchedule",
    summary: "A scheduled answer or alert",
    answer: scheduleSchema,
    errors: [404, 503],
    async handle({ caller, params: { schedule_id: id } }) {
      const found = await findSchedule(deps.database, caller.orgId, id);
      if (found === null) throw unknown(id);
      return toShown(caller, found, await findSaved(deps.database, caller.orgId, found.savedQuestionId));
    },
  });

const changing = (deps: ScheduleOperationsDeps): Operation =>
  defineOperation({
    ...about,
    method: "patch",
    path: one,
    params,
    name: "updateSchedule",
    summary: "Change, pause or resume a scheduled answer or alert",
    body: scheduleChangeSchema,
    example: { paused: true },
    answer: changedSchema,
    errors: [403, 404, 409, 503],
    async handle(request) {
      return changeSchedule(deps, request, { id: request.params.schedule_id, body: request.body });
    },
  });

const removing = (deps: ScheduleOperationsDeps): Operation =>
  defineOperation({
    ...about,
    method: "delete",
    path: one,
    params,
    name: "deleteSchedule",
    summary: "Delete a scheduled answer or alert, with its history",
    answer: z.object({ success: z.literal(true), id: z.string() }),
    errors: [403, 404, 503],
    async handle(request) {
      return removeSchedule(deps, request, request.params.schedule_id);
    },
  });

const sending = (deps: ScheduleOperationsDeps): Operation =>
  defineOperation({
    ...about,
    method: "post",
    path: `${one}/send`,
    params,
    name: "sendScheduleNow",
    summary: `Send a schedule's answer once, now, whether or not it is paused or its condition holds (${mostAnHour.manual} an hour)`,
    answer: runSchema,
    errors: [403, 404, 503],
    async handle({ caller, params: { schedule_id: id } }) {
      const schedule = await findOwn(deps, caller, id);
      const now = deps.clock.now();
      if (!(await countSend(deps.database, caller.orgId, { triggeredBy: "manual", now }))) {
        const message = `Your organization has had ${mostAnHour.manual} answers sent by hand in this hour: wait, or leave it to the schedule.`;
        const headers = { "Retry-After": String(Math.ceil(untilNextHour(now) / 1000)) };
        throw new ApiError(429, "too_many_sent", message, { headers });
      }
      const sent = await deps.schedules.runner.sendNow(schedule);
      if (sent === null) throw unknown(id);
      return toShownRun(sent);
    },
  });

const history = (deps: ScheduleOperationsDeps): Operation =>
  defineOperation({
    ...about,
    method: "get",
    path: `${one}/runs`,
    params,
    name: "listScheduleRuns",
    summary: `What a schedule has sent, and what failed, for ${keptDays} days; runs with nothing to tell are not kept`,
    query: pageQuery,
    answer: pageOf(runSchema),
    errors: [404, 503],
    async handle({ caller: { orgId }, params: { schedule_id: id }, query: { sort_direction: direction, ...page } }) {
      if ((await findSchedule(deps.database, orgId, id)) === null) throw unknown(id);
      const { runs, total } = await listRuns(deps.database, { orgId, scheduleId: id }, { ...page, direction });
      return toPage(runs.map(toShownRun), total, page);
    },
  });
