import { Router } from "express";
import { type HistoryRows, listIncomingRequests, listOutgoingRequests } from "../../warehouse/history.ts";
import type { Row, Warehouse } from "../../warehouse/warehouse.ts";
import { eventTypeById } from "../config/event-types.ts";
import type { Authenticate } from "../serve/auth.ts";
import { parseInput } from "../serve/errors.ts";
import { pageQuery, toPage } from "../serve/pages.ts";

/** `/api/v1/webhooks`: what was sent to and received from customers' systems. */
export function historyRoutes({
  warehouse,
  authenticate,
}: {
  warehouse: Warehouse;
  authenticate: Authenticate;
}): Router {
  const router = Router();
  const serve = (path: string, list: typeof listOutgoingRequests, toRecord: (row: Row) => Row) =>
    router.get(path, async (request, response) => {
      const orgId = authenticate(request);
      const page = parseInput(pageQuery, request.query, "query");
      const { rows, total }: HistoryRows = await list(warehouse, orgId, { ...page, direction: page.sort_direction });
      response.json(toPage(rows.map(toRecord), total, page));
    });
  serve("/outgoing-requests", listOutgoingRequests, withEventType);
  serve("/incoming-requests", listIncomingRequests, (row) => row);
  return router;
}

function withEventType(row: Row): Row {
  const type = eventTypeById.get(String(row.event_type_id));
  const event_type = type ? { id: type.id, name: type.name, internal_name: type.internal_name } : null;
  return { ...row, event_type };
}
