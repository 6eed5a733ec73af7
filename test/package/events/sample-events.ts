/** An event of the bus as SQS hands it over. */
export function message(messageId: string, detailType: string, detail: object, envelope: object = {}) {
  const event = {
    version: '0',
    id: `published-${messageId}`,
    source: 'drawbridge',
    'detail-type': detailType,
    account: '123456789012',
    time: '2026-01-02T03:04:05Z',
    region: 'eu-central-1',
    resources: [],
    detail,
    ...envelope,
  };
  return { messageId, body: JSON.stringify(event) };
}

export const eventId = 'e'.repeat(64);

/** The detail of a changed order. */
export function orderDetail(id: string, sequence: number, more: object = {}) {
  return { kind: 'order', id, sequence, status: 'FILLED', anomalies: [], remedies: [], eventId, ...more };
}
