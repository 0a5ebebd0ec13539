import { openOpenAiModel } from "../assistant/llm/model-openai.ts";
import { createLlmPlanner } from "../assistant/llm/planner-llm.ts";
import { offlinePlanner, type Planner } from "../assistant/planning.ts";
import type { Clock } from "../ingest/clock.ts";
import type { GuardedSelect } from "../warehouse/guarded/guarded.ts";
import type { Settings } from "./settings.ts";

export interface PlannerDeps {
  readonly guarded: GuardedSelect;
  readonly clock: Clock;
  onTrouble(error: unknown): void;
}

/** Who understands the assistant's questions: the language model that the settings name, or rules alone. */
export function openPlanner(settings: Settings, deps: PlannerDeps): Planner {
  const { OPENAI_API_KEY: apiKey, OPENAI_BASE_URL: baseUrl, OPENAI_MODEL, ASSISTANT_SEND_VALUES } = settings;
  if (apiKey === undefined) return offlinePlanner;
  const model = openOpenAiModel({ apiKey, baseUrl, model: OPENAI_MODEL });
  return createLlmPlanner({ ...deps, model, engine: deps.guarded.engine, sendValues: ASSISTANT_SEND_VALUES });
}
