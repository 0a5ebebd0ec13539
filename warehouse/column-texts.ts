import { type PublicTable, publicColumns } from "./public-tables.ts";

/** Texts of columns that mean the same in every table. The API's fields of these names have them, too. */
export const columnTexts = {
  org_id: "The organization that it belongs to.",
  created_at: "When it was made, in UTC.",
  updated_at: "When it was last changed, in UTC.",
  campaign_id: "Id of the campaign.",
  campaign_name: "Name of the campaign.",
  publisher_id: "Id of the publisher.",
  publisher_name: "Name of the publisher.",
  buyer_id: "Id of the buyer.",
  buyer_name: "Name of the buyer.",
  target_id: "Id of the target.",
  target_name: "Name of the target.",
  target_type: "Whether calls of the target go to a phone number or a SIP address.",
  number_id: "Id of the tracking number.",
  rtb_id: "Id of the RTB formula.",
  rtb_name: "Name of the RTB formula.",
  rtb_group_id: "Id of the RTB group.",
  inbound_request_id: "Id of the publisher's ping that the call came by; null without one.",
  request_id: "Id of the request.",
  payout: "Dollars that the publisher earns.",
  revenue: "Dollars that the buyer owes.",
  profit: "Revenue less payout, in dollars.",
  payable: "Whether the publisher is paid.",
  receivable: "Whether the buyer pays.",
  converted: "Whether the call has converted: the publisher is paid or the buyer pays.",
  converted_at: "When the call converted, in UTC; null where it has not.",
  headers: "Headers of the request.",
  body: "The body.",
  method: "HTTP method.",
  number: "Phone number in E.164, such as +12125550123.",
  inbound_rtb_id: "Name of the endpoint in the address of its pings.",
  total_routes: "Routes that are open.",
  allocated_count: "Numbers that were handed out.",
  event_type_id: "The event, such as `call.completed`.",
  url: "Address.",
  transaction_id: "Your id of the request: a repeat gets the first one's answer and changes nothing.",
  outgoing_webhook_config_id: "Id of the outgoing webhook.",
  incoming_webhook_config_id: "Id of the incoming webhook.",
  webhook_config_name: "Name of the webhook.",
  webhook_config_type: "Type of the webhook.",
  call_log_id: "Id of the call; null where none was found.",
  query_string: "Query of the request.",
  path: "Path.",
  source_ip: "Address that the request came from.",
  response_status_code: "HTTP status of the answer; null without one.",
  response_body: "Body of the answer, cut where it is long.",
  response_headers: "Headers of the answer.",
  response_time_ms: "Milliseconds until the answer.",
  call_id: "Id of the call.",
  call_sid: "The carrier's id of the call.",
  caller_id: "The caller's number in E.164.",
  caller_state: "The caller's state, two letters.",
  caller_zip: "The caller's ZIP code.",
  started_at: "When it began, in UTC.",
  connected_at: "When the call was answered, in UTC; null where nobody has.",
  ended_at: "When it ended, in UTC; null while it goes on.",
  ivr_duration: "Seconds in menus.",
  connect_duration: "Seconds from answer to end.",
  termination_by: "Who ended the call.",
  failure_reason: "Why the call was not connected.",
  attempts: "How often a destination was tried.",
  revenue_overridden: "Whether its amounts were corrected later.",
  is_duplicate: "Whether an earlier call of the caller makes it a duplicate.",
  duplicate_of: "Id of that call.",
  repeat_caller: "Whether the caller has called before.",
  tcpa_result: "What the list of blocked numbers said.",
  recording_url: "Address of the recording.",
  tags: "Tags of the call by name.",
  zip_code: "ZIP code.",
} as const;

/** The meaning of a table's rows, and of those columns that have one of their own. */
interface Texts<Column extends string> {
  readonly row: string;
  readonly columns: Readonly<Record<Exclude<Column, keyof typeof columnTexts>, string>> &
    Readonly<Partial<Record<Column, string>>>;
}

const version = "Rises by one with each event of the call.";

const publicTexts: { readonly [Table in PublicTable]: Texts<(typeof publicColumns)[Table][number]> } = {
  calls: {
    row: "A call as it stands after its last event.",
    columns: {
      version,
      duration: "Seconds from beginning to end.",
      status: "State of the call, such as completed or failed.",
      configured_revenue: "Dollars that the buyer's terms had for the call when it was routed.",
      configured_payout: "Dollars that the publisher's terms had for the call when it was routed.",
    },
  },
  call_events: {
    row: "One of the events of a call's life, with the call as it stood after it.",
    columns: {
      id: "Id of the event.",
      occurred_at: "When it happened, in UTC.",
      event: "Name of the event, such as call.completed.",
      version,
      started_at: "When the call began, in UTC.",
      status: "State of the call after the event.",
    },
  },
  outgoing_webhook_requests: {
    row: "An attempt to deliver a webhook.",
    columns: {
      id: "Id of the attempt.",
      event_id: "Id of the event that is delivered.",
      attempt: "Number of the attempt, from 1; a redelivery counts from 1 again.",
      outcome: "What came of the attempt, such as delivered or timeout.",
      error: "What went wrong, in words; null where it was delivered.",
      next_attempt_at: "When the next attempt is due, in UTC; null for the last one.",
      delivery_id: "Id that all attempts of a delivery have.",
      trigger: "What began the attempt: automatic, manual or probe.",
      error_class: "Kind of the failure, such as http_5xx; null where it was delivered.",
      remote_address: "Network address that the request went to.",
      dns_ms: "Milliseconds for finding the host; null on an open connection.",
      connect_ms: "Milliseconds for connecting; null on an open connection.",
      first_byte_ms: "Milliseconds from the beginning of the attempt to the first byte of the answer.",
    },
  },
  incoming_webhook_requests: { row: "A request of a customer's system.", columns: { id: "Id of the request." } },
  inbound_rtb_requests: {
    row: "A publisher's ping of an inbound RTB endpoint.",
    columns: {
      state: "The caller's state, two letters.",
      params: "What the publisher sent, by name.",
      outcome: "How the ping was answered.",
      reason: "Why no route is open.",
      best_payout: "Highest payout of the open routes, in dollars; null without one.",
      processing_ms: "Milliseconds until the answer.",
    },
  },
  outbound_rtb_requests: {
    row: "A ping to a buyer by an RTB formula, with its bid.",
    columns: {
      id: "Id of the ping.",
      outcome: "What came of the ping, such as a bid or a time-out.",
      reason: "Why there is no bid, why it does not count, or lost_auction; null for others.",
      bid: "Dollars that the buyer bids; null without a bid.",
      effective_bid:
        "Dollars of the bid where it counts, as the winner's last step left it; null where it was refused.",
      duration: "Seconds of connected time that the buyer asks for.",
      phone_number: "Number that the buyer wants the call at.",
      score:
        "What the auction of a group ranks the bid by: its dollars, or those expected of it; null outside of one, and for a bid that was refused.",
      won: "Whether the bid won the call.",
      total_ms: "Milliseconds of all steps together.",
      steps_count: "Steps that ran.",
    },
  },
  audit_logs: {
    row: "A change of the setup.",
    columns: {
      id: "Id of the change.",
      created_at: "When it was changed, in UTC.",
      actor_type: "Who changed it: api_key, user or system.",
      actor_id: "Id of the key, the user or the command.",
      actor_name: "Name of the key or the command.",
      action: "What was done, such as create, update or delete.",
      entity_type: "Type of what was changed, such as campaign.",
      entity_id: "Id of what was changed.",
      entity_name: "Name of what was changed.",
      changes: "List of the changed fields: field, old and new value.",
    },
  },
};

export interface DescribedTable {
  readonly table: string;
  readonly row: string;
  readonly columns: readonly { readonly name: string; readonly meaning: string }[];
}

const traces: DescribedTable = {
  table: "call_traces",
  row: "A step of routing a call.",
  columns: [
    { name: "org_id", meaning: columnTexts.org_id },
    { name: "occurred_at", meaning: "When it happened, in UTC." },
    { name: "id", meaning: "Id of the step." },
    { name: "call_id", meaning: columnTexts.call_id },
    { name: "event", meaning: "Name of the step, such as route.skipped." },
    { name: "detail", meaning: "What is known of the step, by name." },
  ],
};

/** The tables that an engine describes to people who open it with tools of their own. */
export const describedTables: readonly DescribedTable[] = [
  ...Object.entries(publicTexts).map(([table, { row, columns }]): DescribedTable => {
    const texts: Readonly<Record<string, string>> = { ...columnTexts, ...columns };
    const names = publicColumns[table as PublicTable];
    return { table, row, columns: names.map((name) => ({ name, meaning: texts[name] ?? "" })) };
  }),
  traces,
];
