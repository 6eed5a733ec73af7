import { checkPlatform, otherPaths, persons, verifications } from '#cli/doctor/platform/check-platform.ts';
import { pageOf } from '#cli/doctor/platform/evaluate-list.ts';
import { fieldOf } from '#cli/doctor/platform/evaluation.ts';
import type { PlatformAccess } from '#cli/doctor/platform/platform-access.ts';
import {
  createPlatformReads,
  isAnswer,
  type Observed,
  type PlatformReads,
  type PlatformReadsDeps,
} from '#cli/doctor/platform/platform-reads.ts';
import { toStatus } from '#shared/entities/statuses/entity-rules.ts';
import { isSuccess } from '#shared/platform/client/http.ts';
import { platformId } from '#shared/platform/fields/fields.ts';
import { toWord } from '#shared/platform/fields/received.ts';
import { eventTypeName } from '#shared/platform/profile/event-place.ts';
import { type PlatformProfile, requestorIdOf } from '#shared/platform/profile/profile.ts';
import { type Operation, operations } from './recording.ts';

/** An answer, or why there is none. Stays in memory. */
export type Seen = {
  readonly operation: Operation;
  readonly requestorId: string | undefined;
  readonly observed: Observed;
};

/**
 * Asks what `doctor --platform` asks, and for one person, one verification and one webhook of the lists.
 *
 * @returns every answer, and what could not be asked
 */
export async function observePlatform(
  access: PlatformAccess,
  deps: PlatformReadsDeps & { readonly now: () => Date },
): Promise<{ readonly seen: readonly Seen[]; readonly missed: readonly string[] }> {
  const seen: Seen[] = [];
  const reads = watchReads(createPlatformReads(access, deps), access.profile, (one) => seen.push(one));
  await checkPlatform(access, deps, reads);
  if (!reads.hasToken()) return { seen, missed: missedOf(seen) };
  await readVerifications(access, reads, seen);
  const notFound = await readOnes(access, reads, seen);
  return { seen, missed: [...missedOf(seen), ...notFound] };
}

/** The same reads, each of which is seen. */
function watchReads(reads: PlatformReads, profile: PlatformProfile, onSeen: (seen: Seen) => void): PlatformReads {
  return {
    ...reads,
    requestToken: async (path) => {
      const observed = await reads.requestToken(path);
      onSeen({ operation: 'Get Token', requestorId: undefined, observed });
      return observed;
    },
    get: async (path, query, requestorId) => {
      const observed = await reads.get(path, query, requestorId);
      onSeen({ operation: operationOf(path, profile), requestorId, observed });
      return observed;
    },
  };
}

function operationOf(path: string, { webhookPaths }: PlatformProfile): Operation {
  if (path === persons) return 'Get natural persons';
  if (path.startsWith(`${persons}/`)) return 'Get natural person';
  if (path === verifications) return 'Get Identification Verifications';
  if (path.startsWith(`${verifications}/`)) return 'Get Identification Verification';
  if ([webhookPaths.undelivered, ...otherPaths.undelivered].includes(path)) return 'List undelivered webhooks';
  if ([webhookPaths.missing, ...otherPaths.missing].includes(path)) return 'List missing webhooks';
  return path === webhookPaths.webhooks ? 'List webhooks' : 'Get webhook';
}

/** Persons that are asked for their verifications. */
const maxRequestors = 5;

/** A person that is its own requestor may see only its own verifications: the latest persons are asked for theirs. */
async function readVerifications({ profile, requestor }: PlatformAccess, reads: PlatformReads, seen: readonly Seen[]) {
  const membersSeen = (operation: Operation) =>
    seen.flatMap((one) => (one.operation === operation ? (membersOf(one.observed) ?? []) : []));
  const hasVerification = () => membersSeen('Get Identification Verifications').length > 0;
  if ((profile.requestors.verifications ?? requestor) !== 'self') return;
  const active = membersSeen('Get natural persons').filter(
    (person) => toStatus('natural-person', profile, fieldOf(person, 'naturalPersonStatus')) === 'ACTIVE',
  );
  const ids = new Set(active.toReversed().flatMap((person) => idIn(person, 'naturalPersonId') ?? []));
  for (const id of [...ids].slice(0, maxRequestors))
    if (!hasVerification()) await reads.get(verifications, { limit: profile.pageSize }, id);
}

function idIn(member: unknown, name: string): string | undefined {
  return platformId.safeParse(fieldOf(member, name) ?? fieldOf(member, 'id')).data;
}

/** One member of a list, as the platform answers it by itself. */
type One = {
  readonly operation: Operation;
  readonly list: Operation;
  /** Undefined for a member without an id. */
  readonly find: (member: unknown) => { readonly path: string; readonly requestorId: string | undefined } | undefined;
};

function onesOf({ profile, requestor }: PlatformAccess): readonly One[] {
  const { requestors, webhookPaths } = profile;
  return [
    {
      operation: 'Get natural person',
      list: 'Get natural persons',
      find: (member) => {
        const id = idIn(member, 'naturalPersonId');
        return id === undefined
          ? undefined
          : { path: `${persons}/${id}`, requestorId: requestorIdOf(requestors.naturalPerson, id) };
      },
    },
    {
      operation: 'Get Identification Verification',
      list: 'Get Identification Verifications',
      find: (member) => {
        const id = idIn(member, 'identificationVerificationId');
        const person = platformId.safeParse(fieldOf(member, 'naturalPersonId')).data;
        const requestorId = requestorIdOf(requestors.verifications ?? requestor ?? 'none', person);
        return id === undefined ? undefined : { path: `${verifications}/${id}`, requestorId };
      },
    },
    {
      operation: 'Get webhook',
      list: 'List webhooks',
      find: (member) => {
        const type = eventTypeName.safeParse(toWord(fieldOf(member, 'eventType'), () => true)).data;
        return type === undefined
          ? undefined
          : { path: `${webhookPaths.webhooks}/${type}`, requestorId: requestorIdOf(requestors.webhooks) };
      },
    },
  ];
}

/** Reads one member of each list by itself. @returns what could not be read */
async function readOnes(access: PlatformAccess, reads: PlatformReads, seen: readonly Seen[]) {
  const missing: string[] = [];
  for (const { operation, list, find } of onesOf(access)) {
    const page = seen.find((one) => one.operation === list && (membersOf(one.observed)?.length ?? 0) > 0);
    const one = find(membersOf(page?.observed)?.[0]);
    if (one === undefined) {
      missing.push(`${operation}: ${list} has no member with an id`);
      continue;
    }
    const answer = await reads.get(one.path, {}, one.requestorId);
    const isRefused = isAnswer(answer) && !isSuccess(answer);
    if (isRefused && page?.requestorId !== one.requestorId) await reads.get(one.path, {}, page?.requestorId);
  }
  return missing;
}

/** The members of a page. */
export function membersOf(observed: Observed | undefined): readonly unknown[] | undefined {
  return pageOf(observed)?.members;
}

/** Operations without any answer of success. */
function missedOf(seen: readonly Seen[]): readonly string[] {
  return operations.flatMap((operation) => {
    const observed = seen.flatMap((one) => (one.operation === operation ? [one.observed] : []));
    if (observed.length === 0 || observed.some((one) => isAnswer(one) && isSuccess(one))) return [];
    const reasons = new Set(observed.map((one) => (isAnswer(one) ? `answered ${one.status}` : one.missed)));
    return [`${operation}: ${[...reasons].join(', ')}`];
  });
}
