import type { Resource } from "../../config/registry.ts";
import type { Destination as MenuDestination } from "../../config/resources/destination.ts";
import type { DialPlanItem } from "./dial-plan.ts";

type Menu = Resource<"ivr">;

/** A menu that is waiting for the caller. */
export interface Asked {
  readonly ivr_id: string;
  /** Times that it has asked the caller, this one included. */
  readonly times: number;
}

/** Outcome of a digit, or of none in time. */
export type MenuAnswer =
  | { readonly kind: "chosen"; readonly tag: string; readonly value: string; readonly next: DialPlanItem }
  | { readonly kind: "again" }
  /** No choice after the last retry; `next` null is a hangup. */
  | {
      readonly kind: "given_up";
      readonly reason: "menu_no_input" | "menu_invalid_input";
      readonly next: DialPlanItem | null;
    };

/** Returns a choice's destination, or after the last retry that for no input or for invalid input. */
export function answerMenu(menu: Menu, { times }: Asked, digits: string): MenuAnswer {
  const chosen = menu.menu.find(({ digit }) => digit === digits.charAt(0));
  if (chosen !== undefined) {
    const value = chosen.label ?? chosen.digit;
    return { kind: "chosen", tag: menu.choice_tag, value, next: toItem(chosen.destination) };
  }
  if (times <= menu.max_retries) return { kind: "again" };
  const [reason, to] =
    digits === "" ? (["menu_no_input", menu.no_input] as const) : (["menu_invalid_input", menu.invalid_input] as const);
  return { kind: "given_up", reason, next: to === undefined ? null : toItem(to) };
}

/** The one place that a destination names; its schema sees to it that it names one. */
function toItem({ target_id, rtb_formula_id, rtb_group_id, ivr_id, routing_plan_id }: MenuDestination): DialPlanItem {
  if (target_id !== undefined) return { kind: "place", to: "target", id: target_id };
  if (rtb_formula_id !== undefined) return { kind: "place", to: "rtb_formula", id: rtb_formula_id };
  if (rtb_group_id !== undefined) return { kind: "place", to: "rtb_group", id: rtb_group_id };
  if (ivr_id !== undefined) return { kind: "menu", id: ivr_id, route_id: null };
  return { kind: "plan", id: routing_plan_id ?? "" };
}
