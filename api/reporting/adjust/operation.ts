import { actorOf } from "../../config/resource-operations.ts";
import { defineOperation, type Operation } from "../../serve/operation.ts";
import type { Adjuster } from "./adjuster.ts";
import { adjustmentsBody } from "./body.ts";
import { adjustmentsAnswer } from "./plan.ts";

/** Bulk payout adjust (semantics 7.6). */
export const adjustmentOperation = ({ adjuster }: { readonly adjuster: Adjuster }): Operation =>
  defineOperation({
    method: "post",
    path: "/api/v1/reports/payout-adjustments",
    tag: "Reports",
    summary: "Correct what up to 500 calls are worth, each row by itself; a transaction_id counts once",
    access: "api_key",
    limit: "api",
    body: adjustmentsBody,
    example: { adjustments: [{ call_id: "CALL_ID", payout: 25, reason: "agreed with the publisher" }] },
    status: 200,
    answer: adjustmentsAnswer,
    errors: [409, 503],
    handle: (request) => adjuster.adjust(actorOf(request), request.body),
  });
