import * as z from 'zod/mini';
import { createHandler } from '#functions/webhook-ingest/store/handler.ts';
import type { AwsCallMoment } from '#sandbox/aws/aws-endpoint.ts';
import { usualLanes } from '#shared/aws/list/lanes.ts';
import { deflateBody, writeDeliveryMessage } from '#shared/events/webhook-delivery.ts';
import { lambdaProcess } from '#shared/lambda/lambda-process.ts';
import { platformProfile } from '#shared/platform/profile/profile.ts';
import type { Emulators } from '#test/shared/aws/emulators.ts';
import { lambdaContext } from '#test/shared/lambda/lambda-context.ts';

export const orderType = 'TRADITIONAL_ASSET_ORDER_NOTIFICATION';

export const receivedOn = '2026-01-02T03:04:05.678Z';

/** The message of a delivery, as `receive` writes it. */
export function messageOf(body: unknown, deliveryId: string, eventType = orderType): string {
  const deflatedBody = deflateBody(Buffer.from(JSON.stringify(body)));
  return writeDeliveryMessage({ deliveryId, eventType, receivedOn, deflatedBody });
}

const entries = z.object({ Entries: z.array(z.object({ Detail: z.string() })) });

/** The details of the events in a call to the bus. */
export function detailsIn({ operation, input }: AwsCallMoment): readonly string[] {
  return operation === 'PutEvents' ? z.parse(entries, input()).Entries.map(({ Detail }) => Detail) : [];
}

/** The version of a release in steps, as Lambda names it. */
export const releasedVersion = { AWS_LAMBDA_FUNCTION_NAME: 'released', AWS_LAMBDA_FUNCTION_VERSION: '7' };

/** The handler of `store` with the tables, the queue and the bus of the emulators. */
export function createStoreFunction(emulators: Emulators, lambdaVersion: Partial<typeof releasedVersion> = {}) {
  const lines: string[] = [];
  const handler = createHandler({
    ...lambdaProcess,
    ...emulators,
    now: () => new Date(receivedOn),
    write: (line) => void lines.push(line),
    environment: {
      ...lambdaVersion,
      ENVIRONMENT: 'test',
      EVENTS_TABLE: emulators.tableName,
      EVENT_RETENTION_DAYS: 30,
      UNREAD_RETENTION_DAYS: 20,
      PERSONS_TABLE: emulators.tableNameOf('persons'),
      ENTITIES_TABLE: emulators.tableNameOf('entities'),
      ONBOARDINGS_TABLE: emulators.tableNameOf('onboardings'),
      ONBOARDING_QUEUE_URL: emulators.queueUrlOf('onboarding'),
      EVENT_BUS: emulators.busName,
      CHECKPOINTS_TABLE: emulators.tableNameOf('checkpoints'),
      LIST_LANES: usualLanes,
      STATUS_REPORTS: [],
      PLATFORM_PROFILE: platformProfile.parse({}),
    },
  });
  return {
    lines: (): string => lines.join(''),
    /** The places in the batch of the messages that failed. */
    store: async (messages: readonly string[], timeLimit?: number): Promise<readonly number[]> => {
      const attributes = { ApproximateReceiveCount: '1' };
      const Records = messages.map((body, index) => ({ messageId: String(index), body, attributes }));
      const { batchItemFailures } = await handler({ Records }, lambdaContext(timeLimit));
      return batchItemFailures.map(({ itemIdentifier }) => Number(itemIdentifier));
    },
  };
}
