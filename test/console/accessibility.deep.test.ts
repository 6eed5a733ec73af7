import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { subscribeQueue } from '#test/end-to-end/subscribe-queue.ts';
import { everyLook, findViolations, isShown } from './check-accessibility.ts';
import { type ConsolePage, type ConsoleStage, startStage, waitUntil } from './console-stage.ts';

const orderId = '0190a6f0-5678-7abc-8def-0123456789ab';
const orders = 'TRADITIONAL_ASSET_ORDER_NOTIFICATION';

let stage: ConsoleStage;
let tab: ConsolePage;
let applied = '';
let quarantined = '';

const idOf = async (query: string) => {
  const { items } = await stage.readApi(`/events?${query}`);
  return (items as readonly { eventId: string }[])[0]?.eventId ?? '';
};

beforeAll(async () => {
  stage = await startStage();
  tab = stage.first;
  const order = (status: string, minute: number) => ({ orderId, status, modifiedOn: `2026-01-02T03:0${minute}:00Z` });
  for (const [index, status] of ['PENDING', 'CANCELED', 'FILLED'].entries())
    await stage.deliver(orders, order(status, index + 1));
  await stage.deliver('TRANSFER_NOTIFICATION', 'no JSON');
  // The search finds both, and shows a list.
  await stage.deliver('TRANSFER_NOTIFICATION', { transferId: orderId, status: 'PROCESSED' });
  await waitUntil(async () => (await stage.readApi(`/entities/transfer/${orderId}`))['status'], 'PROCESSED');
  await stage.onboard('console-1');
  await subscribeQueue(stage.sandbox, 'other-team');
  await waitUntil(async () => (await idOf('quarantineReason=ANY')) === '', false);
  await waitUntil(async () => (await stage.readApi('/onboardings/console-1'))['step'], 'AWAITING_VIDEO_CALL');
  [applied, quarantined] = [await idOf(`eventType=${orders}`), await idOf('quarantineReason=ANY')];
});
afterAll(() => stage?.close());

describe('a page', () => {
  it.each([
    ['Overview', () => '/'],
    ['Events', () => '/events'],
    ['Events, none found', () => '/events?eventType=NO_SUCH_NOTIFICATION'],
    ['an event', () => `/events/${applied}`],
    ['an event in quarantine', () => `/events/${quarantined}`],
    ['an event that there is not', () => `/events/${'f'.repeat(64)}`],
    ['Live', () => '/live'],
    ['Entities', () => '/entities'],
    ['an order with an anomaly', () => `/entities/order/${orderId}`],
    ['Onboardings', () => '/onboardings'],
    ['an onboarding', () => '/onboardings/console-1'],
    ['New onboarding', () => '/onboardings/new'],
    ['Quarantine', () => '/quarantine'],
    ['Alarms', () => '/alarms'],
    ['Personal data', () => '/persons'],
    ['Registrations', () => '/registrations'],
    ['Bus', () => '/bus'],
    ['Actions', () => '/actions'],
    ['Reconciliation', () => '/reconciliation'],
    ['Sandbox', () => '/sandbox'],
    ['Search', () => `/search?id=${orderId}`],
    ['Search, nothing found', () => '/search?id=nothing'],
    ['a page that there is not', () => '/no-such-page'],
  ])('breaks no rule of accessibility in either theme, wide or narrow: %s', async (_name, path) => {
    await tab.visit(path());
    await isShown(tab.page);
    expect(await findViolations(tab.page, everyLook)).toEqual([]);
  });

  it('breaks no rule when the effect and the body of an event are shown', async () => {
    await tab.visit(`/events/${applied}`);
    await tab.text('Why').waitFor();
    await tab.button('Reveal').click();
    await tab.page.locator('.body').waitFor();
    await isShown(tab.page);
    expect(await findViolations(tab.page, everyLook)).toEqual([]);
  });

  it('breaks no rule when the cost of the environment is calculated', async () => {
    await tab.visit('/cost');
    await tab.button('Calculate the cost').click();
    await tab.page.getByRole('row').filter({ hasText: 'Total' }).first().waitFor();
    expect(await findViolations(tab.page, everyLook)).toEqual([]);
  });

  it('breaks no rule while the pointer is on the button that matters most', async () => {
    await tab.page.setViewportSize({ width: 1_280, height: 800 });
    await tab.visit('/onboardings');
    await isShown(tab.page);
    await tab.page.getByRole('link', { name: 'Start one' }).hover();
    expect(await findViolations(tab.page, everyLook.slice(0, 1))).toEqual([]);
  });

  it('breaks no rule when an order is beside what the platform says', async () => {
    await tab.visit(`/entities/order/${orderId}`);
    await tab.button('Ask the platform').click();
    await tab.page.locator('.comparison').waitFor();
    expect(await findViolations(tab.page, everyLook)).toEqual([]);
  });
});

describe('an open dialog', () => {
  it('breaks no rule when it lists the keys, and when it is the palette', async () => {
    await tab.visit('/');
    await isShown(tab.page);
    for (const key of ['?', 'Control+k']) {
      await tab.page.keyboard.press(key);
      await tab.dialog.waitFor();
      expect(await findViolations(tab.page, everyLook)).toEqual([]);
      await tab.page.keyboard.press('Escape');
    }
  });

  it('breaks no rule when it asks, shows a result, and shows a refusal', async () => {
    await tab.visit('/quarantine');
    await tab.button('Replay all').click();
    await tab.confirm.waitFor();
    expect(await findViolations(tab.page, everyLook)).toEqual([]);
    await tab.confirm.click();
    await tab.dialog.locator('.outcome').waitFor();
    expect(await findViolations(tab.page, everyLook)).toEqual([]);
    await tab.visit('/onboardings/new');
    await tab.button('Start the onboarding').click();
    await tab.dialog.getByRole('alert').waitFor();
    expect(await findViolations(tab.page, everyLook)).toEqual([]);
  });

  it('breaks no rule when it shows a plan', async () => {
    await tab.visit('/registrations');
    await tab.button('Rotate the secret').click();
    await tab.confirm.waitFor();
    expect(await findViolations(tab.page, everyLook)).toEqual([]);
  });
});
