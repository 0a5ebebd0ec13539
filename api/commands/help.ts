import { describeSettings } from "../settings/settings.ts";

/** Settings that belong together, by their names. */
const areas = {
  log: /^(DATA_DIR|REDPANDA_.*)$/,
  warehouse: /^(DATA_DIR|ANALYTICS|CLICKHOUSE_.*|WAREHOUSE_.*)$/,
  config: /^(DATA_DIR|DATABASE_URL)$/,
  service: /^(?!DEMO_)/,
  demo: /^DEMO_/,
} as const;

export interface Help {
  /** How the command is called, what it does and its options: lines of up to `helpColumns` characters. */
  readonly usage: string;
  readonly reads: readonly (keyof typeof areas)[];
  /** Single settings beside them. */
  readonly also?: readonly string[];
}

/** The least that terminals have nowadays. */
export const helpColumns = 100;
const others = "All that the service reads: npm start -- --help";

/** The text of `--help` of a command: how it is used, then the settings that it reads. */
export function helpText({ usage, reads, also = [] }: Help): string {
  const settings = describeSettings().filter(
    ({ name }) => also.includes(name) || reads.some((area) => areas[area].test(name)),
  );
  const indent = 4 + Math.max(...settings.map(({ name }) => name.length));
  const lines = settings.flatMap(({ name, meaning, default: value }) =>
    wrap(value === "" ? meaning : `${meaning} [${value}]`, helpColumns - indent).map((part, index) =>
      `  ${index === 0 ? name : ""}`.padEnd(indent).concat(part),
    ),
  );
  const rest = reads.includes("service") ? [] : ["", others];
  return [usage, "", "Settings, by environment:", "", ...lines, ...rest].join("\n");
}

/** A word that is longer has a line of its own. */
function wrap(text: string, columns: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(" ")) {
    const line = lines.at(-1);
    if (line === undefined || line.length + 1 + word.length > columns) lines.push(word);
    else lines[lines.length - 1] = `${line} ${word}`;
  }
  return lines;
}
