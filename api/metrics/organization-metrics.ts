import { Gauge, Registry } from "prom-client";

/** Tokens and dollars of this month, in UTC; the cost is null where no price was set. */
export interface MonthlyUsage {
  readonly input_tokens: number;
  readonly output_tokens: number;
  readonly cost_usd: number | null;
}

/** Reads this month's use of the language model: of the `most` organizations that used most, and the sum over all. */
export type ReadUsage = (most: number) => Promise<{
  readonly greatest: readonly (MonthlyUsage & { readonly orgId: string })[];
  readonly all: MonthlyUsage;
}>;

/** There may be any number of organizations: more than these would be too many series. */
const mostOrganizations = 100;

/**
 * Metrics by organization, in a registry of their own, since their labels name customers. They are read from the
 * database, so that every process tells the same.
 */
export function organizationMetrics() {
  const registry = new Registry();
  let read: ReadUsage = async () => ({ greatest: [], all: { input_tokens: 0, output_tokens: 0, cost_usd: null } });

  const gauge = (unit: string, help: string, of: (usage: MonthlyUsage) => number | null) => {
    const made = new Gauge({
      name: `trunkline_assistant_model_month_${unit}`,
      help: `${help} this month (UTC), by organization; those beyond the ${mostOrganizations} that used most are "other".`,
      labelNames: ["org_id"],
      registers: [registry],
      async collect() {
        const { greatest, all } = await read(mostOrganizations);
        made.reset();
        for (const each of greatest) made.set({ org_id: each.orgId }, of(each) ?? 0);
        if (greatest.length < mostOrganizations) return;
        const told = greatest.reduce((sum, each) => sum + (of(each) ?? 0), 0);
        made.set({ org_id: "other" }, (of(all) ?? 0) - told);
      },
    });
  };
  gauge("cost_dollars", "What the language model cost by the prices that are set,", ({ cost_usd }) => cost_usd);
  gauge("input_tokens", "Tokens sent to the language model", ({ input_tokens }) => input_tokens);
  gauge("output_tokens", "Tokens written by the language model", ({ output_tokens }) => output_tokens);

  return {
    organizations: registry,
    readOrganizations: (reads: ReadUsage): void => {
      read = reads;
    },
  };
}
