import { describe, expect, it, onTestFinished } from "vitest";
import { createMailer, type Mail, MailError, toHtmlText } from "../../../api/outbound/mailer.ts";
import { freePort } from "../../free-port.ts";
import { openSmtpServer, readParts } from "../../smtp-server.ts";

const mail: Mail = {
  id: "run-1",
  to: ["ann@customer.example", "bob@customer.example"],
  subject: "Umsätze – heute",
  text: "Ümläut",
  html: "<p>Ümläut</p>",
  attachments: [{ filename: "answer.csv", contentType: "text/csv", content: Buffer.from("campaign\r\nSolar\r\n") }],
};

function openMailer(url: string) {
  const mailer = createMailer({ url, from: "Trunkline <reports@trunkline.example>" });
  onTestFinished(() => mailer.close());
  return mailer;
}

async function openServer(...given: Parameters<typeof openSmtpServer>) {
  const server = await openSmtpServer(...given);
  onTestFinished(() => server.close());
  return server;
}

const faultOf = (sending: Promise<unknown>): Promise<unknown> => sending.then(() => null).catch((error) => error);

describe("a mailer", () => {
  it("sends a mail as text, HTML and a file, under an id of its own", async () => {
    const server = await openServer();
    expect(await openMailer(server.url).send(mail)).toBeNull();
    const [received] = server.received;
    expect(received).toMatchObject({ from: "reports@trunkline.example", to: mail.to });
    expect(received?.source).toContain("Message-ID: <run-1@");
    expect(received?.source).toContain("Auto-Submitted: auto-generated");
    const parts = readParts(received?.source ?? "");
    for (const text of ["Ümläut", "<p>Ümläut</p>", "campaign\r\nSolar"]) expect(parts).toContain(text);
  });

  it("has no header of a line break in its subject", async () => {
    const server = await openServer();
    await openMailer(server.url).send({ ...mail, subject: "Umsatz\r\nBcc: eve@elsewhere.example" });
    expect(server.received[0]?.to).toEqual(mail.to);
    expect(server.received[0]?.source).not.toMatch(/^Bcc:/im);
  });

  it("tells whom the server refused while it took the mail for others", async () => {
    const server = await openServer((address) =>
      address.startsWith("bob") ? { code: 550, message: "no such mailbox" } : null,
    );
    expect(await openMailer(server.url).send(mail)).toBe("The mail server refused bob@customer.example.");
    expect(server.received).toMatchObject([{ to: ["ann@customer.example"] }]);
  });

  it.each([
    [550, true],
    [451, false],
  ])("says of a refusal with %i whether another attempt would end the same", async (code, isPermanent) => {
    const server = await openServer(() => ({ code, message: "not now" }));
    const fault = await faultOf(openMailer(server.url).send(mail));
    expect(fault).toBeInstanceOf(MailError);
    expect(fault).toMatchObject({ isPermanent, message: expect.stringContaining("not now") });
  });

  it("says of a server that is away that it may be there later, and keeps the password to itself", async () => {
    const fault = await faultOf(openMailer(`smtp://user:hidden@127.0.0.1:${await freePort()}`).send(mail));
    expect(fault).toMatchObject({ isPermanent: false, message: expect.stringContaining("cannot be reached") });
    expect(String(fault)).not.toContain("hidden");
  });
});

it("escapes what HTML would take for itself", () => {
  expect(toHtmlText(`<a href="x">&'`)).toBe("&lt;a href=&quot;x&quot;&gt;&amp;&#39;");
});
