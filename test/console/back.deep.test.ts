import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { fillEvents } from '#tools/console/load-time/fill-events.ts';
import { type ConsolePage, type ConsoleStage, startStage } from './console-stage.ts';

let stage: ConsoleStage;
let tab: ConsolePage;

const rows = () => tab.page.locator('tbody tr:not(.day)');
const link = (row: number) => rows().nth(row).getByRole('link').first();
const scrolled = () => tab.page.evaluate<number>('scrollY');
const hasRows = (count: number) => expect.poll(() => rows().count()).toBe(count);
const isAt = (top: number) => expect.poll(scrolled).toBe(top);

/** Opens the first hundred events, and goes some way down. @returns how far */
async function goDown(row: number): Promise<number> {
  await hasRows(50);
  await tab.button('Show more').click();
  await hasRows(100);
  // What an event is about comes later, and can make its row higher.
  await tab.page.getByText('…', { exact: true }).first().waitFor({ state: 'detached' });
  await link(row).scrollIntoViewIfNeeded();
  const top = await scrolled();
  expect(top).toBeGreaterThan(1_000);
  return top;
}

/** Opens the event of a row. */
async function open(row: number): Promise<void> {
  await link(row).click();
  await tab.heading('Events').waitFor({ state: 'detached' });
}

beforeAll(async () => {
  stage = await startStage();
  tab = stage.first;
  await fillEvents(stage.sandbox.host, 120, stage.sandbox.platform.clock.now());
}, 180_000);
afterAll(() => stage?.close());
beforeEach(() => tab.visit('/events'));

describe('Back to a list', () => {
  it('leads to the place in it, with all that was shown of it, and so does Forward', async () => {
    const top = await goDown(80);
    const address = await link(80).getAttribute('href');
    await open(80);
    expect(new URL(tab.page.url()).pathname).toBe(address);
    expect(await scrolled()).toBe(0);
    await tab.page.goBack();
    await isAt(top);
    await hasRows(100);
    await tab.page.goForward();
    await isAt(0);
    await tab.page.goBack();
    await isAt(top);
    await tab.button('Show more').click();
    await hasRows(120);
    expect(await tab.button('Show more').count()).toBe(0);
  });

  it('gives its row the focus, so that j continues from there', async () => {
    await goDown(70);
    await link(70).focus();
    const next = await link(71).getAttribute('href');
    await tab.page.keyboard.press('Enter');
    await tab.heading('Events').waitFor({ state: 'detached' });
    await tab.page.goBack();
    await expect.poll(() => tab.page.evaluate('document.activeElement.closest("[data-row]") !== null')).toBe(true);
    await tab.page.keyboard.press('j');
    expect(await tab.page.evaluate('document.activeElement.getAttribute("href")')).toBe(next);
  });
});

it('shows new webhooks above the list, also where a click on Show more is answered after that', async () => {
  await hasRows(50);
  await tab.text('live').waitFor();
  const before = await link(0).getAttribute('href');
  await stage.deliver('TRANSFER_NOTIFICATION', { transferId: 'a', status: 'PENDING' });
  const fresh = tab.button(/new webhook/);
  await fresh.waitFor();
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  await tab.page.route('**/api/read/events?*cursor=*', async (route) => {
    await released;
    await route.continue();
  });
  await tab.button('Show more').click();
  await fresh.click();
  await expect.poll(() => link(0).getAttribute('href')).not.toBe(before);
  const newest = await link(0).getAttribute('href');
  const answered = tab.page.waitForResponse('**/api/read/events?*cursor=*');
  release();
  await answered;
  await tab.page.evaluate('new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))');
  await tab.page.unroute('**/api/read/events?*cursor=*');
  expect(await link(0).getAttribute('href')).toBe(newest);
});
