import { afterAll, beforeAll, expect, it } from 'vitest';
import { type ConsolePage, type ConsoleStage, startStage } from './console-stage.ts';

let stage: ConsoleStage;
let tab: ConsolePage;

beforeAll(async () => {
  stage = await startStage({ platform: { settings: { deliveryRetriesAfter: [] } } });
  tab = stage.first;
});
afterAll(() => stage?.close());

/** Presses a switch of the sandbox. */
async function press(label: string, outcome: string): Promise<void> {
  await tab.visit('/sandbox');
  await tab.button(label).click();
  await tab.text(outcome).waitFor();
}

it('shows an outage of the endpoint, and the recovery of the webhooks that it stopped', async () => {
  const { page, visit, button, text } = tab;
  await press('Outage of Drawbridge', 'The endpoint is down: each connection breaks.');
  await button('order.settled').click();
  await text('order.settled was played.').waitFor();
  const order = await page.getByRole('status').getByRole('link', { name: 'Open' }).getAttribute('href');
  await expect
    .poll(async () => {
      await button('Read again').last().click();
      return page.getByText(/^(?:retrying|undelivered)$/).count();
    })
    .toBeGreaterThan(0);

  // While the API is away, the overview does not say that all is well, and a page says so in place of an answer.
  await visit('/');
  await text('Not read: onboardings, quarantine.').waitFor();
  await text('The onboardings could not be read.').waitFor();
  expect(await page.locator('.verdict.good').count()).toBe(0);
  await visit('/quarantine');
  await page.getByRole('alert').first().waitFor();
  await visit('/search?id=some-order');
  await text('Not known: not everything could be searched.').waitFor();
  expect(await page.getByText('Nothing has this id.').count()).toBe(0);

  await press('Outage of Drawbridge', 'The endpoint is up again.');
  // Drain takes what the platform kept.
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
});

it('shows an outage of the platform first, and once it answers, what is stored and what is to be marked', async () => {
  const { platform } = stage.sandbox;
  // The schedules run meanwhile.
  const advance = (seconds: number) => stage.control('POST', '/clock/advance', { seconds });
  const line = () => tab.page.locator('.verdict-line').innerText();
  const box = async (name: string) => {
    const found = tab.page.locator(`#node-${name}`);
    return `${await found.getAttribute('class')} ${await found.textContent()}`.replaceAll(/\s+/g, ' ');
  };
  await stage.deliver('TRANSFER_NOTIFICATION', { transferId: 'before' });
  await expect.poll(async () => (await stage.readApi('/entities/transfer/before'))['kind']).toBe('transfer');
  await press('Outage of Drawbridge', 'The endpoint is down');
  for (const transferId of ['a', 'b', 'c'])
    await stage.deliver('TRANSFER_NOTIFICATION', { transferId }).catch(() => undefined);
  await expect.poll(() => platform.deliveries.waiting()).toBe(0);
  await press('Outage of Drawbridge', 'The endpoint is up again.');
  await press('Answer 503', 'The fault is on: ');
  await stage.onboard('waits');
  await advance(4 * 60);
  await tab.visit('/');
  await expect.poll(line).toMatch(/^(?:Every call to the platform fails|The platform fails \d+ of \d+ calls) since \d/);
  await tab.text(/^Failed calls: .*List undelivered webhooks/).waitFor();
  await tab.text('1 onboarding waits for the platform.').waitFor();
  await tab.text(/^The last webhook came \d+ /).waitFor();
  await expect.poll(() => box('platform')).toMatch(/\bbad\b.*fails for \d+ min/);

  platform.clock.freeze();
  await press('Answer 503', 'The fault has ended.');
  await advance(60);
  await tab.visit('/');
  await expect.poll(() => box('platform')).toMatch(/\bidle\b.*answers/);
  expect(await line()).not.toMatch(/the platform/i);
  await expect.poll(() => box('drain')).toMatch(/\bbusy\b.*3 to be marked/);
  const figure = (name: string) => tab.page.locator('.plot').filter({ hasText: name }).innerText();
  expect(await figure('Undelivered, not stored')).toMatch(/\b0\b/);
  expect(await figure('Stored, to be marked')).toMatch(/\b3\b/);
  await advance(10 * 60);
  await expect.poll(() => box('drain')).toMatch(/\bidle\b.*none undelivered/);
});

it('makes the browser complain about nothing', () => {
  // 404: the page of the order asks for it before Drain has taken its webhooks.
  expect(tab.complaints().filter((complaint) => !/status of (?:404|500|502)/.test(complaint))).toEqual([]);
});
