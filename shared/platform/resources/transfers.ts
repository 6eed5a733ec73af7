import * as z from 'zod/mini';
import { type CallOptions, checkSegment } from '#shared/platform/client/check-input.ts';
import type { PlatformClient } from '#shared/platform/client/client.ts';
import { lenient, receivedId, receivedStatus, tolerantObject } from '#shared/platform/fields/received.ts';
import { oncePerTimes, receivedTime } from '#shared/platform/fields/timestamp.ts';
import { type AnswerFields, answerFieldsOf, findField, resourcesIn } from '#shared/platform/profile/event-place.ts';
import type { PlatformProfile } from '#shared/platform/profile/profile.ts';

/** Section 3.4. */
export const transferStatusWords = ['RECEIVED', 'INVALID', 'PENDING', 'REJECTED', 'PROCESSED'] as const;

/** Section 2.6: not shown. What is not listed is kept. */
const transfer = oncePerTimes((times) =>
  tolerantObject({
    transferId: receivedId,
    transferStatus: lenient(receivedStatus(transferStatusWords)),
    createdOn: receivedTime(times),
    modifiedOn: receivedTime(times),
  }),
);

export type Transfer = z.infer<ReturnType<typeof transfer>>;

/** Finds a transfer as an event of one is placed: at the top level or in a wrapper, by each name that its fields may have. */
function answered({ places, times }: Pick<PlatformProfile, 'places' | 'times'>, transferId: string) {
  const names = answerFieldsOf('transfer', places);
  return z.pipe(
    z.transform((body: unknown) => gather(body, names, transferId)),
    transfer(times),
  );
}

/** @param wanted the id that was asked for: of several ids in an answer, that one */
function gather(body: unknown, names: AnswerFields, wanted: string): unknown {
  const resources = resourcesIn(body, names.wrappers);
  const ids = names.id.map((name) => findField(resources, [name])).filter((one) => one !== undefined);
  const found = ids.find(({ value }) => value === wanted) ?? ids[0];
  if (found === undefined) return {};
  const all = [found.resource, ...resources];
  return {
    ...found.resource,
    transferId: found.value,
    transferStatus: findField(all, names.status)?.value,
    modifiedOn: findField(all, names.modifiedOn)?.value,
  };
}

/**
 * Reads a transfer. The specification does not show how (section 4.3): the path, and the names of its
 * fields, are those of the profile.
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
  const request = { operation, requestorId, path, mayBePurged: true };
  return client.request(answered(client.profile, transferId), { ...request, method: 'GET' }, options);
}
