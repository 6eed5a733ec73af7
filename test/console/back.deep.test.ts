import { afterAll, beforeAll, expect, it } from 'vitest';
import { type ConsolePage, type ConsoleStage, startStage } from './console-stage.ts';
import { fillEvents } from './load-time/fill-events.ts';

let stage: ConsoleStage;
let first: ConsolePage;

const rows = () => first.page.locator('tbody tr');
const scrolled = () => first.page.evaluate<number>('scrollY');

beforeAll(async () => {
  stage = await startStage();
  first = stage.first;
  await fillEvents(stage.sandbox.host, 120, stage.sandbox.platform.clock.now());
}, 180_000);
afterAll(() => stage?.close());

it('leads back to the place in a list, with all that was shown of it, and reads none of it again', async () => {
  await first.visit('/events');
  await expect.poll(() => rows().count()).toBe(50);
  await first.button('Show more').click();
  await expect.poll(() => rows().count()).toBe(100);
  await first.button('Show more').click();
  await expect.poll(() => rows().count()).toBe(120);
  expect(await first.button('Show more').count()).toBe(0);
  const link = rows().nth(80).getByRole('link').first();
  await link.scrollIntoViewIfNeeded();
  const [before, address] = [await scrolled(), await link.getAttribute('href')];
  expect(before).toBeGreaterThan(1_000);
  const reads: string[] = [];
  first.page.on('request', (request) => reads.push(new URL(request.url()).pathname));
  await link.click();
  await first.heading('Events').waitFor({ state: 'detached' });
  expect(new URL(first.page.url()).pathname).toBe(address);
  expect(await scrolled()).toBe(0);
  await first.page.goBack();
  await expect.poll(() => rows().count()).toBe(120);
  await expect.poll(scrolled).toBe(before);
  expect(reads).not.toContain('/api/read/events');
  await first.page.goForward();
  await first.heading('Events').waitFor({ state: 'detached' });
  await first.page.goBack();
  await expect.poll(scrolled).toBe(before);
});

it('reads a list again for who visits it again, and begins at its top', async () => {
  await first.page.getByRole('link', { name: 'Events', exact: true }).first().click();
  await expect.poll(() => rows().count()).toBe(50);
  expect(await scrolled()).toBe(0);
});
