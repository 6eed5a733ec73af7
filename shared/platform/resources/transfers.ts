import * as z from 'zod/mini';
import { checkSegment } from '#shared/platform/client/check-input.ts';
import type { PlatformClient } from '#shared/platform/client/client.ts';
import type { CallOptions } from '#shared/platform/client/platform-request.ts';
import { maybe, openEnum } from '#shared/platform/fields/open-enum.ts';
import { timestamp } from '#shared/platform/fields/timestamp.ts';

/** Section 2.6: not shown. Its status has a name of its own; what is not listed is kept. */
const transfer = z.looseObject({
  transferId: z.string(),
  transferStatus: maybe(openEnum(['RECEIVED', 'INVALID', 'PENDING', 'REJECTED', 'PROCESSED'])),
  createdOn: maybe(timestamp),
  modifiedOn: maybe(timestamp),
});

export type Transfer = z.infer<typeof transfer>;

const answered = z.object({ transfer });

/**
 * Reads a transfer. The specification does not show how (section 4.3): the path is that of the profile.
 *
 * @param requestorId who does it (section 5)
 */
export async function getTransfer(
  client: PlatformClient,
  requestorId: string | undefined,
  transferId: string,
  options?: CallOptions,
): Promise<Transfer> {
  const operation = 'Get transfer';
  const path = `${client.profile.transfersPath}/${checkSegment(operation, 'transferId', transferId)}`;
  const answer = await client.request(
    answered,
    { operation, requestorId, method: 'GET', path, mayBePurged: true },
    options,
  );
  return answer.transfer;
}
