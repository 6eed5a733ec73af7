import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** The rules of WCAG 2.2, levels A and AA, and axe's own good practice. */
const run = `axe.run(document, { runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'] })`;

/** How many pixels are beyond the window. Plots take another width in a later frame, which a busy machine delays. */
const overflowOnceDrawn = `new Promise((resolve) => {
  const until = performance.now() + 5_000;
  const look = () => {
    const beyond = document.documentElement.scrollWidth - innerWidth;
    if (beyond <= 0 || performance.now() > until) resolve(beyond);
    else requestAnimationFrame(look);
  };
  look();
})`;

/** A theme and a width of the window. */
export type Look = { readonly colorScheme: 'light' | 'dark'; readonly width: number };

/** Both themes, each wide and narrow. */
export const everyLook: readonly Look[] = [
  { colorScheme: 'light', width: 1_280 },
  { colorScheme: 'light', width: 390 },
  { colorScheme: 'dark', width: 1_280 },
  { colorScheme: 'dark', width: 390 },
];

/** A line for each violation on the page as it is shown now. A page that is wider than its window is one. */
export async function findViolations(page: Page, looks: readonly Look[]): Promise<readonly string[]> {
  const found: string[] = [];
  await page.evaluate(axe);
  for (const { colorScheme, width } of looks) {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize({ width, height: 800 });
    const where = `${colorScheme}, ${width} pixels`;
    const { violations } = (await page.evaluate(run)) as AxeResults;
    for (const { id, help, nodes } of violations)
      for (const { target, failureSummary = '' } of nodes)
        found.push(`${where}: ${id}: ${help} (${target.join(' ')}) ${failureSummary}`);
    const overflow = await page.evaluate<number>(overflowOnceDrawn);
    if (overflow > 0) found.push(`${where}: ${overflow} pixels are beyond the window`);
  }
  return found;
}

/** Waits until a page shows what it has read. */
export async function isShown(page: Page): Promise<void> {
  await page.locator('#main :is(h1, .empty)').first().waitFor();
  await page.locator('.skeleton').first().waitFor({ state: 'detached' });
}
