import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { foundCompany } from "./company.ts";
import { type Answer, done, memberClient, usePlatform } from "./use-platform.ts";

const perMinute = 5;
const maxBodyBytes = 4096;
const { rig, join } = usePlatform({
  settings: { API_RATE_LIMIT_PER_MIN: String(perMinute), MAX_BODY_BYTES: String(maxBodyBytes) },
});

const limitOf = ({ headers }: Answer) => ({
  limit: Number(headers.get("x-ratelimit-limit")),
  remaining: Number(headers.get("x-ratelimit-remaining")),
  reset: Number(headers.get("x-ratelimit-reset")),
});
const times = <T>(count: number, work: () => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, work));

describe("the limit of the external API", () => {
  it("counts down in headers, and at its end refuses with the time to try again", async () => {
    const member = await join();
    for (let left = perMinute - 1; left >= 0; left -= 1) {
      const answer = await member.get("/api/v1/buyers");
      expect([answer.status, limitOf(answer)]).toMatchObject([200, { limit: perMinute, remaining: left }]);
      expect(limitOf(answer).reset).toBeGreaterThan(0);
    }
    const refused = await member.get("/api/v1/buyers");
    expect([refused.status, refused.body.detail.code]).toEqual([429, "rate_limited"]);
    expect(limitOf(refused)).toMatchObject({ limit: perMinute, remaining: 0 });
    const retryAfter = Number(refused.headers.get("retry-after"));
    expect(retryAfter).toBe(limitOf(refused).reset);
    expect(retryAfter).toBeGreaterThan(0);
    expect(retryAfter).toBeLessThanOrEqual(60);
    expect(refused.body.detail.message).toContain(`${retryAfter} s`);
  });

  it("holds however many come at once", async () => {
    const member = await join();
    const statuses = (await times(perMinute * 4, () => member.get("/api/v1/buyers"))).map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(perMinute);
    expect(statuses.filter((status) => status === 429)).toHaveLength(perMinute * 3);
  });

  it("is each key's and each route's own, whatever the ids in the path", async () => {
    const member = await join();
    const second = await done(member.post("/api/v1/api-keys", { name: "second" }));
    await times(perMinute, () => member.get("/api/v1/buyers"));
    expect((await member.get("/api/v1/buyers")).status).toBe(429);
    expect((await memberClient(rig().url, second.key).get("/api/v1/buyers")).status).toBe(200);
    expect((await member.get("/api/v1/publishers")).status).toBe(200);
    expect((await member.post("/api/v1/buyers", { name: "another method" })).status).toBe(201);
    let id = 0;
    await times(perMinute, () => member.get(`/api/v1/buyers/nobody-${++id}`));
    expect((await member.get("/api/v1/buyers/one-more")).status).toBe(429);
  });

  it("counts what is refused for its content, and not what has no valid key", async () => {
    const member = await join();
    const stranger = memberClient(rig().url, "tl_nobody");
    await times(perMinute * 2, () => stranger.post("/api/v1/buyers", { name: "a" }));
    const answers = await times(perMinute, () => member.post("/api/v1/buyers", "{broken"));
    expect(answers.map(({ status }) => status)).toEqual(Array(perMinute).fill(422));
    expect((await member.post("/api/v1/buyers", { name: "a" })).status).toBe(429);
  });
});

describe("a body", () => {
  async function openRig() {
    const member = await join();
    const ids = await foundCompany(member);
    /** A body as it stands, under a content type. */
    async function postRaw(path: string, type: string | null, body: string | Uint8Array<ArrayBuffer>, more = {}) {
      const headers = { "X-API-Key": member.key, ...(type === null ? {} : { "Content-Type": type }), ...more };
      const init = { method: "POST", headers, body: typeof body === "string" ? new TextEncoder().encode(body) : body };
      const response = await fetch(rig().url + path, init);
      return { status: response.status, body: (await response.json()) as Answer["body"] };
    }
    return { member, ids, postRaw };
  }
  const json = "application/json";

  it("of the largest size is taken, and one byte more is 413", async () => {
    const { member, postRaw } = await openRig();
    const bodyOf = (bytes: number) => `{"name":"a"${" ".repeat(bytes - 12)}}`;
    expect((await postRaw("/api/v1/buyers", json, bodyOf(maxBodyBytes))).status).toBe(201);
    const refused = await postRaw("/api/v1/buyers", json, bodyOf(maxBodyBytes + 1));
    expect([refused.status, refused.body.detail.code]).toEqual([413, "body_too_large"]);
    expect((await done(member.get("/api/v1/buyers?name=a"))).meta.total).toBe(1);
  });

  it("of a larger size than it seems, because it is compressed, is 413, too", async () => {
    const { postRaw } = await openRig();
    const bomb = new Uint8Array(gzipSync(JSON.stringify({ name: "a".repeat(1_000_000) })));
    expect((await postRaw("/api/v1/buyers", json, bomb, { "Content-Encoding": "gzip" })).status).toBe(413);
  });

  it("that is no JSON, or of another content type, is 422 and does nothing", async () => {
    const { member, postRaw } = await openRig();
    const refusals: [type: string | null, body: string, expected: string][] = [
      [json, "{broken", "json_invalid"],
      [json, '{"name":"a"}}', "json_invalid"],
      [json, "name=a", "json_invalid"],
      ["application/x-www-form-urlencoded", "name=a", "missing"],
      ["text/plain", '{"name":"a"}', "missing"],
    ];
    for (const [type, body, expected] of refusals) {
      const { status, body: answer } = await postRaw("/api/v1/buyers", type, body);
      expect([status, answer.detail[0]], body).toMatchObject([422, { loc: ["body"], type: expected }]);
    }
    expect((await done(member.get("/api/v1/buyers?name=a"))).meta.total).toBe(0);
  });

  it.each([
    ["text/plain", "{}"],
    ["text/plain", '{"duration_minutes":5}'],
    ["application/x-www-form-urlencoded", "duration_minutes=5"],
    [null, '{"duration_minutes":5}'],
    [json, "{broken"],
    [json, "[]"],
    [json, "null"],
  ])("of %s: %s is no request for a pause without end", async (type, body) => {
    const { member, ids, postRaw } = await openRig();
    expect((await postRaw(`/api/v1/targets/${ids.target}/pause`, type, body)).status).toBe(422);
    expect((await done(member.get(`/api/v1/targets/${ids.target}`))).is_paused).toBe(false);
  });
});
