import { deflateRawSync } from 'node:zlib';
import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import * as z from 'zod/mini';
import { createRowReader, type Item, wholeNumber } from '#shared/aws/dynamodb.ts';
import { DrawbridgeError } from '#shared/drawbridge-error.ts';
import { type EntityKey, entityKey } from '#shared/entities/entity-row.ts';
import { timestamp } from '#shared/platform/fields/timestamp.ts';
import { type OnboardingEvent, onboardingEvent } from './onboarding-event.ts';
import { dueShard, erasingLane, listLaneOf, onboardingKeys } from './onboarding-keys.ts';
import {
  type OnboardingData,
  type OnboardingState,
  onboardingData,
  onboardingState,
  type RequestDigests,
  requestDigests,
} from './onboarding-state.ts';

/** An onboarding as the onboardings table keeps it. */
export type OnboardingRow = {
  readonly onboardingId: string;
  readonly version: number;
  readonly state: OnboardingState;
  readonly data: OnboardingData;
  readonly digests: RequestDigests;
  /** Events that may not have been published yet, in order. */
  readonly outbox: readonly OnboardingEvent[];
  /** When DynamoDB may delete the row, in seconds since 1970. */
  readonly expiresAt: number;
} & Erasing;

/** What an erasure that has not ended keeps on an onboarding. */
export type Erasing = {
  /** When the erasure began: until its end no request and no retry restarts the onboarding, and other rows may still hold the person. */
  readonly erasingOn?: string | undefined;
  /** What the erasure has found of the person so far: the entities of the person and of its verifications. */
  readonly erasingKeys?: readonly EntityKey[] | undefined;
  /** The further onboardings of the person, which the erasure erases too. */
  readonly erasingOnboardingIds?: readonly string[] | undefined;
  /** Whether the externalId is that of another person, whom the erasure keeps. Stays after the end. */
  readonly isOfAnother?: boolean | undefined;
};

/** What stays of an erased onboarding, so that nothing late brings it back. The audit record: no personal data. */
export type ErasedOnboarding = {
  readonly onboardingId: string;
  readonly version: number;
  readonly erasedOn: string;
  readonly acceptedOn: string | undefined;
  /** The step that it had reached. */
  readonly step: string | undefined;
} & Erasing;

const { read, readJson, readDeflated } = createRowReader(
  (fields) =>
    new DrawbridgeError(
      'OnboardingRowError',
      `A row of the onboardings table cannot be read: ${fields.join(', ')}. Find out what wrote it.`,
    ),
);

const text = z.object({ S: z.string() });

const bytes = z.object({ B: z.instanceof(Uint8Array) });

const erasingItem = {
  erasingOn: z.optional(z.object({ S: timestamp })),
  erasingKeys: z.optional(text),
  erasingOnboardingIds: z.optional(z.object({ SS: z.array(z.string()) })),
  isOfAnother: z.optional(z.object({ BOOL: z.boolean() })),
};

const erasingFields = z.object(erasingItem);

type ErasingItem = z.output<typeof erasingFields>;

const liveItem = z.object({
  onboardingId: text,
  version: wholeNumber,
  state: text,
  data: bytes,
  digests: text,
  outbox: text,
  expiresAt: wholeNumber,
  ...erasingItem,
});

/** Release 0.2.0 wrote until when an onboarding is paced, which could be later than `dueOn`. */
const storedState = z.pipe(
  z.extend(onboardingState, { quietUntil: z.optional(timestamp) }),
  z.transform(({ quietUntil, ...state }): OnboardingState => {
    const { dueOn } = state;
    if (quietUntil === undefined || dueOn === undefined) return state;
    return { ...state, isPaced: true, dueOn: quietUntil > dueOn ? quietUntil : dueOn };
  }),
);

const entityKeyList = z.array(entityKey);

const outboxEvents = z.array(onboardingEvent);

const erasedItem = z.object({
  onboardingId: text,
  version: wholeNumber,
  erasedOn: z.object({ S: timestamp }),
  acceptedOn: z.optional(text),
  step: z.optional(text),
  ...erasingItem,
});

/** @param at when it is written, by which lists order it */
export function writeOnboarding(
  { onboardingId, state, ...row }: OnboardingRow,
  at: Date,
): Record<string, AttributeValue> {
  const { naturalPersonId, identificationVerificationId, formerVerificationIds = [], dueOn } = state;
  const { due, person, verification, listed } = onboardingKeys;
  return {
    [onboardingKeys.partition]: { S: onboardingId },
    version: { N: String(row.version) },
    state: { S: JSON.stringify(storedStateOf(state)) },
    data: { B: deflateRawSync(JSON.stringify(row.data)) },
    digests: { S: JSON.stringify(row.digests) },
    outbox: { S: JSON.stringify(row.outbox) },
    [onboardingKeys.timeToLive]: { N: String(row.expiresAt) },
    [listed.partition]: { S: listLaneOf(state, onboardingId) },
    [listed.sort]: { S: at.toISOString() },
    ...erasingAttributes(row),
    ...(dueOn !== undefined && { [due.partition]: { S: dueShard }, [due.sort]: { S: dueOn } }),
    ...(naturalPersonId !== undefined && { [person.partition]: { S: naturalPersonId } }),
    ...(identificationVerificationId !== undefined && {
      [verification.partition]: { S: identificationVerificationId },
    }),
    ...(formerVerificationIds.length > 0 && { formerVerificationIds: { SS: [...formerVerificationIds] } }),
  };
}

/** After a rollback, release 0.2.0 reads `failing` only with `isEarlyUsed`. */
function storedStateOf({ failing, ...state }: OnboardingState): object {
  return { ...state, ...(failing && { failing: { ...failing, isEarlyUsed: true } }) };
}

/** In the index of the list by when the erasure began. */
function erasingAttributes({
  erasingOn,
  erasingKeys = [],
  erasingOnboardingIds = [],
  isOfAnother = false,
}: Erasing): Record<string, AttributeValue> {
  const { listed } = onboardingKeys;
  const ofAnother = isOfAnother ? { [onboardingKeys.isOfAnother]: { BOOL: true } } : {};
  if (erasingOn === undefined) return ofAnother;
  return {
    ...ofAnother,
    [onboardingKeys.erasingOn]: { S: erasingOn },
    [listed.partition]: { S: erasingLane },
    [listed.sort]: { S: erasingOn },
    ...(erasingKeys.length > 0 && { erasingKeys: { S: JSON.stringify(erasingKeys) } }),
    ...(erasingOnboardingIds.length > 0 && { erasingOnboardingIds: { SS: [...erasingOnboardingIds] } }),
  };
}

export function writeErased({ onboardingId, version, erasedOn, acceptedOn, step, ...erasing }: ErasedOnboarding) {
  return {
    [onboardingKeys.partition]: { S: onboardingId },
    version: { N: String(version) },
    erasedOn: { S: erasedOn },
    ...(acceptedOn !== undefined && { acceptedOn: { S: acceptedOn } }),
    ...(step !== undefined && { step: { S: step } }),
    ...erasingAttributes(erasing),
  };
}

/** @throws `OnboardingRowError` when the item is not what {@link writeOnboarding} or {@link writeErased} writes */
export function readOnboarding(item: Item): OnboardingRow | ErasedOnboarding {
  if (item['erasedOn'] !== undefined) {
    const { onboardingId, version, erasedOn, acceptedOn, step, ...erasing } = read(erasedItem, item);
    return {
      onboardingId: onboardingId.S,
      version,
      erasedOn: erasedOn.S,
      acceptedOn: acceptedOn?.S,
      step: step?.S,
      ...readErasing(erasing),
    };
  }
  const { onboardingId, version, expiresAt, ...live } = read(liveItem, item);
  return {
    onboardingId: onboardingId.S,
    version,
    expiresAt,
    state: readJson(storedState, 'state', live.state.S),
    data: readDeflated(onboardingData, 'data', live.data.B),
    digests: readJson(requestDigests, 'digests', live.digests.S),
    outbox: readJson(outboxEvents, 'outbox', live.outbox.S),
    ...readErasing(live),
  };
}

function readErasing({ erasingOn, erasingKeys, erasingOnboardingIds, isOfAnother }: ErasingItem): Erasing {
  return {
    erasingOn: erasingOn?.S,
    erasingKeys: erasingKeys && readJson(entityKeyList, 'erasingKeys', erasingKeys.S),
    erasingOnboardingIds: erasingOnboardingIds?.SS,
    isOfAnother: isOfAnother?.BOOL,
  };
}

/** An onboarding as a list shows it. */
export type ListedOnboarding = Pick<OnboardingRow, 'onboardingId' | 'version' | 'state' | 'expiresAt'> & {
  /** When it was written last. ISO 8601, UTC, with milliseconds. */
  readonly updatedOn: string;
};

const listedItem = z.pick(z.extend(liveItem, { updatedOn: text }), {
  onboardingId: true,
  version: true,
  state: true,
  expiresAt: true,
  updatedOn: true,
});

/** Reads an item of the index of the list. @throws `OnboardingRowError` */
export function readListedOnboarding(item: Item): ListedOnboarding {
  const { onboardingId, version, state, expiresAt, updatedOn } = read(listedItem, item);
  return {
    onboardingId: onboardingId.S,
    version,
    state: readJson(storedState, 'state', state.S),
    expiresAt,
    updatedOn: updatedOn.S,
  };
}

export function isErased(row: OnboardingRow | ErasedOnboarding): row is ErasedOnboarding {
  return 'erasedOn' in row;
}
