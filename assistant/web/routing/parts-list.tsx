import type { ApiRequest } from "../curl.ts";
import { formatCount } from "../format.ts";
import { formatClock } from "../format-time.ts";
import { dryRunHash } from "../hash-location.ts";
import { ReadProblem } from "../paged-list.tsx";
import { useZone } from "../session-context.ts";
import { ApiRequests } from "./api-request.tsx";
import { campaignHash, listHash, type PartKind, type PartRow, partKinds, partsSchema } from "./routing.ts";
import { NameSearch, Pager, RoutingHead } from "./state-list.tsx";
import { usePolled } from "./use-polled.ts";

const userHash = ({ kind, id, name }: PartRow["used_by"]["data"][number]): string =>
  kind === "campaign" ? campaignHash(id) : listHash(kind, name);

/** The things that use the part, each leading to itself. */
const UsedBy = ({ used }: { used: PartRow["used_by"] }) => {
  if (used.count === 0) return <>Nothing uses it.</>;
  return (
    <>
      Used by{" "}
      {used.data.map((user, index) => (
        <span key={user.id}>
          {index > 0 && ", "}
          <a href={userHash(user)}>{user.name}</a>
        </span>
      ))}
      {used.count > used.data.length && ` and ${formatCount(used.count - used.data.length, "other")}`}.
    </>
  );
};

/** The requests of the API that read and change the part. */
const requestsOf = ({ kind, id, is_active }: PartRow): readonly ApiRequest[] => {
  const path = `/api/v1/${partKinds[kind].path}/${id}`;
  const read: ApiRequest = { title: "Read the whole of it:", method: "GET", path };
  switch (kind) {
    case "routing_plan":
    case "number_pool":
      return [
        {
          title: is_active ? "Switch it off:" : "Switch it on:",
          method: "PATCH",
          path,
          body: { is_active: !is_active },
        },
        ...(kind === "number_pool"
          ? [{ title: "See its numbers in use, by the minute:", method: "GET", path: `${path}/stats` } as const]
          : []),
        read,
      ];
    case "rtb_group":
      return [{ title: "Rename it:", method: "PATCH", path, body: { name: "A name" } }, read];
    case "number":
      return [
        { title: "Say whose publisher's it is:", method: "PATCH", path, body: { publisher_id: "PUBLISHER_ID" } },
        read,
      ];
  }
};

const badgeOf = ({ kind, is_active, state }: PartRow): { readonly label: string; readonly tone: string } => {
  if (!is_active) return { label: kind === "number" ? "Moved away" : "Off", tone: "bad" };
  if (state === null) return { label: "On", tone: "good" };
  return { label: state.charAt(0).toUpperCase() + state.slice(1), tone: state === "available" ? "plain" : "good" };
};

const sizeWords = ({ kind, size, max_size }: PartRow): string => {
  if (size === null) return "";
  const held = formatCount(size, partKinds[kind].of);
  return `${max_size === null ? held : `${held} of ${max_size}`}. `;
};

/** The numbers of a pool that wait for a call, until when each does, and how many rest after one. */
const PoolUse = ({ in_use, resting }: Pick<PartRow, "in_use" | "resting">) => {
  const zone = useZone();
  if (in_use === null) return null;
  const rest =
    resting === null || resting === 0
      ? ""
      : ` ${formatCount(resting, "number")} ${resting === 1 ? "rests" : "rest"} after a call.`;
  if (in_use.count === 0) return <p class="soft">No number waits for a call now.{rest}</p>;
  const more = in_use.count - in_use.data.length;
  return (
    <p class="soft">
      {formatCount(in_use.count, "number")} {in_use.count === 1 ? "waits" : "wait"} for a call:{" "}
      {in_use.data.map(({ number, until }) => `${number} until ${formatClock(until, zone)}`).join(", ")}
      {more > 0 && ` and ${formatCount(more, "other")}`}.{rest}
    </p>
  );
};

const Row = ({ row }: { row: PartRow }) => {
  const { label, tone } = badgeOf(row);
  const campaign = row.used_by.data.find(({ kind }) => kind === "campaign");
  return (
    <li class="route state-row">
      <span class={`badge badge-${tone}`}>{label}</span>
      <div>
        <strong>{row.name}</strong>
        <p class="soft">
          {sizeWords(row)}
          <UsedBy used={row.used_by} />
          {row.kind === "number" && campaign !== undefined && (
            <>
              {" "}
              <a href={dryRunHash({ campaign: campaign.id, to: row.name })}>Who would take a call to it?</a>
            </>
          )}
        </p>
        <PoolUse in_use={row.in_use} resting={row.resting} />
        <ApiRequests label={`Change this ${partKinds[row.kind].one} by the API`} requests={requestsOf(row)} />
      </div>
    </li>
  );
};

/** Routing plans, RTB groups, numbers or number pools: their size, their state and what uses them. */
export const PartsList = ({ of, search, offset }: { of: PartKind; search: string; offset: number }) => {
  const query = new URLSearchParams({ kind: of, search, offset: String(offset) });
  const { found, problem, read } = usePolled(`/v1/routing/parts?${query}`, partsSchema);
  const { label, one } = partKinds[of];
  return (
    <>
      <RoutingHead of={of} />
      <div class="filters filters-first">
        <NameSearch key={of} search={search} hashOf={(name) => listHash(of, name)} />
      </div>
      {problem !== null && <ReadProblem problem={problem} onRetry={() => void read()} />}
      {found === null && problem === null && (
        <p class="soft" role="status">
          Reading…
        </p>
      )}
      {found !== null && (
        <section class="call-part" aria-label={label}>
          <p class="soft" role="status">
            {formatCount(found.meta.total, one)}
          </p>
          {found.data.length === 0 && (
            <p>{search === "" ? `There is no ${one} yet.` : `No ${one} has this in its name.`}</p>
          )}
          <ul class="routes" aria-label={label}>
            {found.data.map((row) => (
              <Row key={row.id} row={row} />
            ))}
          </ul>
          <Pager of={of} search={search} meta={found.meta} />
        </section>
      )}
    </>
  );
};
