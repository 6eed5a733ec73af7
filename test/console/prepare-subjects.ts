import { SendMessageCommand } from '@aws-sdk/client-sqs';
import { advanceClock, type ConsoleLaptop, waitUntil } from './console-stage.ts';

/** An event type that the platform sends and the functions do not know. */
export const unknownEventType = 'WEATHER_NOTIFICATION';

const orderId = '0190a6f0-5678-7abc-8def-0123456789ab';
const externalId = 'person-x';

/** What the console shows of the stacks. */
export type Subjects = {
  /** An order whose last report is FILLED. */
  readonly orderId: string;
  /** The event that made the order FILLED. */
  readonly eventId: string;
};

/** Lets the stacks have an order, a person who waits for over a day, an event in quarantine, and a dead letter. */
export async function prepareSubjects({ sandbox, readApi, deliver, onboard }: ConsoleLaptop): Promise<Subjects> {
  const { platform, endpoints, host } = sandbox;
  await onboard(externalId);
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
  return { orderId, eventId: filled?.eventId ?? '' };
}
