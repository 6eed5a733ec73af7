import { ConflictError, retryOnConflict } from '#shared/aws/dynamodb.ts';
import { type EntityKey, entityName } from '#shared/entities/entity-row.ts';
import type { Log } from '#shared/lambda/log.ts';
import { isErased } from '#shared/onboarding/onboarding-row.ts';
import type { OnboardingStore } from '#shared/onboarding/onboarding-store.ts';

/** An onboarding as it is stored: missing, live, or erased. */
export type LoadedOnboarding = Awaited<ReturnType<OnboardingStore['load']>>;

/** More attempts than elsewhere: another process saves the onboarding while it publishes the last event. */
const markRetries = { maxAttempts: 5 } as const;

/** In milliseconds: until then `advance` publishes the events that are left, as after an outage of the bus. */
const maxBusWaitMs = 86_400_000;

/** What an erasure has found. */
export type ErasureKnown = {
  /** The entities of the person and of its verifications. */
  readonly keys: readonly EntityKey[];
  /** The onboardings of the person. */
  readonly onboardingIds: readonly string[];
  /** Those of them whose externalId is that of another person: none unless given. */
  readonly foreignIds?: readonly string[];
};

/** The outcome of a mark: a refusal, with nothing written; `more` if another request has found more; or the mark. */
export type Marked<Refusal> = { readonly refusal: Refusal } | 'more' | 'marked';

/** The first and the last write of an erasure. Both are conditional on the version that was read. */
export type ErasureMark = {
  /**
   * From now on no request and no retry restarts the onboarding, `store` erases events of its person that arrive, and the erasure is
   * counted until its end. Stores what was found of the person, for a later call that continues. Can be repeated.
   *
   * @param refusalOf why the onboarding cannot be erased as it is now
   */
  readonly mark: <Refusal>(
    onboardingId: string,
    known: ErasureKnown,
    refusalOf: (row: LoadedOnboarding) => Refusal | undefined,
  ) => Promise<Marked<Refusal>>;
  /**
   * Erases the onboarding.
   *
   * @returns `restarted` if the onboarding is live and has lost its mark; `more` if another request has found more, or if the bus does
   *   not have all events of the onboarding. For that, an erasure waits for a day at most
   * @throws {ConflictError} when other writers changed the onboarding before each attempt
   */
  readonly end: (onboardingId: string, known: ErasureKnown) => Promise<'erased' | 'restarted' | 'more'>;
};

export function createErasureMark({
  store,
  now,
  log,
}: {
  readonly store: Pick<OnboardingStore, 'load' | 'save' | 'erase'>;
  readonly now: () => Date;
  readonly log: Log;
}): ErasureMark {
  return {
    mark: (onboardingId, known, refusalOf) =>
      retryOnConflict(markRetries, async () => {
        const row = await store.load(onboardingId);
        const refusal = refusalOf(row);
        if (refusal !== undefined) return { refusal };
        const others = known.onboardingIds.filter((id) => id !== onboardingId);
        const { erasingKeys = [], erasingOnboardingIds = [], erasingOn = now().toISOString() } = row ?? {};
        const erasing = {
          erasingOn,
          erasingKeys: [...new Map([...erasingKeys, ...known.keys].map((key) => [entityName(key), key])).values()],
          erasingOnboardingIds: [...new Set([...erasingOnboardingIds, ...others])],
          isOfAnother: known.foreignIds?.includes(onboardingId),
        };
        const isMarked =
          row === undefined || isErased(row)
            ? await store.erase(onboardingId, row, erasing)
            : await store.save({ ...row, version: row.version + 1, ...erasing });
        if (!isMarked) throw conflict();
        return hasMore(row, known) ? 'more' : 'marked';
      }),
    end: (onboardingId, known) =>
      retryOnConflict(markRetries, async () => {
        const row = await store.load(onboardingId);
        if (row !== undefined && row.erasingOn === undefined) return isErased(row) ? 'erased' : 'restarted';
        if (hasMore(row, known)) return 'more';
        if (row !== undefined && !isErased(row) && row.outbox.length > 0) {
          if (Date.parse(row.erasingOn ?? '') + maxBusWaitMs > now().getTime()) return 'more';
          log.warn('onboarding events discarded', { onboardingId, size: row.outbox.length });
        }
        if (!(await store.erase(onboardingId, row))) throw conflict();
        return 'erased';
      }),
  };
}

/** Whether the onboarding stores ids that this request does not know. */
function hasMore(row: LoadedOnboarding, { keys, onboardingIds }: ErasureKnown): boolean {
  const names = new Set(keys.map(entityName));
  return (
    (row?.erasingKeys ?? []).some((key) => !names.has(entityName(key))) ||
    (row?.erasingOnboardingIds ?? []).some((id) => !onboardingIds.includes(id))
  );
}

function conflict(): ConflictError {
  return new ConflictError('Other writers changed the onboarding: send the erasure again.');
}
