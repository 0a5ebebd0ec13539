import { readFileSync } from "node:fs";
import {
  type BiUser,
  biPolicies,
  changeableSettings,
  definerGrants,
  fixedSettings,
  loginGrants,
  toBiUser,
} from "../../warehouse/bi-users/bi-user.ts";
import { toPolicies } from "../../warehouse/guarded/row-policies-clickhouse.ts";
import { publicColumns } from "../../warehouse/public-tables.ts";

/** The users of a test server, with the one password of all of them. */
export const password = "for-tests";
/** Owns the tables, as the image of compose.yaml makes it. */
export const owner = "trunkline";
/** Runs the SQL of analysts. */
export const guard = "trunkline_guard";
/** The guard's grants without its row policies. */
export const stray = "trunkline_stray";

/** The database of compose.yaml: the guard's grants are for it, and here its row policies. */
export const policedDatabase = "trunkline";
/** This server knows no custom settings (`SQL_…`); this one of its own takes any text, too. */
export const keySetting = "log_comment";

/** Every table of an organization's rows; a test holds it against the engine's own list. */
export const policedTables = [
  ...[...Object.keys(publicColumns), "call_traces"].map((table) => `stored_${table}`),
  "stored_past_calls",
  "loader_counts",
  "guard_keys",
];

const element = (name: string, content: string): string => `<${name}>${content}</${name}>`;
const escaped = (text: string): string => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

/** Grants for the databases that tests make, beside those for the one of compose.yaml. */
const testGrants = ["GRANT SELECT ON test_*.*", "GRANT SHOW DATABASES ON test_*.*"]
  .map((grant) => element("query", grant))
  .join("");

/**
 * The server has no place to keep the policies that SQL makes: they stand in the file of users, the filters those that
 * the platform makes policies of.
 */
function policies(): string {
  const filters = toPolicies({ database: policedDatabase, tables: policedTables, setting: keySetting })
    .map(({ table, filter }) => element(table, element("filter", escaped(filter))))
    .join("\n");
  return element("databases", element(policedDatabase, filters));
}

/** The users that compose.yaml ships, as they stand there. */
function shippedUsers(): string {
  const composition = readFileSync(new URL("../../compose.yaml", import.meta.url), "utf8");
  const [shipped] = /<clickhouse>.*<\/clickhouse>/s.exec(composition) ?? [];
  if (shipped === undefined) throw new Error("compose.yaml has no users of ClickHouse.");
  return shipped;
}

/** Organizations whose users for BI tools the server has, and one whose views run without row policies. */
export const biUsers = {
  one: toBiUser(policedDatabase, "org_one"),
  two: toBiUser(policedDatabase, "org_two"),
  stray: toBiUser(policedDatabase, "org_stray"),
} as const;

/** What the platform has SQL make, as a file of users: the server has no place to keep users that SQL makes. */
function biUserElements(user: BiUser, isPoliced: boolean): string {
  const grants = (all: readonly string[]): string =>
    element("grants", all.map((grant) => element("query", `GRANT ${escaped(grant)}`)).join(""));
  const filters = biPolicies(user).map(({ table, filter }) => element(table, element("filter", escaped(filter))));
  const databases = isPoliced ? element("databases", element(user.source, filters.join(""))) : "";
  const nowhere =
    "<no_password/><networks><ip>192.0.2.1</ip></networks><profile>default</profile><quota>default</quota>";
  const login = `${element("password", password)}<networks><ip>::/0</ip></networks><profile>${user.username}</profile>
    <quota>default</quota>${element("default_database", user.database)}`;
  return `${element(user.definer, `${nowhere}${grants(definerGrants(user))}${databases}`)}
    ${element(user.username, `${login}${grants(loginGrants(user))}`)}`;
}

function biProfile({ username }: BiUser): string {
  const values = Object.entries(fixedSettings).map(([name, value]) => element(name, String(value)));
  const constraints = [
    ...Object.keys(fixedSettings).map((name) => element(name, "<const/>")),
    ...changeableSettings.map((name) => element(name, "<changeable_in_readonly/>")),
  ];
  return element(username, `${values.join("")}${element("constraints", constraints.join(""))}`);
}

function biUsersFile(): string {
  const all = Object.values(biUsers);
  const users = all.map((user) => biUserElements(user, user !== biUsers.stray));
  return element(
    "clickhouse",
    `${element("profiles", all.map(biProfile).join(""))}${element("users", users.join(""))}`,
  );
}

/** Files of users, by name: those of the image, and what compose.yaml and the tests add to them. */
export function usersFiles(ownerPassword: string): Readonly<Record<string, string>> {
  const anyone = "<networks><ip>::/0</ip></networks><profile>default</profile><quota>default</quota>";
  const image = element(
    "clickhouse",
    `<profiles><default/></profiles><quotas><default/></quotas>
     <users>
       <!-- The process itself runs as this one. -->
       <default><no_password/>${anyone}${element("grants", element("query", "GRANT SYSTEM LISTEN ON *.*"))}</default>
       ${element(owner, `${element("password", ownerPassword)}${anyone}<access_management>1</access_management>`)}
     </users>`,
  );
  const [, guardElement] = new RegExp(`<${guard}>(.*?)</${guard}>`, "s").exec(shippedUsers()) ?? [];
  if (guardElement === undefined) throw new Error(`compose.yaml has no user ${guard}.`);
  const granted = guardElement.replace("</grants>", `${testGrants}</grants>`);
  const users = shippedUsers().replace(
    element(guard, guardElement),
    () => `${element(guard, granted + policies())}${element(stray, granted)}`,
  );
  return { "users.xml": image, "users.d/trunkline-assistant.xml": users, "users.d/trunkline-bi.xml": biUsersFile() };
}
