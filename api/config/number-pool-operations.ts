import { z } from "zod";
import { conflict, notFound } from "../serve/errors.ts";
import { defineOperation, type Operation } from "../serve/operation.ts";
import { pageOf, pageQuery, toPage } from "../serve/pages.ts";
import type { Document } from "./document.ts";
import { answerSchema } from "./resource.ts";
import { actorOf, type ConfigOperationsDeps, exampleAnswer } from "./resource-operations.ts";
import { number, numberTaken } from "./resources/number.ts";
import { numberPool } from "./resources/number-pool.ts";
import type { EditById } from "./service.ts";

const id = z.string().min(1).max(64);
const params = z.object({ number_pool_id: id });
const about = { tag: "Number pools", access: "api_key", limit: "api", status: 200 } as const;
const base = "/api/v1/number-pools/{number_pool_id}/numbers";

/** Operations on the members of number pools. A number names its pool; the pool counts its members. */
export function numberPoolOperations({ service }: Pick<ConfigOperationsDeps, "service">): Operation[] {
  return [
    defineOperation({
      ...about,
      method: "get",
      path: base,
      params,
      name: "listNumbersOfPool",
      summary: "List the numbers of a pool",
      query: pageQuery,
      answer: pageOf(answerSchema(number)),
      errors: [404],
      async handle({ caller, params: { number_pool_id }, query: { limit, offset, sort_direction } }) {
        await service.get(numberPool, caller.orgId, number_pool_id);
        const options = { limit, offset, direction: sort_direction, filters: { number_pool_id } };
        const { items, total } = await service.list(number, caller.orgId, options);
        return toPage(items, total, { limit, offset });
      },
    }),
    defineOperation({
      ...about,
      method: "post",
      path: base,
      params,
      name: "addNumbersToPool",
      summary: "Put numbers into a pool, all of them or none",
      body: z.object({ number_ids: z.array(id).min(1).max(500) }),
      example: { number_ids: ["NUMBER_ID"] },
      answer: answerSchema(numberPool),
      answerExample: exampleAnswer(numberPool),
      errors: [404, 409],
      async handle(request) {
        const { number_pool_id } = request.params;
        const ids = [...new Set(request.body.number_ids)];
        const moves = ids.map((each) => ({ definition: number, ...joinPool(each, number_pool_id) }));
        return service.editAll(actorOf(request), [
          ...moves,
          { definition: numberPool, ...grow(number_pool_id, ids.length) },
        ]);
      },
    }),
    defineOperation({
      ...about,
      method: "delete",
      path: `${base}/{number_id}`,
      params: params.extend({ number_id: id }),
      name: "removeNumberFromPool",
      summary: "Take a number out of a pool",
      answer: answerSchema(numberPool),
      answerExample: exampleAnswer(numberPool),
      errors: [404, 409],
      async handle(request) {
        const { number_pool_id, number_id } = request.params;
        return service.editAll(actorOf(request), [
          { definition: number, ...leavePool(number_id, number_pool_id) },
          { definition: numberPool, ...grow(number_pool_id, -1) },
        ]);
      },
    }),
  ];
}

const joinPool = (numberId: string, poolId: string): EditById => ({
  id: numberId,
  action: "update",
  apply(doc: Document) {
    if (doc.is_held === false) throw numberTaken(String(doc.number));
    if (doc.number_pool_id === null) return { ...doc, number_pool_id: poolId };
    const where = doc.number_pool_id === poolId ? "this pool" : `the pool ${String(doc.number_pool_id)}`;
    throw conflict(`The number ${String(doc.number)} is in ${where} already: a number is in one pool only.`);
  },
});

const leavePool = (numberId: string, poolId: string): EditById => ({
  id: numberId,
  action: "update",
  apply(doc: Document) {
    if (doc.number_pool_id === poolId) return { ...doc, number_pool_id: null };
    throw notFound(`The number ${numberId} of this pool`);
  },
});

const grow = (poolId: string, by: number): EditById => ({
  id: poolId,
  action: "update",
  apply(doc: Document) {
    const size = Number(doc.numbers_count) + by;
    if (by > 0 && typeof doc.max_size === "number" && size > doc.max_size) {
      throw conflict(`The pool "${String(doc.name)}" takes ${doc.max_size} numbers at most; it would have ${size}.`);
    }
    return { ...doc, numbers_count: size };
  },
});
