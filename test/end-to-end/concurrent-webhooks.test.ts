import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { createPlatform } from '#sandbox/platform/app/platform.ts';
import { createNotifications, unknownEventType } from '#sandbox/scenario/common/notifications.ts';
import { runFirstWebhooks } from '#sandbox/scenario/first-webhooks/run-first-webhooks.ts';
import { readWebhookHeaders, webhooksUrlOf } from '#sandbox/webhook-headers.ts';
import { size } from '#test/full-size.ts';
import { type HostedStacks, startHostedStacks } from './hosted-stacks.ts';

const [events, duplicates] = [size(80, 800), size(20, 200)];
let stacks: HostedStacks;
beforeAll(async () => {
  stacks = await startHostedStacks();
});
afterAll(() => stacks.host.close());

describe('concurrent webhooks out of order, a fifth of them duplicates', () => {
  it('are stored as one event for each content, and none is lost, stored twice or changed', async () => {
    const { registrations, deliveries, close } = createPlatform({
      fetch,
      now: () => new Date(),
      newEventTypes: [unknownEventType],
      onError: (error) => expect.unreachable(String(error)),
    });
    onTestFinished(close);
    const headers = Object.entries(await readWebhookHeaders(stacks.host)).map(([name, value]) => ({ name, value }));
    for (const { eventType } of registrations.missing())
      registrations.register({ eventType, headers, url: `${webhooksUrlOf(stacks.host)}/${eventType}` });
    const audit = await runFirstWebhooks({
      host: stacks.host,
      deliveries,
      notifications: createNotifications({ seed: 7, events, duplicates }),
      onProgress: () => undefined,
    });
    expect(audit).toMatchObject({ lost: 0, doubled: 0, changed: 0, refused: 0 });
    expect(audit.tallies.reduce((sum, { sent }) => sum + sent, 0)).toBe(events + duplicates);
    expect(audit.tallies.reduce((sum, { stored }) => sum + stored, 0)).toBe(events);
    expect(audit.tallies.reduce((sum, { duplicates }) => sum + duplicates, 0)).toBe(duplicates);
    expect(await stacks.backlog('webhooks-dlq')).toBe(0);
  });
});
