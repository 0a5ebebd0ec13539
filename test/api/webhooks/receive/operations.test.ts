import { expect, it } from "vitest";
import { typesByPath, updateTagsBody } from "../../../../api/webhooks/receive/bodies.ts";
import { parseRequest } from "../../../../api/webhooks/receive/change-planner.ts";
import { receiveOperations } from "../../../../api/webhooks/receive/operations.ts";

it.each(receiveOperations.map(({ path, example }) => [path, example] as const))(
  "the document's example of %s is understood",
  (path, example) => {
    const type = typesByPath.get(path.slice(1));
    if (type === undefined) throw new Error(path);
    expect(parseRequest(type, example)).toMatchObject({ type, given: { transaction_id: "crm-1024" } });
  },
);

it("what a form leaves empty was not sent", () => {
  const sent = { call_id: " ", caller_id: "(212) 555-0123", transaction_id: "", add: { a: "" } };
  expect(updateTagsBody.parse(sent)).toMatchObject({
    call_id: undefined,
    caller_id: "+12125550123",
    transaction_id: null,
    add: { a: "" },
  });
  expect(updateTagsBody.safeParse({ ...sent, caller_id: "" }).error?.issues).toMatchObject([{ path: ["call_id"] }]);
});
