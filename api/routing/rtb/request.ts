import { memoizeByObject } from "../../conditions/memoize.ts";
import { toJsonNumber, withQuery } from "../../outbound/escape.ts";
import type { OutboundRequest } from "../../outbound/http-client.ts";
import type { Formula, Step } from "./formula.ts";
import { type Filling, fill, fillUrl, mentions, type Names, type PingContext, wholeNumeric } from "./placeholders.ts";

/** The request of a step, and the placeholders in it that had no value. */
export interface StepRequest {
  readonly request: OutboundRequest;
  readonly unresolved: readonly string[];
}

/** The context with the formula's static ZIP in place of the caller's, where it has one. */
export const withStaticZip = (formula: Formula, context: PingContext): PingContext =>
  formula.zip_code_type === "static" ? { ...context, zip: formula.static_zip_code || null } : context;

/** A step with the rows that have a name. */
interface CompiledStep {
  readonly step: Step;
  /** The URL's parameters and the formula's own. */
  readonly queryParams: readonly Pair[];
  readonly headers: readonly Pair[];
  readonly bodyParams: readonly Pair[];
}

/** The steps of a formula, made ready once for as long as it stays as it is. */
const compileSteps = memoizeByObject(
  (formula: Formula): ReadonlyMap<Step, CompiledStep> =>
    new Map(formula.steps.map((step) => [step, compileStep(formula, step)])),
);

const compileStep = (formula: Formula, step: Step): CompiledStep => ({
  step,
  queryParams: [...named(step.query_params), ...addedParams(formula, step)],
  headers: named(step.headers).map(({ key, value }) => ({ key: key.toLowerCase(), value })),
  bodyParams: named(step.body_params),
});

/** The request of one step. */
export function toRequest(formula: Formula, step: Step, names: Names): StepRequest {
  const compiled = compileSteps(formula).get(step) ?? compileStep(formula, step);
  const filling: Filling = { names, unresolved: new Set() };
  const body = bodyOf(compiled, filling);
  const headers: Record<string, string> = body === null ? {} : { "content-type": body.type };
  for (const { key, value } of compiled.headers) headers[key] = fill(value, "header", filling);
  const url = fillUrl(step.url, filling);
  const params = compiled.queryParams.map(({ key, value }) => [key, fill(value, "plain", filling)] as const);
  const request: OutboundRequest = {
    method: step.method,
    url: params.length === 0 ? url : withQuery(url, params),
    headers,
    body: body?.text ?? null,
  };
  return { request, unresolved: [...filling.unresolved] };
}

type Pair = Step["headers"][number];

/** Leaves out rows without a name. */
const named = (pairs: readonly Pair[]): Pair[] =>
  pairs.map(({ key, value }) => ({ key: key.trim(), value })).filter(({ key }) => key !== "");

const isCallerId = (name: string): boolean => /^caller_id(_no_plus|_10|_numeric)?$/i.test(name);
const isZip = (name: string): boolean => /^zip(_code)?(_numeric)?$/i.test(name);

/** The formula's parameters for the caller and the ZIP, each where the step itself does not send it. */
function addedParams({ caller_id_param, zip_code_param }: Formula, step: Step): Pair[] {
  const pairs = [...step.headers, ...step.query_params, ...step.body_params];
  const templates = [step.url, step.raw_body, ...pairs.map(({ value }) => value)];
  const keys = new Set([...step.query_params, ...step.body_params].map(({ key }) => key.trim()));
  const sends = (param: string, is: (name: string) => boolean) =>
    keys.has(param) || templates.some((template) => mentions(template, is));
  return named([
    ...(sends(caller_id_param, isCallerId) ? [] : [{ key: caller_id_param, value: "{{caller_id}}" }]),
    ...(sends(zip_code_param, isZip) ? [] : [{ key: zip_code_param, value: "{{zip_code}}" }]),
  ]);
}

interface Body {
  readonly type: string;
  readonly text: string;
}

/** Null for no body. A raw body is used where there are no parameters. */
function bodyOf({ step, bodyParams: params }: CompiledStep, filling: Filling): Body | null {
  if (step.method === "GET") return null;
  switch (step.body_type) {
    case "none":
      return null;
    case "json":
      return toBody("application/json", params.length > 0 ? jsonOf(params, filling) : rawOf(step, "json", filling));
    case "form":
    case "urlencoded":
      return toBody(
        "application/x-www-form-urlencoded",
        params.length > 0 ? formOf(params, filling) : rawOf(step, "form", filling),
      );
    case "xml":
      return toBody("application/xml", rawOf(step, "xml", filling));
    case "raw":
      return toBody("text/plain; charset=utf-8", rawOf(step, "plain", filling));
  }
}

const toBody = (type: string, text: string): Body | null => (text === "" ? null : { type, text });

const rawOf = ({ raw_body }: Step, encoding: "json" | "form" | "xml" | "plain", filling: Filling): string =>
  fill(raw_body, encoding, filling);

/** One flat object: a key with dots in it stays one key. */
const jsonOf = (params: readonly Pair[], filling: Filling): string =>
  JSON.stringify(Object.fromEntries(params.map(({ key, value }) => [key, jsonValue(value, filling)])));

function jsonValue(template: string, filling: Filling): string | number | null {
  const numeric = wholeNumeric(template);
  const text = fill(template, "plain", filling);
  return numeric === null ? text : toJsonNumber(text);
}

const formOf = (params: readonly Pair[], filling: Filling): string =>
  new URLSearchParams(
    params.map(({ key, value }): [string, string] => [key, fill(value, "plain", filling)]),
  ).toString();
