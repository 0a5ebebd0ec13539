import { describe, expect, it } from "vitest";
import { toDocument } from "../../../api/config/registry.ts";
import { demoHistory } from "../../../api/demo/history.ts";
import { buyerTerms, publisherTerms } from "../../../api/routing/payout.ts";
import type { CallTrace } from "../../../ingest/trace.ts";
import { collect, messagesOf, now, organizations } from "./collected.ts";

const history = collect(messagesOf(2500));
const calls = [...history.calls.values()];
const share = <T>(all: readonly T[], holds: (one: T) => boolean) => all.filter(holds).length / all.length;
const countBy = <T>(all: readonly T[], keyOf: (one: T) => string) => {
  const counts = new Map<string, number>();
  for (const one of all) counts.set(keyOf(one), (counts.get(keyOf(one)) ?? 0) + 1);
  return counts;
};

describe("the demo's history", () => {
  it("is byte for byte the same for the same seed, calls and now", () => {
    expect(messagesOf(300)).toEqual(messagesOf(300));
  });

  it("is another one for another seed", () => {
    expect(messagesOf(50, 8)).not.toEqual(messagesOf(50));
  });

  it("has as many calls as it was asked for, in chunks that add up", () => {
    expect(calls).toHaveLength(2500);
    const chunks = [...demoHistory(organizations, { seed: 7, calls: 1201, now, days: 90 })];
    expect(chunks.reduce((sum, chunk) => sum + chunk.calls, 0)).toBe(1201);
    expect(chunks.length).toBeGreaterThan(2);
  });

  it("comes in order of time", () => {
    const times = history.messages.map(({ value }) => {
      const { at, created_at, occurred_at } = JSON.parse(value) as Record<string, string | undefined>;
      return at ?? created_at ?? occurred_at ?? "";
    });
    expect(times).toEqual(times.toSorted());
  });

  it("holds nothing later than now and nothing before its days", () => {
    const [first, last] = [new Date(now - 91 * 86_400_000).toISOString(), new Date(now).toISOString()];
    // Config is a month older.
    const ofCalls = history.messages.filter(({ topic }) => topic !== "audit-log");
    const times = ofCalls.flatMap(({ value }) => value.match(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g) ?? []);
    expect(times.filter((time) => time > last || time < first)).toEqual([]);
  });

  it("ends every call, without sending a webhook for it", () => {
    for (const call of calls) expect(["completed", "failed"]).toContain(call.status);
    const attached = [...history.signals.values()]
      .flat()
      .filter((signal) => "webhook_ids" in signal && signal.webhook_ids.length > 0);
    expect(attached).toEqual([]);
  });

  it("dials on the terms of the config, or on a bid that was won", () => {
    const documents = organizations.flatMap((organization) => organization.documents);
    const targets = new Map(
      documents.flatMap(({ type, doc }) => (type === "target" ? [[doc.id, buyerTerms(toDocument(type, doc))]] : [])),
    );
    const items = new Map(
      documents.flatMap(({ type, doc }) => {
        if (type !== "campaign") return [];
        const campaign = toDocument(type, doc);
        return campaign.number_group_items.map((item) => [
          item.number_id,
          publisherTerms({ campaign, item }, undefined),
        ]);
      }),
    );
    const bids = new Map(history.outbound.filter(({ won }) => won).map((bid) => [bid.call_id, bid.effective_bid]));
    for (const signal of [...history.signals.values()].flat()) {
      if (signal.kind === "incoming") expect(signal.publisher_terms).toEqual(items.get(signal.number_id ?? ""));
      if (signal.kind !== "dialing") continue;
      if (signal.rtb_id === null) expect(signal.buyer_terms).toEqual(targets.get(signal.target?.id ?? ""));
      else expect(signal.buyer_terms.revenue).toBe(bids.get(signal.call_id));
    }
  });
});

describe("the shape of the demo's calls", () => {
  it("has more calls on a weekday than on a day of the weekend, by day more than by night", () => {
    const local = new Intl.DateTimeFormat("en-US", {
      timeZone: "America/New_York",
      weekday: "short",
      hour: "2-digit",
      hourCycle: "h23",
    });
    const parts = calls.map(({ started_at }) => {
      const found = local.formatToParts(new Date(started_at));
      return {
        day: found.find(({ type }) => type === "weekday")?.value ?? "",
        hour: Number(found.find(({ type }) => type === "hour")?.value),
      };
    });
    const weekend = share(parts, ({ day }) => day === "Sat" || day === "Sun");
    expect(weekend).toBeGreaterThan(0.08);
    expect(weekend).toBeLessThan(0.22);
    expect(share(parts, ({ hour }) => hour >= 9 && hour < 20)).toBeGreaterThan(0.75);
    expect(share(parts, ({ hour }) => hour < 6)).toBeGreaterThan(0.005);
  });

  it("grows", () => {
    const middle = new Date(now - 45 * 86_400_000).toISOString();
    expect(share(calls, ({ started_at }) => started_at > middle)).toBeGreaterThan(0.52);
  });

  it("converts 35 to 60 % of the calls, campaigns and publishers unlike each other", () => {
    expect(share(calls, ({ converted }) => converted)).toBeGreaterThan(0.35);
    expect(share(calls, ({ converted }) => converted)).toBeLessThan(0.6);
    const rates = [...countBy(calls, ({ publisher_name }) => publisher_name ?? "").keys()].map((name) =>
      share(
        calls.filter((call) => call.publisher_name === name),
        ({ converted }) => converted,
      ),
    );
    expect(Math.max(...rates) - Math.min(...rates)).toBeGreaterThan(0.15);
  });

  it("earns more than it pays", () => {
    const sum = (key: "revenue" | "payout") => calls.reduce((total, call) => total + (call[key] ?? 0), 0);
    expect(sum("revenue")).toBeGreaterThan(sum("payout") * 1.1);
    expect(sum("payout")).toBeGreaterThan(0);
  });

  it("comes from at least 45 states", () => {
    expect(new Set(calls.flatMap(({ caller_state }) => caller_state ?? [])).size).toBeGreaterThanOrEqual(45);
  });

  it("fails for every usual reason, and fails over", () => {
    const reasons = new Set(calls.map(({ failure_reason }) => failure_reason));
    for (const reason of ["no_answer", "busy", "failed", "no_eligible_route", "caller_hangup", "tcpa_blocked"])
      expect(reasons).toContain(reason);
    expect(share(calls, ({ status }) => status === "failed")).toBeLessThan(0.2);
    expect(calls.some(({ attempts, status }) => attempts > 1 && status === "completed")).toBe(true);
  });

  it("has callers who call again, and duplicates that name a call of the same caller", () => {
    expect(share(calls, ({ repeat_caller }) => repeat_caller)).toBeGreaterThan(0.08);
    const duplicates = calls.filter(({ is_duplicate }) => is_duplicate);
    expect(duplicates.length / calls.length).toBeGreaterThan(0.05);
    for (const call of duplicates) expect(history.calls.get(call.duplicate_of ?? "")?.caller_id).toBe(call.caller_id);
  });

  it("gives one organization clearly more calls, and keeps both apart", () => {
    const counts = countBy(calls, ({ org_id }) => org_id);
    const [first, second] = organizations.map(({ org_id }) => counts.get(org_id) ?? 0);
    expect(first).toBeGreaterThan((second ?? 0) * 2);
    for (const { org_id, documents } of organizations) {
      const ids = new Set(documents.map(({ doc }) => doc.id));
      for (const call of calls.filter((one) => one.org_id === org_id))
        expect(ids.has(call.campaign_id ?? "")).toBe(true);
    }
  });

  it("has attribution and custom tags", () => {
    const keys = new Set(calls.flatMap(({ tags }) => Object.keys(tags)));
    for (const key of ["utm_source", "utm_campaign", "gclid", "keyword", "lead_type", "age_band"])
      expect(keys).toContain(key);
  });
});

describe("the demo's webhook requests", () => {
  it("tells of events of real calls with their figures", () => {
    const byId = new Map<string, (typeof history.events)[number]>(history.events.map((event) => [event.id, event]));
    for (const request of history.outgoing) {
      const event = byId.get(request.event_id ?? "");
      expect(event?.event).toBe(request.event_type_id);
      if (request.event_type_id !== "call.completed" || event === undefined) continue;
      const { revenue, payout, converted } = JSON.parse(request.body ?? "") as Record<string, string>;
      expect([revenue, payout, converted]).toEqual([event.revenue, event.payout, event.converted].map(String));
    }
  });

  it("makes at most two attempts a call on average, some failing and tried again until they are taken", () => {
    expect(history.outgoing.length).toBeLessThan(calls.length * 2);
    const outcomes = countBy(history.outgoing, ({ outcome }) => outcome);
    for (const outcome of ["delivered", "refused", "timeout", "network_error"])
      expect(outcomes.get(outcome) ?? 0).toBeGreaterThan(0);
    expect(new Set(history.outgoing.map(({ attempt }) => attempt))).toContain(3);
    expect(share(history.outgoing, ({ outcome }) => outcome === "delivered")).toBeGreaterThan(0.85);
  });

  it("shows no credential", () => {
    for (const { headers } of history.outgoing) expect(headers["authorization"]).toBe("***");
    for (const { query_string } of history.incoming) expect(query_string).toBe("svc_auth_key=***");
  });

  it("receives requests of all four types, some refused", () => {
    expect(new Set(history.incoming.map(({ webhook_config_type }) => webhook_config_type)).size).toBe(4);
    expect(new Set(history.incoming.map(({ response_status_code }) => response_status_code))).toEqual(
      new Set([200, 401, 409, 422]),
    );
  });

  it("gives every record an id of its own", () => {
    const ids = [...history.outgoing, ...history.incoming, ...history.outbound].map(({ id }) => id);
    ids.push(...history.inbound.map(({ request_id }) => request_id));
    expect(new Set(ids).size).toBe(ids.length);
  });
});

describe("the demo's RTB requests", () => {
  it("asks before about a quarter of the calls, and is often asked in vain", () => {
    const asked = history.inbound.filter(({ call_id }) => call_id !== null);
    expect(asked.length / calls.length).toBeGreaterThan(0.18);
    expect(asked.length / calls.length).toBeLessThan(0.32);
    expect(asked.length / history.inbound.length).toBeLessThan(0.6);
    for (const { call_id, request_id } of asked)
      expect(history.calls.get(call_id ?? "")?.inbound_request_id).toBe(request_id);
  });

  it("shows every outcome", () => {
    expect([...countBy(history.inbound, ({ outcome }) => outcome).keys()].sort()).toEqual([
      "cached",
      "error",
      "no_routes",
      "rate_limited",
      "refused",
      "routes",
    ]);
    expect([...countBy(history.outbound, ({ outcome }) => outcome).keys()].sort()).toEqual([
      "bid",
      "http_error",
      "no_bid",
      "parse_error",
      "skipped",
      "timeout",
    ]);
  });

  it("lets one bid of a request win at most, the best one, and only with a call", () => {
    expect(history.outbound.length / history.inbound.length).toBeGreaterThan(1);
    const byRequest = new Map<string | null, (typeof history.outbound)[number][]>();
    for (const one of history.outbound) {
      byRequest.set(one.inbound_request_id, [...(byRequest.get(one.inbound_request_id) ?? []), one]);
    }
    for (const requests of byRequest.values()) {
      const won = requests.filter((one) => one.won);
      expect(won.length).toBeLessThanOrEqual(1);
      for (const winner of won) {
        expect(winner.call_id).not.toBeNull();
        expect(winner.bid).toBe(Math.max(...requests.map(({ bid }) => bid ?? 0)));
      }
    }
  });

  it("keeps with each ping what it was offered, who was left out, and its life in order", () => {
    for (const ping of history.inbound) {
      expect(ping.allocations).toHaveLength(ping.outcome === "cached" ? 0 : ping.allocated_count);
      expect(ping.eligible_routes).toHaveLength(ping.allocations.length);
      const payouts = ping.eligible_routes.map(({ payout }) => payout);
      expect(payouts).toEqual(payouts.toSorted((one, other) => other - one));
      if (ping.outcome === "routes") expect(payouts[0]).toBe(ping.best_payout);
      if (ping.outcome === "no_routes") expect(ping.ineligible_routes.length).toBeGreaterThan(0);
      const times = ping.life_log.map(({ occurred_at }) => occurred_at);
      expect(times).toEqual(times.toSorted());
      expect(times[0]).toBe(ping.created_at);
      expect(ping.life_log.at(-1)?.event).toBe("ping.answered");
    }
  });

  it("keeps with each execution the steps that were sent, and with each bid the answer that gave it", () => {
    for (const { steps, steps_count, outcome, bid, total_ms } of history.outbound) {
      expect(steps).toHaveLength(steps_count);
      for (const { request_headers, response_body, duration_ms, error } of steps) {
        expect([request_headers["authorization"], duration_ms]).toEqual(["***", total_ms]);
        if (outcome === "bid") expect([JSON.parse(response_body ?? "").bid, error]).toEqual([bid, null]);
        if (outcome === "timeout") expect(response_body).toBeNull();
      }
    }
  });

  it("writes little for each of them", () => {
    const bytes = (records: readonly unknown[]) => JSON.stringify(records).length / records.length;
    expect(bytes(history.inbound)).toBeLessThan(3000);
    expect(bytes(history.outbound)).toBeLessThan(1200);
  });
});

describe("the way of the demo's calls", () => {
  it("is told of every call that was routed: its plan, each dial with its end, and why nobody was dialed", () => {
    const documents = organizations.flatMap((organization) => organization.documents);
    const plans = new Map(documents.flatMap(({ type, doc }) => (type === "routing_plan" ? [[doc.id, doc.name]] : [])));
    const lines = new Map<string, CallTrace[]>();
    for (const line of history.traces) lines.set(line.call_id, [...(lines.get(line.call_id) ?? []), line]);
    for (const [id, signals] of history.signals) {
      const call = history.calls.get(id);
      const own = lines.get(id) ?? [];
      const of = (event: string) => own.filter((line) => line.event === event);
      expect(own.map((line) => line.id)).toEqual(own.map((line) => line.id).toSorted());
      expect(of("dial.started")).toHaveLength(signals.filter(({ kind }) => kind === "dialing").length);
      expect(of("dial.failed")).toHaveLength(signals.filter(({ kind }) => kind === "dial_failed").length);
      expect(of("allocation.matched")).toHaveLength(call?.inbound_request_id ? 1 : 0);
      for (const { detail } of of("plan.selected")) expect(plans.get(String(detail["id"]))).toBe(detail["name"]);
      if (call?.failure_reason === "tcpa_blocked") expect(own.at(-1)?.event).toBe("tcpa.checked");
      else expect(of("plan.selected")).toHaveLength(1);
      if (call?.failure_reason === "no_eligible_route") expect(of("route.skipped").length).toBeGreaterThan(0);
      if (call?.connected_at) expect(of("dial.ringing").length).toBeGreaterThan(0);
    }
  });
});

describe("the demo's audit log", () => {
  const changesOf = (orgId: string) => history.audit.filter(({ org_id }) => org_id === orgId);

  it("leads from nothing to the present config", () => {
    for (const { org_id, documents } of organizations) {
      const state = new Map<string, Record<string, unknown>>();
      for (const { entity_id, action, changes } of changesOf(org_id)) {
        if (action === "create") expect(state.has(entity_id)).toBe(false);
        const fields = state.get(entity_id) ?? {};
        for (const { field, old, new: changed } of changes) {
          expect(fields[field] ?? null).toEqual(old);
          fields[field] = changed;
        }
        if (action === "delete") state.delete(entity_id);
        else state.set(entity_id, fields);
      }
      expect([...state.keys()].sort()).toEqual(documents.map(({ doc }) => doc.id).sort());
      for (const { type, doc } of documents) {
        const fields = state.get(doc.id) ?? {};
        if (type === "target") expect(fields).toMatchObject({ connection_timeout: doc.connection_timeout });
        expect(fields["pause"] ?? null).toBeNull();
        if (type === "outgoing_webhook") expect(fields["description"]).toBe(doc.description);
      }
    }
  });

  it("pauses nothing while calls are routed, has several people and actions, and no secret", () => {
    for (const { org_id } of organizations) {
      const own = changesOf(org_id);
      const pauses = own.filter(({ action }) => action === "pause");
      const resumes = own.filter(({ action }) => action === "resume");
      expect(pauses.length).toBeGreaterThan(5);
      expect(resumes).toHaveLength(pauses.length);
      const arrivals = calls.filter((call) => call.org_id === org_id).map(({ started_at }) => started_at);
      for (const [index, { created_at: from }] of pauses.entries()) {
        const to = resumes[index]?.created_at ?? "";
        expect(arrivals.filter((at) => at >= from && at <= to)).toEqual([]);
      }
    }
    expect(new Set(history.audit.map(({ actor_name }) => actor_name)).size).toBe(3);
    const actions = new Set(history.audit.map(({ action }) => action));
    expect([...actions].sort()).toEqual(["create", "delete", "pause", "resume", "update"]);
    const keys = organizations.flatMap(({ documents }) =>
      documents.flatMap(({ type, doc }) => (type === "incoming_webhook" ? [String(doc.auth_key)] : [])),
    );
    expect(keys.length).toBeGreaterThan(0);
    for (const key of keys) expect(JSON.stringify(history.audit)).not.toContain(key);
  });
});
