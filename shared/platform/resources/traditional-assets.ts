import * as z from 'zod/mini';
import { type CallOptions, checkInput, checkSegment } from '#shared/platform/client/check-input.ts';
import type { PlatformClient } from '#shared/platform/client/client.ts';
import { checkNoContent } from '#shared/platform/client/http.ts';
import { pageLimit } from '#shared/platform/fields/fields.ts';

/** A document as the platform sent it. */
export type PlatformDocument = { readonly contentType: string | undefined; readonly content: Uint8Array };

/**
 * List assets (section 4). The shape of its payload is not shown: read it with a schema of your own.
 *
 * @param requestorId who does it (section 5)
 */
export async function listAssets<Schema extends z.ZodMiniType>(
  client: PlatformClient,
  requestorId: string,
  schema: Schema,
  { limit, ...options }: CallOptions & { readonly limit?: number } = {},
): Promise<z.output<Schema>> {
  const operation = 'List assets';
  const query = { limit: checkInput(z.optional(pageLimit), limit, { operation, section: '4', field: 'limit' }) };
  const request = { operation, requestorId, path: '/traditional/assets', query };
  return client.request(schema, { ...request, method: 'GET' }, options);
}

/**
 * Cancel order (sections 3.3 and 4). Resolves when the platform has taken it; CANCELED comes by webhook. No
 * webhook reports a failed cancel.
 *
 * @throws {PlatformHttpError} PURGED if the order was INVALID for 48 hours, or never was
 * @throws {PlatformSchemaError} if the answer is not the platform's, such as the page of a proxy
 */
export async function cancelOrder(
  client: PlatformClient,
  requestorId: string,
  orderId: string,
  options?: CallOptions,
): Promise<void> {
  const operation = 'Cancel order';
  const path = `/traditional/orders/${checkSegment(operation, 'orderId', orderId)}`;
  const request = {
    operation,
    requestorId,
    method: 'DELETE',
    path,
    mayBePurged: true,
    isRefusedOnceDone: true,
  } as const;
  checkNoContent(operation, await client.send(request, options));
}

/** Get trade invoice (section 4): the TRADE_INVOICE document for a filled order, some seconds after FILLED. */
export async function getTradeInvoice(
  client: PlatformClient,
  requestorId: string,
  executionId: string,
  options?: CallOptions,
): Promise<PlatformDocument> {
  const operation = 'Get trade invoice';
  const path = `/traditional/orders/trade-invoice/${checkSegment(operation, 'executionId', executionId)}`;
  const request = { operation, requestorId, path, accept: '*/*' };
  const { headers, body } = await client.send({ ...request, method: 'GET' }, options);
  return { contentType: headers.get('content-type') ?? undefined, content: body };
}
