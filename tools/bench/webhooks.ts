import { deflateBody, writeDeliveryMessage } from '#shared/events/webhook-delivery.ts';

export const orderType = 'TRADITIONAL_ASSET_ORDER_NOTIFICATION';
export const secretHeader = 'x-webhook-secret';
/** The secret that the stub server knows. */
export const stubSecret = 'b'.repeat(64);

const receivedOn = '2026-01-02T03:04:05.678Z';

/** A webhook about an order, as the platform sends it. */
export function orderBody(orderId: string, second: number): string {
  return JSON.stringify({
    // An id has no spaces.
    orderId: orderId.replaceAll(/\W+/g, '-'),
    status: 'PENDING',
    modifiedOn: new Date(Date.parse('2026-01-02T03:00:00Z') + second * 1_000).toISOString(),
    instrument: { isin: 'DE0001102580', venue: 'XETR', quantity: 12, limit: { amount: '101.25', currency: 'EUR' } },
    notificationType: 'STATUS_CHANGE',
  });
}

/** The event of API Gateway, payload format 2.0. */
export function httpEvent(body: string, requestId: string): object {
  const path = `/webhooks/part/${orderType}`;
  return {
    version: '2.0',
    routeKey: 'POST /webhooks/part/{eventType}',
    rawPath: path,
    rawQueryString: '',
    headers: {
      'content-type': 'application/json',
      'content-length': String(Buffer.byteLength(body)),
      host: 'api.partner.example',
      'user-agent': 'platform/1',
      'x-forwarded-for': '203.0.113.7',
      [secretHeader]: stubSecret,
    },
    requestContext: {
      accountId: '000000000000',
      apiId: 'api',
      domainName: 'api.partner.example',
      http: { method: 'POST', path, protocol: 'HTTP/1.1', sourceIp: '203.0.113.7', userAgent: 'platform/1' },
      requestId,
      routeKey: 'POST /webhooks/part/{eventType}',
      stage: '$default',
      time: '02/Jan/2026:03:04:05 +0000',
      timeEpoch: Date.parse(receivedOn),
    },
    pathParameters: { eventType: orderType },
    body,
    isBase64Encoded: false,
  };
}

/** The event of an SQS mapping. */
export function sqsEvent(bodies: readonly { readonly body: string; readonly deliveryId: string }[]): object {
  return {
    Records: bodies.map(({ body, deliveryId }, index) => ({
      messageId: `message-${index}`,
      receiptHandle: 'receipt',
      body: writeDeliveryMessage({
        deliveryId,
        eventType: orderType,
        receivedOn,
        deflatedBody: deflateBody(Buffer.from(body)),
      }),
      attributes: { ApproximateReceiveCount: '1' },
      messageAttributes: {},
      md5OfBody: '',
      eventSource: 'aws:sqs',
      eventSourceARN: 'arn:aws:sqs:eu-central-1:000000000000:webhooks',
      awsRegion: 'eu-central-1',
    })),
  };
}

/** What a batch holds. */
export const storeContents = ['fresh', 'duplicate', 'same entity'] as const;

/** @param name makes the webhooks different from those of every other batch; duplicates repeat one batch */
export function batchOf(content: (typeof storeContents)[number], name: string, nth: number, size: number): object {
  const records = Array.from({ length: size }, (_, index) => ({
    body:
      content === 'same entity'
        ? orderBody(`${name}-${nth}`, index)
        : orderBody(`${name}-${content === 'fresh' ? nth : 0}-${index}`, 0),
    deliveryId: `delivery-${nth}`,
  }));
  return sqsEvent(records);
}
