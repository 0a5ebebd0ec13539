import type { Assistant } from "../../../assistant/assistant.ts";
import type { AppContext } from "../../app-context.ts";
import { createMailer } from "../../outbound/mailer.ts";
import { startBackgroundTask } from "../../process/background-task.ts";
import { createSender } from "../../webhooks/deliver/send.ts";
import { createScheduleRunner } from "./schedule-runner.ts";

/** The interval of looking for schedules that are due: they are set to the minute. */
const everyMs = 5000;

export interface ScheduleOptions {
  readonly assistant: Assistant;
  /** Leaves schedules alone: nothing is asked or sent. */
  readonly isReadOnly: boolean;
  pageAddress(): string | null;
}

/** Opens the runner of schedules, and starts it. */
export async function openSchedules(context: AppContext, { assistant, isReadOnly, pageAddress }: ScheduleOptions) {
  const { settings, database, clock, snapshot, shutdown, metrics } = context;
  const onTrouble = context.onTrouble("schedules");
  const { SMTP_URL: url, MAIL_FROM: from, ALLOW_PRIVATE_DESTINATIONS: allowPrivateDestinations } = settings;
  const mailer = url === undefined || from === undefined ? null : shutdown.add("mailer", createMailer({ url, from }));
  const sender = shutdown.add("schedules' sender", createSender({ allowPrivateDestinations }));
  const runner = createScheduleRunner({
    database,
    clock,
    assistant,
    snapshot,
    sender,
    mailer,
    pageAddress,
    random: Math.random,
    onTrouble,
    onResult: metrics.scheduleRun,
  });
  if (!isReadOnly) {
    if (settings.DATABASE_URL === undefined) await runner.release();
    const task = startBackgroundTask({ clock, everyMs, work: runner.poll, onTrouble });
    shutdown.add("schedules", {
      async close() {
        await task.close();
        await runner.idle();
      },
    });
  }
  return { runner, canMail: mailer !== null, mailDomains: settings.MAIL_DOMAINS ?? null };
}
