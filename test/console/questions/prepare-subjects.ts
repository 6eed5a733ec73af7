import { SendMessageCommand } from '@aws-sdk/client-sqs';
import { advanceClock, type ConsoleLaptop, waitUntil } from '#test/console/console-stage.ts';
import { samplePerson } from '#test/shared/platform/resources/sample-persons.ts';
import type { Subjects } from './questions.ts';

/** An event type that the platform sends and the functions do not know. */
export const unknownEventType = 'WEATHER_NOTIFICATION';

const orderId = '0190a6f0-5678-7abc-8def-0123456789ab';
const externalId = 'person-x';

/** Lets the stacks have what the questions are about: an order, a person who waits, an event in quarantine, a dead letter. */
export async function prepareSubjects({ sandbox, readApi, deliver }: ConsoleLaptop): Promise<Subjects> {
  const { platform, endpoints, host } = sandbox;
  const { externalId: _, ...person } = samplePerson;
  await fetch(`${endpoints.api}/onboardings`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ externalId, person, identification: { mode: 'video' } }),
  });
  const onboarding = `/onboardings/${externalId}`;
  await waitUntil(async () => (await readApi(onboarding))['step'], 'AWAITING_VIDEO_CALL');
  await advanceClock(sandbox, 25 * 60 * 60);

  const at = (minutes: number) => new Date(platform.clock.now().getTime() - minutes * 60_000).toISOString();
  for (const [status, minutes] of [
    ['PENDING', 9],
    ['FILLED', 7],
  ] as const) {
    await deliver('TRADITIONAL_ASSET_ORDER_NOTIFICATION', { orderId, status, modifiedOn: at(minutes) });
    // Store may take two deliveries concurrently.
    await waitUntil(async () => (await readApi(`/entities/order/${orderId}`))['status'], status);
  }
  await deliver(unknownEventType, {});
  await host.clients.sqs.send(
    new SendMessageCommand({
      QueueUrl: endpoints.queues['webhooks-dlq'],
      MessageBody: JSON.stringify({ deliveryId: 'delivery-1', eventType: 'T', deflatedBody: 'canary' }),
    }),
  );
  await waitUntil(async () => (await readApi('/quarantine'))['count'], 1);
  const { events } = await readApi(`/entities/order/${orderId}/timeline`);
  const filled = (events as readonly { eventId: string; status: string }[]).find(({ status }) => status === 'FILLED');
  const { naturalPersonId } = await readApi(onboarding);
  return { orderId, externalId, naturalPersonId: String(naturalPersonId), eventId: filled?.eventId ?? '' };
}
