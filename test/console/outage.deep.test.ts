import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { RunningConsole } from '#cli/console/server/start-console.ts';
import { type HostedSandbox, startHostedSandbox } from '#test/end-to-end/hosted-sandbox.ts';
import { startBrowser } from './browser.ts';
import { openWindow, startConsoleOf } from './open-console.ts';

let sandbox: HostedSandbox;
let running: RunningConsole;
let browser: Browser;

beforeAll(async () => {
  [sandbox, browser] = await Promise.all([startHostedSandbox(), startBrowser()]);
  running = await startConsoleOf(sandbox, { isOperator: true });
});
afterAll(async () => {
  await browser?.close();
  await running?.close();
  await sandbox?.close();
});

it('shows an outage of the endpoint, and the recovery of the webhooks that it stopped', async () => {
  const { page, complaints } = await openWindow(browser, running.url);
  const visit = (path: string) => page.goto(`${running.origin}${path}`);
  const button = (name: string) => page.getByRole('button', { name, exact: true });

  await visit('/sandbox');
  await button('Outage of Drawbridge').click();
  await page.getByText('The endpoint is down: each connection breaks.').waitFor();
  await button('order.settled').click();
  await page.getByText('order.settled was played.').waitFor();
  const order = await page.getByRole('status').getByRole('link', { name: 'Open' }).getAttribute('href');
  await expect
    .poll(async () => {
      await button('Read again').last().click();
      return page.getByText(/^(?:retrying|undelivered)$/).count();
    })
    .toBeGreaterThan(0);

  // While the API is away, the overview does not say that all is well, and a page says so in place of an answer.
  await visit('/');
  await page.getByText('Not read: onboardings, quarantine.').waitFor();
  await page.getByText('The onboardings could not be read.').waitFor();
  expect(await page.locator('.verdict.good').count()).toBe(0);
  await visit('/quarantine');
  await page.getByRole('alert').first().waitFor();
  await visit('/search?id=some-order');
  await page.getByText('Not known: not everything could be searched.').waitFor();
  expect(await page.getByText('Nothing has this id.').count()).toBe(0);

  await visit('/sandbox');
  await button('Outage of Drawbridge').click();
  await page.getByText('The endpoint is up again.').waitFor();
  // The platform gives up after its retries; Drain then takes what it kept.
  await button('+ 1 h').click();
  await page.getByText(/^The clock is at /).waitFor();
  await expect
    .poll(
      async () => {
        await visit(order ?? '');
        // The page fetches the order after it has loaded.
        const status = page.getByText('SETTLED').first();
        return status.waitFor({ timeout: 5_000 }).then(
          () => true,
          () => false,
        );
      },
      { timeout: 120_000, interval: 2_000 },
    )
    .toBe(true);
  // 404: the page of the order asks for it before Drain has taken its webhooks.
  expect(complaints().filter((complaint) => !/status of (?:404|500|502)/.test(complaint))).toEqual([]);
});
