import { EventBridge } from '@aws-sdk/client-eventbridge';
import { SecretsManager } from '@aws-sdk/client-secrets-manager';
import { SQS } from '@aws-sdk/client-sqs';
import { connectPlatform, tokensFromSecret } from '@drawbridge-partner/drawbridge/platform';
import * as z from 'zod';

const { EVENT_BUS, PLATFORM_BASE_URL = '', PLATFORM_PROFILE = '{}' } = process.env;
const { PLATFORM_TOKEN_SECRET_ID, TOKEN_REFRESHES_QUEUE_URL } = process.env;
// Without a time-out, a client of the SDK waits for an answer without an end.
const requestHandler = { connectionTimeout: 1_000, requestTimeout: 3_000, throwOnRequestTimeout: true };
const eventBridge = new EventBridge({ requestHandler });
const [secrets, sqs] = [new SecretsManager({ requestHandler }), new SQS({ requestHandler })];

const platform = connectPlatform({
  baseUrl: PLATFORM_BASE_URL,
  profile: JSON.parse(PLATFORM_PROFILE),
  tokens: tokensFromSecret({
    readSecret: async () => (await secrets.getSecretValue({ SecretId: PLATFORM_TOKEN_SECRET_ID })).SecretString,
    sendReport: ({ body, messageGroupId }) =>
      sqs.sendMessage({ QueueUrl: TOKEN_REFRESHES_QUEUE_URL, MessageBody: body, MessageGroupId: messageGroupId }),
  }),
});

const request = z.discriminatedUnion('action', [
  z.object({ action: z.literal('cancel'), personId: z.string(), orderId: z.string() }),
  z.object({ action: z.literal('invoice'), personId: z.string(), executionId: z.string() }),
  z.object({ action: z.literal('onboard'), request: z.record(z.string(), z.unknown()) }),
]);

/** What the partner's own systems invoke it with. */
export async function handler(event: unknown): Promise<object> {
  const asked = request.parse(event);
  switch (asked.action) {
    case 'cancel':
      await platform.onBehalfOf(asked.personId).cancelOrder(asked.orderId);
      // The platform has accepted the request. CANCELED follows on the bus.
      return { accepted: true };
    case 'invoice': {
      const { contentType, content } = await platform.onBehalfOf(asked.personId).getTradeInvoice(asked.executionId);
      return { contentType, bytes: content.byteLength };
    }
    case 'onboard': {
      const entry = { EventBusName: EVENT_BUS, Source: 'bank', DetailType: 'OnboardingRequested' };
      const { FailedEntryCount, Entries = [] } = await eventBridge.putEvents({
        Entries: [{ ...entry, Detail: JSON.stringify(asked.request) }],
      });
      if (FailedEntryCount !== 0) throw new Error(`The bus refused the request: ${Entries[0]?.ErrorCode}.`);
      return { requestEventId: Entries[0]?.EventId };
    }
  }
}
