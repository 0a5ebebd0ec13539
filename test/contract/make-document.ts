import { orgOne, secondsIn } from "../make.ts";

/** A config document of no kind in particular. */
export const aDocument = (id: string, fields: Record<string, unknown> = {}) => ({
  id,
  org_id: orgOne,
  created_at: secondsIn(0),
  updated_at: secondsIn(0),
  name: `Name of ${id}`,
  ...fields,
});
