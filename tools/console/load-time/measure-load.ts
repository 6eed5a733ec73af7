import { setTimeout as wait } from 'node:timers/promises';
import type { Browser, BrowserContext } from 'playwright-core';

/** How long a page took, in milliseconds since the browser asked for it. */
export type Load = {
  /** Until the first text or picture. */
  readonly content: number;
  /** Until nothing of the page is awaited any more. */
  readonly data: number;
};

/** In milliseconds: a part of the page that was awaited can ask for more. */
const settleTime = 500;

/** Notes when the page has its data. Runs in the browser, before the page. */
const watchPage = `
  globalThis.dataAt = undefined;
  new MutationObserver(() => {
    const hasData = document.querySelector('#main :is(h1, .empty)') !== null && document.querySelector('.skeleton') === null;
    globalThis.dataAt = hasData ? (globalThis.dataAt ?? performance.now()) : undefined;
  }).observe(document, { subtree: true, childList: true });`;

/**
 * Loads a page in a browser that knows the session and has nothing else of the console.
 *
 * @throws if the page shows an error in place of its data
 */
export async function measureLoad(
  browser: Browser,
  storageState: Awaited<ReturnType<BrowserContext['storageState']>>,
  address: string,
): Promise<Load> {
  const context = await browser.newContext({ storageState, viewport: { width: 1_280, height: 800 }, locale: 'en-GB' });
  try {
    const page = await context.newPage();
    await page.addInitScript(watchPage);
    await page.goto(address);
    // The security policy of the console refuses page.waitForFunction, which makes code of text on each attempt.
    while (!(await page.evaluate<boolean>(`performance.now() - globalThis.dataAt > ${settleTime}`))) await wait(100);
    const alert = page.getByRole('alert').first();
    if ((await alert.count()) > 0) throw new Error(`${address} shows an error: ${await alert.innerText()}`);
    return await page.evaluate<Load>(
      `({ content: performance.getEntriesByName('first-contentful-paint')[0].startTime, data: globalThis.dataAt })`,
    );
  } finally {
    await context.close();
  }
}

export function medianOf(numbers: readonly number[]): number {
  return numbers.toSorted((one, other) => one - other)[Math.floor(numbers.length / 2)] ?? 0;
}
