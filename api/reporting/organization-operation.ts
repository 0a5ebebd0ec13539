import { z } from "zod";
import type { Snapshot } from "../config/snapshot.ts";
import { notFound } from "../serve/errors.ts";
import { defineOperation, type Operation } from "../serve/operation.ts";

/** Whose an access token is: what shows times to people has them in this organization's zone. */
export const organizationOperation = ({ snapshot }: { readonly snapshot: Pick<Snapshot, "config"> }): Operation =>
  defineOperation({
    method: "get",
    path: "/v1/organization",
    tag: "Reporting assistant",
    summary: "The organization of the access token, and the zone of its days",
    access: "user",
    limit: "api",
    status: 200,
    answer: z.object({ id: z.string(), name: z.string(), timezone: z.string() }),
    errors: [404],
    async handle({ caller }) {
      const organization = snapshot.config(caller.orgId)?.organization;
      if (organization === undefined) throw notFound("The organization of this token");
      const { id, name, timezone } = organization;
      return { id, name, timezone };
    },
  });
