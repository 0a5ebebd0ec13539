import { defineOperation, type Operation } from "../serve/operation.ts";
import { actorOf, atOne, type ConfigOperationsDeps, idOf } from "./operation-parts.ts";
import { pauseSchema } from "./pause.ts";
import { answerSchema, type ResourceDefinition } from "./resource.ts";

/** Pause and resume of one kind of resource. */
export function pauseOperations(definition: ResourceDefinition, { service, clock }: ConfigOperationsDeps): Operation[] {
  const one = atOne(definition);
  const shared = {
    ...one,
    path: `${one.path}/pause`,
    status: 200,
    answer: answerSchema(definition),
    errors: [404, 409],
  } as const;
  return [
    defineOperation({
      ...shared,
      method: "post",
      summary: `Pause a ${definition.title.one}, for a time or until it is resumed`,
      body: pauseSchema(clock.now),
      bodyOptional: true,
      example: { duration_minutes: 60 },
      handle: (request) =>
        service.pause(definition, actorOf(request), { id: idOf(definition, request), request: request.body }),
    }),
    defineOperation({
      ...shared,
      method: "delete",
      summary: `Resume a ${definition.title.one}`,
      handle: (request) => service.resume(definition, actorOf(request), idOf(definition, request)),
    }),
  ];
}
