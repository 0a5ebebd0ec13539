import type { LookupAddress } from "node:dns";
import type { LookupFunction } from "node:net";
import { Agent } from "undici";
import { describe, expect, it, onTestFinished } from "vitest";
import {
  BlockedAddressError,
  createPublicOnlyLookup,
  isPublicAddress,
  refusePrivateHost,
} from "../../../api/outbound/address-guard.ts";
import { createTimedConnector } from "../../../api/outbound/exchange-timer.ts";
import { openTestReceiver } from "../../platform.ts";

describe("an address", () => {
  it.each([
    ["8.8.8.8"],
    ["1.1.1.1"],
    ["172.15.255.255"],
    ["172.32.0.1"],
    ["100.63.255.255"],
    ["100.128.0.1"],
    ["2606:4700:4700::1111"],
    ["2a00:1450:4001::1"],
    ["::ffff:8.8.8.8"],
  ])("%s is public", (address) => {
    expect(isPublicAddress(address)).toBe(true);
  });

  it.each([
    ["loopback", "127.0.0.1"],
    ["loopback", "127.255.255.254"],
    ["loopback", "::1"],
    ["private", "10.0.0.1"],
    ["private", "172.16.0.1"],
    ["private", "172.31.255.255"],
    ["private", "192.168.1.1"],
    ["cloud metadata", "169.254.169.254"],
    ["link-local", "fe80::1"],
    ["link-local", "febf::1"],
    ["carrier-grade NAT", "100.64.0.1"],
    ["carrier-grade NAT", "100.127.255.255"],
    ["IPv4-mapped loopback", "::ffff:127.0.0.1"],
    ["IPv4-mapped private", "::ffff:a00:1"],
    ["IPv4-compatible loopback", "::127.0.0.1"],
    ["IPv4-translated", "::ffff:0:127.0.0.1"],
    ["NAT64", "64:ff9b::7f00:1"],
    ["local NAT64", "64:ff9b:1::a00:1"],
    ["6to4", "2002:7f00:1::"],
    ["Teredo", "2001:0:7f00:1::"],
    ["unique-local", "fc00::1"],
    ["unique-local", "fd12:3456::1"],
    ["site-local", "fec0::1"],
    ["multicast", "224.0.0.1"],
    ["multicast", "239.255.255.255"],
    ["multicast", "ff02::1"],
    ["broadcast", "255.255.255.255"],
    ["unspecified", "0.0.0.0"],
    ["of this network", "0.1.2.3"],
    ["unspecified", "::"],
    ["documentation", "192.0.2.1"],
    ["documentation", "198.51.100.1"],
    ["documentation", "203.0.113.1"],
    ["documentation", "2001:db8::1"],
    ["benchmarking", "198.18.0.1"],
    ["reserved", "240.0.0.1"],
    ["discarded", "100::1"],
    ["never handed out", "4000::1"],
    ["never handed out", "::5efe:10.0.0.1"],
    ["no address", "crm.example"],
    ["no address", ""],
  ])("that is %s, %s, is not public", (_kind, address) => {
    expect(isPublicAddress(address)).toBe(false);
  });
});

describe("a host in an address", () => {
  it.each([
    ["http://127.0.0.1/"],
    ["http://127.1/"],
    ["http://2130706433/"],
    ["http://0x7f000001/"],
    ["http://0x7f.0.0.1/"],
    ["http://0177.0.0.1/"],
    ["http://127.0.0.1./"],
    ["http://%31%32%37.0.0.1/"],
    ["http://１２７.0.0.1/"],
    ["http://[::1]:8080/"],
    ["http://[::ffff:127.0.0.1]/"],
    ["http://[::ffff:7f00:1]/"],
    ["http://[64:ff9b::127.0.0.1]/"],
    ["http://169.254.169.254/latest/meta-data/"],
    ["http://0/"],
  ])("%s is refused before any connection", (url) => {
    expect(() => refusePrivateHost(new URL(url))).toThrow(BlockedAddressError);
  });

  it.each([["https://8.8.8.8/"], ["https://[2606:4700::1]/"], ["https://crm.example/"]])(
    "%s is left to the resolver",
    (url) => {
      expect(() => refusePrivateHost(new URL(url))).not.toThrow();
    },
  );
});

describe("the resolver", () => {
  /** What a connection is told of a name that resolves to these addresses. */
  const resolve = (addresses: string[], all: boolean, fault: NodeJS.ErrnoException | null = null) =>
    new Promise<{ error: Error | null; found: string | LookupAddress[] }>((done) => {
      const found = addresses.map((address) => ({ address, family: address.includes(":") ? 6 : 4 }));
      const lookup = createPublicOnlyLookup((_hostname, _options, callback) => callback(fault, found));
      lookup("crm.example", { all }, (error, address) => done({ error, found: address }));
    });

  it.each([true, false])("gives a name's public addresses (all of them: %s)", async (all) => {
    const { error, found } = await resolve(["8.8.8.8", "2606:4700::1"], all);
    expect(error).toBeNull();
    expect(found).toEqual(
      all
        ? [
            { address: "8.8.8.8", family: 4 },
            { address: "2606:4700::1", family: 6 },
          ]
        : "8.8.8.8",
    );
  });

  it.each([
    [["127.0.0.1"], true],
    [["8.8.8.8", "10.0.0.5"], true],
    [["8.8.8.8", "10.0.0.5"], false],
    [["8.8.8.8", "::1"], true],
  ])("refuses a name that resolves to %j, however many are asked for (%s)", async (addresses, all) => {
    const { error } = await resolve(addresses, all);
    expect(error).toBeInstanceOf(BlockedAddressError);
    expect(error?.message).toContain("crm.example is not on the public internet");
    for (const address of addresses) expect(error?.message).not.toContain(address);
  });

  it("says when a name has no address, or cannot be resolved", async () => {
    expect((await resolve([], true)).error?.message).toBe("crm.example has no address");
    const fault = Object.assign(new Error("getaddrinfo ENOTFOUND"), { code: "ENOTFOUND" });
    expect((await resolve([], true, fault)).error).toBe(fault);
  });

  it("refuses localhost, asked of the system itself", async () => {
    const error = await new Promise((done) => createPublicOnlyLookup()("localhost", { all: true }, done));
    expect(error).toBeInstanceOf(BlockedAddressError);
  });
});

describe("a connection to a name with two addresses, one of them inside the network", () => {
  const both = ["127.0.0.1", "8.8.8.8"].map((address) => ({ address, family: 4 }));
  const inside = both.slice(0, 1);
  const ask = async (lookup: LookupFunction) => {
    const agent = new Agent({ connect: createTimedConnector(lookup) });
    onTestFinished(() => agent.close());
    const receiver = await openTestReceiver();
    const { port } = new URL(receiver.url);
    const request = () => agent.request({ origin: `http://crm.example:${port}`, path: "/", method: "GET" });
    return { request, heard: () => receiver.received.length };
  };

  it.each([[both], [both.toReversed()]])("%j is not made", async (addresses) => {
    const { request, heard } = await ask(createPublicOnlyLookup((_host, _options, done) => done(null, addresses)));
    await expect(request()).rejects.toBeInstanceOf(BlockedAddressError);
    expect(heard()).toBe(0);
  });

  it("is made without the guard, so that the test can fail", async () => {
    const { request, heard } = await ask((_host, options, done) =>
      options.all ? done(null, inside) : done(null, "127.0.0.1", 4),
    );
    const { body } = await request();
    expect([await body.text(), heard()]).toEqual(["ok", 1]);
  });
});
