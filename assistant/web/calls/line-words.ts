import { writeFigure } from "../../phrasing/write-figure.ts";
import { toLabel } from "../format.ts";
import { type Details, isAnonymous, type Line } from "./call.ts";
import { reasonWords, sentenceCase } from "./reasons.ts";

/** Names of the things that a call's timeline names by their ids. */
export const namesOf = ({ call, routes, bids, webhooks, received, timeline }: Details): ReadonlyMap<string, string> => {
  const named: (readonly [string | null | undefined, string | null | undefined])[] = [
    [call.campaign_id, call.campaign_name],
    [call.publisher_id, call.publisher_name],
    [call.buyer_id, call.buyer_name],
    [call.target_id, call.target_name],
    ...bids.map(({ rtb_id, rtb_name }) => [rtb_id, rtb_name] as const),
    ...routes.map(({ destination_id, destination_name }) => [destination_id, destination_name] as const),
    ...webhooks.map(({ webhook_id, webhook_name }) => [webhook_id, webhook_name] as const),
    ...received.map(({ id, webhook_name }) => [id, webhook_name] as const),
    ...timeline.map(({ detail }) => [textOf(detail["rtb_id"]), textOf(detail["rtb_name"])] as const),
  ];
  return new Map(named.filter((pair): pair is readonly [string, string] => pair[0] != null && pair[1] != null));
};

const callerOf = (value: unknown): string => {
  const caller = textOf(value);
  return caller === null || isAnonymous(caller) ? "an anonymous caller" : caller;
};
const textOf = (value: unknown): string | null => (typeof value === "string" ? value : null);
const moneyOf = (value: unknown): string =>
  typeof value === "number" ? writeFigure.money(value) : "an unknown amount";

/** A dollar amount or a yes or no before and after a correction. */
const changeOf = (detail: Line["detail"], name: "revenue" | "payout" | "converted"): string[] => {
  const change = detail[name] as { before?: unknown; after?: unknown } | undefined;
  if (typeof change !== "object" || change === null) return [];
  const show = (value: unknown): string => (typeof value === "boolean" ? (value ? "yes" : "no") : moneyOf(value));
  return [`${name} ${show(change.before)} → ${show(change.after)}`];
};

/** "user:anna" as "anna". */
export const actorWords = (by: unknown): string =>
  String(by ?? "").replace(/^(user|api_key):/, (_, kind) => (kind === "user" ? "" : "API key "));

/** Writes a line of a call's timeline as a sentence. */
export const lineWords = ({ event, detail }: Line, names: ReadonlyMap<string, string>): string => {
  const nameOf = (field: string, otherwise = "a destination"): string => {
    const id = textOf(detail[field]);
    return (id !== null && names.get(id)) || otherwise;
  };
  const reason = (field = "reason"): string => {
    const code = textOf(detail[field]);
    return code === null ? "for an unknown reason" : reasonWords(code, textOf(detail["detail"]));
  };
  if (/^call\.on_\d+_secs_mark$/.test(event)) return `${String(detail["seconds"])} s connected`;
  switch (event) {
    case "call.incoming":
      return `Call from ${callerOf(detail["caller_id"])} to ${textOf(detail["number"]) ?? "an unknown number"}`;
    case "tcpa.checked":
      return `Do-not-call list checked: ${String(detail["result"]).replaceAll("_", " ")}`;
    case "allocation.matched":
      return "The number was allocated to a publisher's ping";
    case "plan.selected":
      return `Routing plan: ${textOf(detail["name"]) ?? "unnamed"}`;
    case "menu.entered":
      return `Menu: ${textOf(detail["name"]) ?? "unnamed"}`;
    case "menu.chosen":
      return detail["digits"] === ""
        ? "Nothing was pressed in the menu"
        : `Pressed ${String(detail["digits"])} in the menu`;
    case "route.skipped":
      return `${nameOf("id")} skipped: ${reason()}`;
    case "ping.sent":
      return `${nameOf("rtb_id", "A buyer")} asked for a bid`;
    case "ping.result":
      return detail["outcome"] === "bid"
        ? `${nameOf("rtb_id", "A buyer")} bid ${moneyOf(detail["bid"])}`
        : `${nameOf("rtb_id", "A buyer")}: ${reason("outcome")}`;
    case "auction.won":
      return `${nameOf("rtb_id", "A buyer")} won the auction with ${moneyOf(detail["bid"])}`;
    case "win.confirmed":
      return `${nameOf("rtb_id", "The buyer")} confirmed the win`;
    case "win.refused":
      return `${nameOf("rtb_id", "The buyer")} refused the win: ${reason()}`;
    case "dial.started":
      return `Dialed ${nameOf("id")}`;
    case "dial.ringing":
      return "It rang";
    case "dial.failed":
      return `The dial failed: ${reason("status")}`;
    case "call.connected":
      return `Connected to ${nameOf("target_id", nameOf("buyer_id"))}`;
    case "call.hangup":
      return detail["by"] === "caller"
        ? "The caller hung up"
        : detail["by"] === "target"
          ? "The destination hung up"
          : "The call was ended";
    case "conversion.evaluated":
      return detail["converted"] === true ? "Judged: converted" : "Judged: not converted";
    case "call.converted":
      return `Converted: revenue ${moneyOf(detail["revenue"])}, payout ${moneyOf(detail["payout"])}`;
    case "call.failure":
      return `Not connected: ${reason()}`;
    case "call.completed":
      return `Completed: revenue ${moneyOf(detail["revenue"])}, payout ${moneyOf(detail["payout"])}`;
    case "call.updated":
      return "Updated";
    case "payout.adjusted": {
      const changes = (["revenue", "payout", "converted"] as const).flatMap((name) => changeOf(detail, name));
      return `Corrected: ${changes.join(", ")}`;
    }
    case "webhook.sent":
      return `Webhook ${nameOf("webhook_id", "sent")} (${String(detail["event"])}): ${detail["status"] == null ? "no answer" : `answered ${String(detail["status"])}`}`;
    case "data.received":
      return `Received by ${nameOf("id", nameOf("webhook_id", "a webhook"))}: answered ${String(detail["status"] ?? "nothing")}`;
    default:
      return sentenceCase(toLabel(event.replaceAll(".", "_")));
  }
};
