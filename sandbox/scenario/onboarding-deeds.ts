import type { RequestorTarget } from '#sandbox/platform/access/requestors.ts';
import { RefusedError } from '#sandbox/platform/core/refused-error.ts';
import type { Platform } from '#sandbox/platform/platform.ts';
import { onboardingIdOf } from '#shared/onboarding-keys.ts';
import type { OnboardingRow } from '#shared/onboarding-row.ts';
import { sideBySide } from '#shared/side-by-side.ts';
import type { Deed, PlannedDeed } from './onboarding-fates.ts';
import type { Answer, Partner } from './onboarding-partner.ts';
import type { PlannedOnboarding } from './onboarding-plan.ts';
import { updateOf } from './onboarding-request.ts';
import { requestorFor } from './onboarding-requestor.ts';

export type DeedsDeps = {
  readonly platform: Platform;
  readonly partner: Pick<Partner, 'operate' | 'update' | 'erase'>;
  readonly plan: readonly PlannedOnboarding[];
  /** Whether the platform has put right what it refused the partner's credentials. */
  readonly isAllowedAgain: () => boolean;
};

/** What was done about one onboarding. */
export type Done = {
  readonly planned: PlannedOnboarding;
  readonly what: Deed | 'mend';
  /** The status that it was to be answered with, and the one that it was. */
  readonly expected: number;
  readonly answered: number;
};

export type Deeds = ReturnType<typeof createDeeds>;

/** Done at once. */
const concurrency = 8;

/**
 * The partner's people: an operator who cancels onboardings, retries those that have failed, and mends what has stopped them;
 * and somebody who updates persons, and has them erased.
 */
export function createDeeds({ platform, partner, plan, isAllowedAgain }: DeedsDeps) {
  const done: Done[] = [];
  const doneAbout = new Map<PlannedOnboarding, number>();

  function awaited(planned: PlannedOnboarding): PlannedDeed | undefined {
    return planned.fate.deeds?.[doneAbout.get(planned) ?? 0];
  }

  async function actOn(planned: PlannedOnboarding, { state, outbox }: OnboardingRow): Promise<boolean> {
    const { step } = state;
    const deed = awaited(planned);
    if (step === 'STOPPED' && isMended(state)) {
      await note(planned, 'mend', 202, partner.operate('retry', planned.request.externalId));
      return true;
    }
    // Whoever erases has been told that it ended.
    if (deed?.at !== step || outbox.length > 0) return false;
    await perform(planned, deed.what, state);
    doneAbout.set(planned, (doneAbout.get(planned) ?? 0) + 1);
    return true;
  }

  function perform(planned: PlannedOnboarding, what: Deed, state: OnboardingRow['state']): Promise<void> {
    const { externalId } = planned.request;
    if (what === 'erase') return note(planned, what, 204, partner.erase(externalId));
    if (what !== 'update') return note(planned, what, 202, partner.operate(what, externalId));
    const { naturalPersonId = '' } = state;
    const expected = mayAct(platform, { naturalPersonId }) ? 202 : 409;
    return note(planned, what, expected, partner.update(externalId, updateOf(planned.request)));
  }

  async function note(planned: PlannedOnboarding, what: Done['what'], expected: number, asked: Promise<Answer>) {
    const { status, tries } = await asked;
    // A retry of which the answer was lost is done, and another one may be impossible.
    const isDone = tries > 1 && status === 409 && (what === 'retry' || what === 'mend');
    done.push({ planned, what, expected, answered: isDone ? expected : status });
  }

  /** Whether what has stopped it is put right, or could be. */
  function isMended({ reasons, naturalPersonId = '' }: OnboardingRow['state']): boolean {
    const { representativeId } = platform.settings.read();
    const code = reasons[0]?.code;
    if (code !== 'REQUESTOR_ID_INVALID' || representativeId === null) return code === 'FORBIDDEN' && isAllowedAgain();
    if (!platform.proxies.isActive(representativeId, naturalPersonId))
      platform.proxies.create(representativeId, naturalPersonId);
    return true;
  }

  return {
    /** What is to be done about it next; undefined where nothing is. */
    awaited,
    /** Does what is due at the steps where onboardings are. @returns whether there was anything */
    act: async (rows: readonly OnboardingRow[]): Promise<boolean> => {
      const rowOf = new Map(rows.map((row) => [row.onboardingId, row]));
      const acted = await sideBySide(plan, concurrency, async (planned) => {
        const row = rowOf.get(onboardingIdOf(planned.request.externalId));
        return row !== undefined && (await actOn(planned, row));
      });
      return acted.some(Boolean);
    },
    /** How many deeds are still to be done. */
    left: (): number => plan.filter((planned) => awaited(planned) !== undefined).length,
    done: (): readonly Done[] => done,
    /** How often each was done. */
    counts: (): Readonly<Record<string, number>> =>
      Object.fromEntries([...Map.groupBy(done, ({ what }) => what)].map(([what, ones]) => [what, ones.length])),
    /** Whether the person of this externalId was erased. */
    isErased: (externalId: string): boolean =>
      done.some(({ planned, what }) => what === 'erase' && planned.request.externalId === externalId),
  };
}

/** Whether the requestor may act for the person, by what the platform itself says (section 5). */
export function mayAct(platform: Platform, target: RequestorTarget): boolean {
  try {
    platform.requestors.authorize(requestorFor(platform, target.naturalPersonId), target);
    return true;
  } catch (error) {
    if (error instanceof RefusedError) return false;
    throw error;
  }
}
