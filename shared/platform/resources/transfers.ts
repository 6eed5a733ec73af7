import * as z from 'zod/mini';
import { type CallOptions, checkSegment } from '#shared/platform/client/check-input.ts';
import type { PlatformClient } from '#shared/platform/client/client.ts';
import { lenient, receivedId, receivedStatus, tolerantObject, withId } from '#shared/platform/fields/received.ts';
import { oncePerTimes, type PlatformTimes, receivedTime } from '#shared/platform/fields/timestamp.ts';

/** Section 3.4. */
export const transferStatusWords = ['RECEIVED', 'INVALID', 'PENDING', 'REJECTED', 'PROCESSED'] as const;

/** Section 2.6: not shown. Its status has a name of its own; what is not listed is kept. */
const transfer = (times: PlatformTimes) =>
  withId(
    'transferId',
    tolerantObject({
      transferId: receivedId,
      transferStatus: lenient(receivedStatus(transferStatusWords)),
      createdOn: receivedTime(times),
      modifiedOn: receivedTime(times),
    }),
  );

export type Transfer = z.infer<ReturnType<typeof transfer>>;

const answered = oncePerTimes((times) => z.object({ transfer: transfer(times) }));

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
    answered(client.profile.times),
    { operation, requestorId, method: 'GET', path, mayBePurged: true },
    options,
  );
  return answer.transfer;
}
