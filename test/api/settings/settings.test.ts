import { describe, expect, it } from "vitest";
import { readSettings } from "../../../api/settings/settings.ts";

describe("settings", () => {
  it("work with an empty environment", () => {
    expect(readSettings({})).toMatchObject({
      HOST: "127.0.0.1",
      PORT: 3000,
      DATA_DIR: "./data",
      LOG_LEVEL: "info",
      ALLOW_PRIVATE_DESTINATIONS: false,
      JWT_ORG_CLAIM: "org_id",
      DEMO_LIVE: true,
    });
    expect(readSettings({}).JWT_JWKS_URL).toBeUndefined();
  });

  it("take an empty value for one that was not given, and leave the rest of the environment alone", () => {
    expect(readSettings({ PORT: "", JWT_JWKS_URL: "", PATH: "/bin", HOME: undefined })).toEqual(readSettings({}));
  });

  it.each([
    ["PORT", "0", 0],
    ["PORT", "65535", 65_535],
    ["ALLOW_PRIVATE_DESTINATIONS", "true", true],
    ["ALLOW_PRIVATE_DESTINATIONS", "1", true],
    ["DEMO_LIVE", "false", false],
    ["DEMO_LIVE", "0", false],
    ["MAX_BODY_BYTES", "1024", 1024],
  ] as const)("read %s=%s as %j", (name, text, value) => {
    expect(readSettings({ [name]: text })[name]).toBe(value);
  });

  it.each([
    ["PORT", "65536"],
    ["WAREHOUSE_RETENTION_DAYS", "34"],
    ["PORT", "-1"],
    ["PORT", "80.5"],
    ["PORT", "http"],
    ["PORT", "0x50"],
    ["LOG_LEVEL", "loud"],
    ["ALLOW_PRIVATE_DESTINATIONS", "yes"],
    ["MAX_BODY_BYTES", "1023"],
    ["DEMO_CALLS", "0"],
    ["JWT_JWKS_URL", "id.example/keys"],
    ["JWT_JWKS_URL", "file:///etc/keys"],
  ])("refuse %s=%s by name, and point to the help", (name, text) => {
    expect(() => readSettings({ [name]: text })).toThrow(new RegExp(`^Settings: ${name}: .*See --help\\.$`));
  });

  const provider = {
    JWT_JWKS_URL: "https://id.example/keys",
    JWT_ISSUER: "https://id.example",
    JWT_AUDIENCE: "trunkline",
  };

  it("take an identity provider with its keys, issuer and audience", () => {
    expect(readSettings(provider)).toMatchObject(provider);
  });

  it.each([
    ["JWT_ISSUER", "iss"],
    ["JWT_AUDIENCE", "aud"],
  ] as const)("refuse a provider's keys without %s, and it without them", (name, claim) => {
    const without = { ...provider, [name]: "" };
    expect(() => readSettings(without)).toThrow(new RegExp(`^Settings: ${name}: must be set .* their ${claim}\\.`));
    const alone = { [name]: provider[name] };
    expect(() => readSettings(alone)).toThrow(new RegExp(`^Settings: ${name}: does nothing without JWT_JWKS_URL`));
  });

  const carrier = { TWILIO_AUTH_TOKEN: "new, old", PUBLIC_URL: "https://calls.example/trunk/" };

  it("take several tokens of a carrier, and an address with or without a slash at its end", () => {
    expect(readSettings(carrier)).toMatchObject({
      TWILIO_AUTH_TOKEN: ["new", "old"],
      PUBLIC_URL: "https://calls.example/trunk",
    });
    expect(readSettings({ PUBLIC_URL: carrier.PUBLIC_URL }).TWILIO_AUTH_TOKEN).toBeUndefined();
  });

  it.each([
    ["PUBLIC_URL", { TWILIO_AUTH_TOKEN: "new" }, /PUBLIC_URL: must be set beside TWILIO_AUTH_TOKEN, to the address/],
    ["JAMBONZ_PASSWORD", { JAMBONZ_USERNAME: "a" }, /JAMBONZ_PASSWORD: must be set beside JAMBONZ_USERNAME/],
    ["JAMBONZ_USERNAME", { JAMBONZ_PASSWORD: "a" }, /JAMBONZ_USERNAME: must be set beside JAMBONZ_PASSWORD/],
    ["JAMBONZ_USERNAME", { JAMBONZ_USERNAME: "a:b", JAMBONZ_PASSWORD: "c" }, /JAMBONZ_USERNAME: must have no colon/],
    ["TWILIO_AUTH_TOKEN", { ...carrier, TWILIO_AUTH_TOKEN: "new,,old" }, /TWILIO_AUTH_TOKEN.*empty token/],
    ["PUBLIC_URL", { PUBLIC_URL: "calls.example" }, /PUBLIC_URL: /],
    ["PUBLIC_URL", { PUBLIC_URL: "https://calls.example/?a=1" }, /PUBLIC_URL: must end with its path/],
  ])("refuse what makes no carrier, and name %s", (_name, given, message) => {
    expect(() => readSettings(given)).toThrow(message);
  });

  it("name every one that is wrong", () => {
    expect(() => readSettings({ PORT: "x", LOG_LEVEL: "y" })).toThrow(/PORT: .*LOG_LEVEL: /);
  });
});
