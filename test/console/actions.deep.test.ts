import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { CloudWatchClient, SetAlarmStateCommand } from '@aws-sdk/client-cloudwatch';
import { GetQueueAttributesCommand } from '@aws-sdk/client-sqs';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { deflateBody, writeDeliveryMessage } from '#shared/events/webhook-delivery.ts';
import { person } from '#test/end-to-end/call-api.ts';
import { quarantineEvent, sendTo } from '#test/end-to-end/change-host.ts';
import { readSecret } from '#test/end-to-end/read-host.ts';
import { subscribeQueue } from '#test/end-to-end/subscribe-queue.ts';
import { advanceClock, type ConsolePage, type ConsoleStage, startStage } from './console-stage.ts';

const orders = 'TRADITIONAL_ASSET_ORDER_NOTIFICATION';
/** The platform sends them, and the functions do not know them. */
const newEventTypes = ['FIRST', 'SECOND', 'LATE', 'THIRD', 'FOURTH'].map((word) => `${word}_NOTIFICATION`);

let stage: ConsoleStage;
let tab: ConsolePage;
const step = async (externalId: string) => (await stage.readApi(`/onboardings/${externalId}`))['step'];
const quarantined = async () => (await stage.readApi('/quarantine'))['count'];

beforeAll(async () => {
  stage = await startStage({ newEventTypes });
  tab = stage.first;
});
afterAll(() => stage?.close());

/** Has the functions know this event type, as a deployment with another platform profile does. */
async function declareEventType(eventType: string): Promise<void> {
  const profile = (await stage.control('GET', '/platform-profile')) as { eventTypes: readonly string[] };
  await stage.control('PUT', '/platform-profile', { ...profile, eventTypes: [...profile.eventTypes, eventType] });
}

describe('a replay', () => {
  it('hands one event to Store again, from the page of the event', async () => {
    await stage.deliver('FIRST_NOTIFICATION', '{}');
    await expect.poll(quarantined).toBe(1);
    await declareEventType('FIRST_NOTIFICATION');
    const { items } = await stage.readApi('/events?quarantineReason=ANY');
    const [{ eventId = '' } = {}] = items as readonly { eventId?: string }[];
    await tab.visit(`/events/${eventId}`);
    expect(await tab.act(tab.button('Replay'))).toEqual({
      will: 'This will hand 1 event to Store again (environment local).',
      outcome: '1 event has its effect.',
    });
    await expect.poll(quarantined).toBe(0);
  });

  it('leaves an event in quarantine that came after the count of all events', async () => {
    await stage.deliver('SECOND_NOTIFICATION', '{"number":1}');
    await expect.poll(quarantined).toBe(1);
    await tab.visit('/quarantine');
    await tab.button('Replay all').click();
    await tab.text('This will hand 1 event to Store again').waitFor();
    await stage.deliver('SECOND_NOTIFICATION', '{"number":2}');
    await expect.poll(quarantined).toBe(2);
    await declareEventType('SECOND_NOTIFICATION');
    await tab.confirm.click();
    await tab.text('1 event has its effect.').waitFor();
    await tab.button('Close').click();
    await expect.poll(quarantined).toBe(1);
    expect((await tab.act(tab.button('Replay all'))).outcome).toBe('1 event has its effect.');
    await expect.poll(quarantined).toBe(0);
  });

  it('refuses to begin when the count no longer holds, and begins after another count', async () => {
    const { items } = await stage.readApi('/events?eventType=FIRST_NOTIFICATION');
    const [{ eventId = '' } = {}] = items as readonly { eventId?: string }[];
    await stage.deliver('LATE_NOTIFICATION', '{}');
    await expect.poll(quarantined).toBe(1);
    await tab.visit('/quarantine');
    await tab.button('Replay all').click();
    await tab.text('This will hand 1 event to Store again').waitFor();
    await quarantineEvent(stage.sandbox.host, eventId);
    await tab.confirm.click();
    await tab.dialog.getByText('The count has changed from 1 to 2, so nothing was replayed.').waitFor();
    await tab.button('Close').click();
    expect(await quarantined()).toBe(2);

    await declareEventType('LATE_NOTIFICATION');
    expect(await tab.act(tab.button('Replay all'))).toEqual({
      will: 'This will hand 2 events to Store again (environment local).',
      outcome: '2 events have their effect.',
    });
    await expect.poll(quarantined).toBe(0);
  });
});

describe('an alarm that is on', () => {
  it('says on the page of alarms what it means and what to do, with commands to copy', async () => {
    const { clock } = stage.sandbox.platform;
    const { awsOrigin: endpoint, region } = stage.sandbox.host.place;
    const credentials = { accessKeyId: 'a', secretAccessKey: 'b' };
    // A state that is set lasts until the next minute.
    clock.freeze();
    await new CloudWatchClient({ endpoint, region, credentials }).send(
      new SetAlarmStateCommand({
        AlarmName: 'drawbridge-laptop-WebhooksDlq',
        StateValue: 'ALARM',
        StateReason: 'A test has set it.',
      }),
    );
    await tab.inSteps('Alarms');
    const alarm = tab.page.getByRole('region', { name: 'WebhooksDlq' });
    await alarm.getByText('Do: Read the errors of Store').waitFor();
    await alarm.getByRole('button', { name: 'Copy npx --no -- drawbridge dlq redrive WebhooksDlq' }).click();
    await alarm.getByText('copied').waitFor();
    await tab.page.getByRole('link', { name: 'DrainSilent' }).click();
    await tab.heading('DrainSilent').waitFor();
    clock.resume();
  });
});

describe('the page of actions', () => {
  it('has each action of this console, with the access key', async () => {
    await tab.visit('/actions');
    const row = tab.page.getByRole('row').filter({ hasText: 'replay requested' }).first();
    expect(await row.innerText()).toMatch(/replay requested\s+laptop/);
    await tab.button('7 days').click();
    await row.waitFor();
  });
});

describe('a redrive', () => {
  it('moves dead letters back, so that Store applies them', async () => {
    const orderId = randomUUID();
    const body = Buffer.from(JSON.stringify({ orderId, status: 'PENDING', modifiedOn: '2026-01-02T03:01:00Z' }));
    const receivedOn = '2026-01-02T03:01:01Z';
    const delivery = { deliveryId: randomUUID(), eventType: orders, receivedOn, deflatedBody: deflateBody(body) };
    await sendTo(stage.sandbox.host, 'webhooks-dlq', { MessageBody: writeDeliveryMessage(delivery) });
    expect(await tab.inSteps('Quarantine', 'Show messages', 'Redrive all')).toEqual({
      will: 'This will move 1 message of WebhooksDlq back (environment local).',
      outcome: '1 of 1 messages moved back.',
    });
    await expect.poll(async () => (await stage.readApi(`/entities/order/${orderId}`))['status']).toBe('PENDING');
  });
});

describe('a replay of the bus', () => {
  it('shows how many events came in the time, and publishes them for the chosen rule and for no other', async () => {
    const orderId = randomUUID();
    const subscribe = (rule: string) => subscribeQueue(stage.sandbox, rule);
    const lost = await subscribe('lost-events');
    await stage.deliver(orders, { orderId, status: 'PENDING', modifiedOn: '2026-01-02T03:01:00Z' });
    expect(await lost(10)).not.toHaveProperty('replay-name');
    const [ledger, other] = [await subscribe('new-ledger'), await subscribe('other-team')];
    await tab.inSteps('Bus');
    await tab.page.getByRole('row').filter({ hasText: ':new-ledger' }).waitFor();
    expect(await tab.page.getByRole('row').count()).toBe(4);
    for (const rule of ['lost-events', 'new-ledger']) await tab.page.getByLabel(`Choose ${rule}`).check();
    await tab.page.getByLabel('From').fill('soon');
    await tab.text('Write 2h for two hours ago').waitFor();
    expect(await tab.button('Replay events').isDisabled()).toBe(true);
    await tab.page.getByLabel('From').fill('1h');
    await tab.button('Replay events').click();
    const gotBefore = (rule: string) =>
      tab.dialog.getByRole('row', { name: `matched by ${rule}, replays too` }).innerText();
    expect(await gotBefore('lost-events')).toMatch(/[1-9]\d*$/);
    expect(await gotBefore('new-ledger')).toMatch(/\t0$/);
    await tab
      .text(/^This will publish about [1-9]\d* events? of the bus once more for lost-events, new-ledger /)
      .waitFor();
    expect([await lost(0), await ledger(0)]).toEqual([undefined, undefined]);
    await tab.confirm.click();
    await tab.text('were published once more for lost-events, new-ledger.').waitFor();
    await tab.button('Close').click();
    for (const receive of [lost, ledger])
      expect(await receive(10)).toMatchObject({ 'replay-name': expect.stringMatching(/^drawbridge-cli-/) });
    expect(await other(0)).toBeUndefined();
  });
});

describe('a dead letter', () => {
  it('shows the error that failed it, reveals its body, and is deleted once the body is kept', async () => {
    await sendTo(stage.sandbox.host, 'webhooks', { MessageBody: '{"note":"Zwiebelmann"}' });
    const letters = new GetQueueAttributesCommand({
      QueueUrl: stage.sandbox.endpoints.queues['webhooks-dlq'],
      AttributeNames: ['ApproximateNumberOfMessages'],
    });
    const count = async () => (await stage.sandbox.host.clients.sqs.send(letters)).Attributes;
    await expect.poll(count, { timeout: 30_000 }).toEqual({ ApproximateNumberOfMessages: '1' });
    await tab.visit('/quarantine');
    await tab.button('Show messages').click();
    const row = tab.page.getByRole('row').filter({ hasText: 'Error: ' });
    await row.waitFor();
    expect(await tab.page.content()).not.toContain('Zwiebelmann');
    await tab.button('Reveal').click();
    await tab.text('Zwiebelmann').waitFor();
    await row.getByRole('checkbox').check();
    const { will, outcome } = await tab.act(tab.button('Delete 1'));
    expect(will).toBe('This will delete 1 message of WebhooksDlq (environment local).');
    const [, folder = ''] = /^1 message is deleted, and kept in (.+)\.$/.exec(outcome) ?? [];
    const [file = ''] = readdirSync(folder).filter((name) => name.endsWith('.json'));
    expect(readFileSync(join(folder, file), 'utf8')).toContain('Zwiebelmann');
    await tab.text('The queue handed out no message.').waitFor();
  });
});

describe('an onboarding', () => {
  it('starts from the form, which names each mistake as the API does', async () => {
    const { page } = tab;
    const start = tab.button('Start the onboarding');
    const refusal = async () => {
      await start.click();
      await tab.dialog.locator('.error-title, .will').first().waitFor();
      if ((await tab.confirm.count()) > 0) await tab.confirm.click();
      const said = await tab.dialog.getByRole('alert').innerText();
      await tab.button('Close').click();
      return said;
    };
    await tab.visit('/onboardings/new');
    expect(await refusal()).toContain('externalId: The externalId is missing.');
    await page.getByLabel('Your id of the person').fill('form-1');
    await page.getByLabel('The person as JSON').fill('Ada');
    expect(await refusal()).toContain('person: The person is not a JSON object.');
    const wrong = { ...person, lastName: 1, birthday: 'yesterday' };
    await page.getByLabel('The person as JSON').fill(JSON.stringify(wrong));
    const said = await refusal();
    const answer = await fetch(`${stage.sandbox.endpoints.api}/onboardings`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ externalId: 'form-1', person: wrong, identification: { mode: 'video' } }),
    });
    const { errors } = (await answer.json()) as { errors: readonly { pointer: string; detail: string }[] };
    expect(errors.length).toBeGreaterThan(1);
    const beside = page.locator('.field.wrong').filter({ has: page.getByLabel('Last name') });
    expect(await beside.locator('.field-error').innerText()).toBe(
      errors.find(({ pointer }) => pointer === '#/person/lastName')?.detail,
    );
    for (const { pointer, detail } of errors) expect(said).toContain(`${pointer}: ${detail}`);
    expect(await stage.readApi('/onboardings/form-1')).toMatchObject({ status: 404 });

    const { firstName, lastName, isUsNationality: _, ...rest } = person;
    await page.getByLabel('The person as JSON').fill(JSON.stringify(rest));
    await page.getByLabel('First name').fill(firstName);
    await page.getByLabel('Last name').fill(lastName);
    await page.getByLabel('US nationality').selectOption('no');
    expect(JSON.parse(await page.getByLabel('The person as JSON').inputValue())).toEqual(person);
    await start.click();
    await tab.text('This will create a person and a verification on the platform').waitFor();
    await tab.confirm.click();
    await page.getByRole('link', { name: 'Open' }).click();
    await tab.heading('onboarding form-1').waitFor();
    await expect.poll(() => step('form-1')).toBe('AWAITING_VIDEO_CALL');
  });

  it('continues immediately on Retry, once the cause is fixed that it waits for', async () => {
    const { clock } = stage.sandbox.platform;
    await stage.control('PATCH', '/settings', { acceptSelfBeforeActive: false });
    await stage.onboard('retried-1');
    await expect.poll(() => step('retried-1')).toBe('AWAITING_REQUESTOR');
    // Its next attempt by itself never comes.
    clock.freeze();
    await stage.control('PATCH', '/settings', { acceptSelfBeforeActive: true });
    await tab.visit('/onboardings/retried-1');
    const { will, outcome } = await tab.act(tab.button('Retry'));
    expect(will).toContain('continue the onboarding, and call the platform immediately');
    expect(outcome).toMatch(/^The onboarding is at [A-Z_]+\.$/);
    await expect.poll(() => step('retried-1')).not.toBe('AWAITING_REQUESTOR');
    clock.resume();
    await expect.poll(() => step('retried-1')).toBe('AWAITING_VIDEO_CALL');
  });

  it('ends on Cancel the onboarding, which then has nothing left to do', async () => {
    await stage.onboard('canceled-1');
    await expect.poll(() => step('canceled-1')).toBe('AWAITING_VIDEO_CALL');
    await tab.visit('/onboardings/canceled-1');
    expect(await tab.act(tab.button('Cancel the onboarding'))).toMatchObject({
      outcome: 'The onboarding is at CANCELED.',
    });
    expect(await step('canceled-1')).toBe('CANCELED');
    await expect.poll(() => tab.button('Cancel the onboarding').isDisabled()).toBe(true);
    const latest = tab.page.getByRole('table', { name: 'History' }).locator('tbody tr').first();
    await latest.getByText('an operator has canceled it').waitFor();
    expect(await tab.button('Retry').isDisabled()).toBe(true);
  });
});

describe('the data of a person', () => {
  it('is exported to a private file, and erased only after its id is written', async () => {
    await stage.onboard('erased-1');
    await expect.poll(() => step('erased-1')).toBe('AWAITING_VIDEO_CALL');
    // The API erases no open onboarding.
    await fetch(`${stage.sandbox.endpoints.api}/onboardings/erased-1/cancel`, { method: 'POST' });
    await expect.poll(() => step('erased-1')).toBe('CANCELED');
    await tab.visit('/onboardings/erased-1');
    await tab.page.getByRole('link', { name: 'Export or erase the person' }).click();
    const { outcome } = await tab.act(tab.button('Export the person'));
    const [, file = ''] = /^(.+\.json) has [1-9]\d* events? and /.exec(outcome) ?? [];
    expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({ externalId: 'erased-1', isComplete: true });
    expect(statSync(file).mode & 0o077).toBe(0);
    await tab.inSteps('Personal data');
    await tab.page.getByLabel('Your id of the person').fill('erased-1');
    await tab.button('Erase the person').click();
    await tab.dialog.getByText(/^- natural-person /).waitFor();
    expect(await tab.confirm.isEnabled()).toBe(false);
    await tab.dialog.getByLabel('To confirm').fill('erased-1');
    await tab.confirm.click();
    await tab.text('The person erased-1 is erased.').waitFor();
    await tab.button('Close').click();
    expect(await stage.readApi('/onboardings/erased-1')).toMatchObject({ status: 410 });
    await tab.visit('/actions');
    for (const action of ['export requested', 'erasure requested'])
      await tab.page.getByRole('row').filter({ hasText: action }).first().waitFor();
  });
});

describe('the page of the onboardings over their deadline', () => {
  it('lists each onboarding with what to do about it, and ends all of them together', async () => {
    for (const id of ['late-1', 'late-2']) {
      await stage.onboard(id);
      await expect.poll(() => step(id)).toBe('AWAITING_VIDEO_CALL');
    }
    await advanceClock(stage.sandbox, 15 * 24 * 60 * 60);
    const stalled = async (id: string) => (await stage.readApi(`/onboardings/${id}`))['stalledOn'];
    for (const id of ['late-1', 'late-2']) await expect.poll(() => stalled(id), { timeout: 60_000 }).toBeDefined();
    await tab.visit('/onboardings?stalled=yes');
    await tab.page.locator('.card').first().click();
    await tab.text('Remind the person of the video call.').waitFor();
    const { will, outcome } = await tab.inSteps('Onboardings', 'Show only stalled', /^Cancel these [1-9]\d*$/);
    expect(will).toMatch(/^This will end \d onboardings/);
    expect(outcome).toMatch(/^(\d) onboardings of \1 ended\.$/);
    await tab.text('No onboarding is over the deadline of its step.').waitFor();
    expect(await step('late-2')).toBe('CANCELED');
  });
});

describe('a reconciliation', () => {
  it('compares without a change, and repairs what a lost webhook left different', async () => {
    await stage.control('PATCH', '/settings', { deliveriesLost: 1 });
    const made = await stage.control('POST', '/natural-persons', { status: 'ACTIVE' });
    const { naturalPersonId } = made as { naturalPersonId: string };
    await stage.control('PATCH', '/settings', { deliveriesLost: 0 });
    const status = async () => (await stage.readApi(`/entities/natural-person/${naturalPersonId}`))['status'];
    // Longer than the grace period for late webhooks, and shorter than the lifetime of the token.
    await stage.sandbox.platform.clock.advance(20 * 60);
    await tab.visit('/reconciliation');
    expect((await tab.act(tab.button('Compare'))).outcome).toMatch(/and 1 has drifted\.$/);
    await tab.page.getByRole('row').filter({ hasText: naturalPersonId }).waitFor();
    expect(await status()).not.toBe('ACTIVE');
    expect(await tab.act(tab.button('Repair'))).toMatchObject({
      will: expect.stringContaining('repair what differs'),
      outcome: expect.stringMatching(/and 1 has drifted\. Store now repairs what differs\.$/),
    });
    await expect.poll(status).toBe('ACTIVE');
  });

  it('shows its result although Escape closed the dialog while it ran', async () => {
    await tab.visit('/reconciliation');
    const asked = Promise.withResolvers<void>();
    const passed = Promise.withResolvers<void>();
    await tab.page.route('**/api/actions/run', async (route) => {
      asked.resolve();
      await passed.promise;
      await route.continue();
    });
    await tab.button('Compare').click();
    await tab.confirm.click();
    await asked.promise;
    // A browser lets a page hold a dialog open against the first Escape only.
    await tab.page.keyboard.press('Escape');
    await tab.page.keyboard.press('Escape');
    await expect.poll(() => tab.dialog.count()).toBe(0);
    passed.resolve();
    await tab.dialog.getByText('entities were compared').waitFor();
    await tab.page.unroute('**/api/actions/run');
    await tab.dialog.getByRole('button', { name: 'Close' }).click();
  });
});

describe('the page of the registrations', () => {
  const webhookSecret = async () =>
    JSON.parse(await readSecret(stage.sandbox.host, 'webhook-secret')) as Record<string, unknown>;

  it('applies the plan', async () => {
    const { registrations } = stage.sandbox.platform;
    registrations.unregister(orders);
    await tab.visit('/registrations');
    const line = tab.page.getByRole('row').filter({ hasText: orders }).filter({ hasText: 'create' });
    await line.waitFor();
    expect(await tab.act(tab.button('Apply'))).toMatchObject({
      will: expect.stringContaining('change the webhooks on the platform as planned'),
      outcome: expect.stringMatching(/^Done\./),
    });
    expect(registrations.get(orders)).toBeDefined();
    await expect.poll(() => line.count()).toBe(0);
  });

  it('rotates the secret, and retires the previous one when no delivery needs it', async () => {
    const before = await webhookSecret();
    expect((await tab.inSteps('Registrations', 'Rotate the secret')).outcome).toMatch(/^Done\./);
    const rotated = await webhookSecret();
    expect(rotated).toMatchObject({ previous: before['current'] });
    expect(rotated['current']).not.toBe(before['current']);
    // One rotation at a time.
    await expect.poll(() => tab.button('Rotate the secret').isEnabled()).toBe(false);
    const early = await tab.act(tab.button('Retire the previous secret'));
    expect(early.outcome).toMatch(/^Not ended yet: /);
    expect(await webhookSecret()).toHaveProperty('previous');
    // A run of Register that began before the rotation has ended by then.
    await stage.sandbox.platform.clock.advance(125);
    expect((await tab.act(tab.button('Retire the previous secret'))).outcome).toMatch(/^Done\./);
    expect(await webhookSecret()).toEqual({ current: rotated['current'] });
  });
});

describe('the sandbox', () => {
  beforeAll(async () => {
    // What came of an action is known from bus events, which reach the console from now on.
    await tab.visit('/live');
    await tab.page.locator('#main .empty, #main tbody tr').first().waitFor();
  });
  beforeEach(() => tab.visit('/sandbox'));

  it.each([
    ['Answer 503', async () => ({ status: (await callPlatform()).status }), { status: 503 }],
    ['No answer', () => callPlatform().catch(() => 'broken'), 'broken'],
    ['2 s late', async () => (await callPlatform()).status, expect.any(Number)],
  ])('places the fault %s, which calls of the platform meet until it ends', async (label, call, met) => {
    await tab.button(label).click();
    await tab.text('The fault is on: ').waitFor();
    expect(await call()).toEqual(met);
    const happened = async () =>
      ((await stage.control('GET', '/faults')) as readonly { happened: number }[]).map((fault) => fault.happened > 0);
    expect(await happened()).toEqual([true]);
    // The same button switches the fault off.
    await expect.poll(() => tab.button(label).getAttribute('aria-pressed')).toBe('true');
    await tab.button(label).click();
    await tab.text('The fault has ended.').waitFor();
    await tab.text('The platform answers every call.').waitFor();
    expect(await happened()).toEqual([]);
  });

  it.each(['person.onboarded', 'order.canceled', 'transfer.received'])(
    'plays %s without moving its button, says what came of it, and leads to what it made',
    async (type) => {
      await tab.button(type).scrollIntoViewIfNeeded();
      const before = await tab.button(type).boundingBox();
      await tab.button(type).click();
      await tab.text(`${type} was played.`).waitFor();
      expect(await tab.button(type).boundingBox()).toEqual(before);
      const path = await tab.page.getByRole('status').getByRole('link', { name: 'Open' }).getAttribute('href');
      const wanted = { 'person.onboarded': 'ACTIVE', 'order.canceled': 'CANCELED' }[type] ?? 'PROCESSED';
      await expect.poll(async () => (await stage.readApi(path ?? ''))['status']).toBe(wanted);
      await tab.page.locator('.toast .badge').getByText(wanted).waitFor();
    },
  );

  // The last: a day later the token of the platform has expired.
  it('stops, steps and starts the clock', async () => {
    const { clock } = stage.sandbox.platform;
    await tab.button('Stop').click();
    await expect.poll(() => clock.isFrozen()).toBe(true);
    for (const [label, seconds] of [
      ['+ 1 min', 60],
      ['+ 10 min', 600],
      ['+ 1 h', 3_600],
      ['+ 1 d', 86_400],
    ] as const) {
      const before = clock.now().getTime();
      await tab.button(label).click();
      await expect.poll(() => clock.now().getTime() - before).toBe(seconds * 1_000);
      const shown = clock.now().toISOString().replace('T', ' ').slice(0, 19);
      await expect.poll(() => tab.page.locator('.clock').innerText()).toBe(shown);
    }
    await tab.button('Start').click();
    await expect.poll(() => clock.isFrozen()).toBe(false);
  });
});

/** A call of the platform. Without a token it gets 401 if no fault answers before. */
const callPlatform = () => fetch(`${stage.sandbox.endpoints.platform}/entities/natural-persons`);

it('makes the browser complain about nothing', () => {
  // Refused requests, which the tests provoke, and what was triggered a moment ago and has no webhook yet.
  expect(tab.complaints().filter((complaint) => !/status of (?:400|404|409|502)/.test(complaint))).toEqual([]);
});
