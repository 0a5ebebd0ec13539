import { describe, expect, it } from "vitest";
import { createAddressOf } from "../../../api/serve/caller-address.ts";
import { readSettings } from "../../../api/settings/settings.ts";
import { toTrust } from "../../../api/settings/trust-proxy.ts";

const addressOf = (setting: string, remoteAddress: string | undefined, forwarded?: string) =>
  createAddressOf(toTrust(readSettings({ TRUST_PROXY: setting }).TRUST_PROXY))({
    headers: forwarded === undefined ? {} : { "x-forwarded-for": forwarded },
    socket: { remoteAddress },
  });

describe("the caller's address", () => {
  it.each([
    ["", "203.0.113.9", "198.51.100.1", "203.0.113.9"],
    ["false", "127.0.0.1", "198.51.100.1", "127.0.0.1"],
    ["0", "127.0.0.1", "198.51.100.1", "127.0.0.1"],
    ["1", "127.0.0.1", "192.0.2.66, 198.51.100.1", "198.51.100.1"],
    ["2", "127.0.0.1", "192.0.2.66, 198.51.100.1,10.0.0.1", "198.51.100.1"],
    ["2", "127.0.0.1", "198.51.100.1", "198.51.100.1"],
    ["1", "127.0.0.1", undefined, "127.0.0.1"],
    ["loopback", "127.0.0.1", "192.0.2.66, 198.51.100.1", "198.51.100.1"],
    ["loopback", "::ffff:127.0.0.1", "198.51.100.1", "198.51.100.1"],
    ["loopback", "203.0.113.9", "198.51.100.1", "203.0.113.9"],
    ["loopback, 10.0.0.0/8", "127.0.0.1", "192.0.2.66, 198.51.100.1, 10.1.2.3", "198.51.100.1"],
    ["uniquelocal", "10.9.9.9", "198.51.100.1", "198.51.100.1"],
    ["203.0.113.9", "203.0.113.9", "2001:db8::1", "2001:db8::1"],
    ["true", "203.0.113.9", "192.0.2.66, 198.51.100.1", "192.0.2.66"],
  ])("with TRUST_PROXY=%s on a connection of %s that says %j is %s", (setting, remote, forwarded, expected) => {
    expect(addressOf(setting, remote, forwarded)).toBe(expected);
  });

  it.each([
    ["unknown", "127.0.0.1"],
    ["", "127.0.0.1"],
    ["<script>", "127.0.0.1"],
    ["198.51.100.1:40123", "198.51.100.1"],
    ["[2001:db8::1]:40123", "2001:db8::1"],
    ["2001:DB8:0:0::1", "2001:db8::1"],
    ["::ffff:198.51.100.1", "198.51.100.1"],
    ["1", "127.0.0.1"],
    ["192.0.2.66, nobody, 198.51.100.1", "198.51.100.1"],
  ])("is an address, whatever a proxy says: %j", (forwarded, expected) => {
    expect(addressOf("true", "127.0.0.1", forwarded)).toBe(expected);
  });

  it("is unknown of a connection that is gone", () => {
    expect(addressOf("1", undefined, "198.51.100.1")).toBeNull();
  });
});

it.each(["yes", "10.0.0.0/40", "proxy.example", "1.5", "-1"])("TRUST_PROXY=%s is refused in words", (setting) => {
  expect(() => readSettings({ TRUST_PROXY: setting })).toThrow(/^Settings: TRUST_PROXY: must be a number of proxies/);
});
