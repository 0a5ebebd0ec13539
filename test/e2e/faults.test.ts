import { expect, it, onTestFinished } from "vitest";
import { openBrowser, openPage } from "./browser.ts";
import { openFakeServer } from "./fake-server.ts";

/** Every visit ends by asserting that nothing was noticed; this is the proof that something would be. */
it("a page that breaks the policy, throws, or leaves its origin is noticed", async () => {
  const [browser, server] = await Promise.all([openBrowser(), openFakeServer({ mode: "demo" })]);
  onTestFinished(async () => {
    await browser.close();
    await server.close();
  });
  const { page, faults } = await openPage(browser, server.url);
  const noticed = () => faults.join("\n");
  expect(noticed()).toBe("");

  await page.evaluate("void document.body.setAttribute('style', 'color: red')");
  await expect.poll(noticed).toContain("style");
  await page.evaluate(
    "void document.body.append(Object.assign(document.createElement('script'), { textContent: '1' }))",
  );
  await expect.poll(noticed).toContain("script");
  await page.evaluate("void setTimeout(() => { throw new Error('on purpose') })");
  await expect.poll(noticed).toContain("exception: on purpose");
  await page.evaluate("void document.body.append(Object.assign(new Image(), { src: 'http://127.0.0.1:9/a.png' }))");
  await expect.poll(noticed).toContain("127.0.0.1:9");
});
