import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import * as z from 'zod';
import type { Sandbox } from '#sandbox/sandbox.ts';
import { samplePerson } from '#test/shared/platform/resources/sample-persons.ts';

export type FilledSandbox = {
  /** The path of each picture. */
  readonly paths: Readonly<Record<string, string>>;
  /** Sends webhooks while a page is open that shows them as they come. */
  readonly deliverNow: () => Promise<void>;
};

const counted = z.object({ count: z.number() });
const timeline = z.object({ events: z.array(z.object({ eventId: z.string(), effect: z.string() })) });

/** Lets the sandbox do what the pictures show. */
export async function fillSandbox({ platform, endpoints }: Sandbox): Promise<FilledSandbox> {
  const readApi = async (path: string): Promise<unknown> => (await fetch(`${endpoints.api}${path}`)).json();
  const isQuarantined = async () => counted.parse(await readApi('/quarantine')).count === 1;
  const orderId = '0190a6f0-5678-7abc-8def-0123456789ab';
  const minutesAgo = (minutes: number) => new Date(platform.clock.now().getTime() - minutes * 60_000).toISOString();
  const deliver = (eventType: string, body: object | string) =>
    platform.deliveries.deliver(eventType, Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)));
  for (const [index, status] of ['PENDING', 'FILLED', 'PENDING', 'SETTLED'].entries())
    await deliver('TRADITIONAL_ASSET_ORDER_NOTIFICATION', {
      orderId,
      status,
      modifiedOn: minutesAgo([9, 7, 8, 2][index] ?? 1),
    });
  for (let count = 0; count < 18; count += 1)
    await deliver(count % 3 === 0 ? 'TRANSFER_NOTIFICATION' : 'TRADITIONAL_ASSET_ORDER_NOTIFICATION', {
      [count % 3 === 0 ? 'transferId' : 'orderId']: `0190a6f0-5678-7abc-8def-${String(count).padStart(12, '0')}`,
      status: count % 2 === 0 ? 'PENDING' : 'FILLED',
      modifiedOn: minutesAgo(20 - count),
    });
  await deliver('TRANSFER_NOTIFICATION', 'no JSON');
  for (const externalId of ['customer-1042', 'customer-1043'])
    await fetch(`${endpoints.api}/onboardings`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        externalId,
        person: { ...samplePerson, externalId: undefined },
        identification: { mode: 'video' },
      }),
    });
  for (let tries = 0; tries < 100 && !(await isQuarantined()); tries += 1) await wait(200);
  const { events } = timeline.parse(await readApi(`/entities/order/${orderId}/timeline`));
  const eventId = events.find(({ effect }) => effect === 'applied')?.eventId ?? '';
  const paths = {
    overview: '/',
    events: '/events',
    event: `/events/${eventId}`,
    live: '/live',
    entities: '/entities/order',
    entity: `/entities/order/${orderId}`,
    onboardings: '/onboardings',
    onboarding: '/onboardings/customer-1042',
    'new-onboarding': '/onboardings/new',
    quarantine: '/quarantine',
    reconciliation: '/reconciliation',
    registrations: '/registrations',
    sandbox: '/sandbox',
  };
  return {
    paths,
    deliverNow: async () => {
      for (const status of ['PENDING', 'FILLED', 'SETTLED'])
        await deliver('TRADITIONAL_ASSET_ORDER_NOTIFICATION', {
          orderId: randomUUID(),
          status,
          modifiedOn: minutesAgo(0),
        });
    },
  };
}
