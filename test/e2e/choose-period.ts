import type { Page } from "playwright-core";

/** A button of the usual times by its name, which its dates follow. */
export const periodNamed = (page: Page, name: string) =>
  page.getByRole("button", { name: new RegExp(`^${name}( [A-Z][a-z]{2} \\d.*)?$`, "i") });

/** Chooses one of the usual times by the button with this label. */
export const choosePeriod = async (page: Page, label: string, name: string): Promise<void> => {
  await page.getByRole("button", { name: new RegExp(`^${label}`) }).click();
  await page.getByRole("dialog").getByRole("list", { name: "Usual times" }).waitFor();
  await periodNamed(page, name).click();
  await page.getByRole("dialog").waitFor({ state: "detached" });
};
