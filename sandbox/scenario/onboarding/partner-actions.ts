import type { Platform } from '#sandbox/platform/app/platform.ts';
import { mapConcurrent } from '#shared/map-concurrent.ts';
import { onboardingIdOf } from '#shared/onboarding/onboarding-keys.ts';
import type { OnboardingRow } from '#shared/onboarding/onboarding-row.ts';
import type { Answer, Partner } from './partner.ts';
import type { PartnerAction, PlannedAction } from './personas.ts';
import { type PlannedOnboarding, updateOf } from './plan.ts';
import { mayAct } from './platform-part.ts';

export type PartnerActionsDeps = {
  readonly platform: Platform;
  readonly partner: Pick<Partner, 'operate' | 'update' | 'erase'>;
  readonly plan: readonly PlannedOnboarding[];
  /** Whether the partner's credentials have the right again that the platform had taken from them. */
  readonly isAllowedAgain: () => boolean;
};

/** One action about one onboarding, with its answer. `fix` is a retry after the cause of a stop is fixed. */
export type PerformedAction = {
  readonly planned: PlannedOnboarding;
  readonly what: PartnerAction | 'fix';
  /** HTTP statuses: the required one and the returned one. */
  readonly expected: number;
  readonly answered: number;
};

export type PartnerActions = ReturnType<typeof createPartnerActions>;

const actionConcurrency = 8;

/**
 * The partner's staff. Operators cancel onboardings, retry failed ones, and fix what stopped them. Others update persons
 * and erase them.
 */
export function createPartnerActions({ platform, partner, plan, isAllowedAgain }: PartnerActionsDeps) {
  const done: PerformedAction[] = [];
  const doneCounts = new Map<PlannedOnboarding, number>();

  function awaited(planned: PlannedOnboarding): PlannedAction | undefined {
    return planned.persona.actions?.[doneCounts.get(planned) ?? 0];
  }

  async function actOn(planned: PlannedOnboarding, { state, outbox }: OnboardingRow): Promise<boolean> {
    const { step } = state;
    const action = awaited(planned);
    if (step === 'STOPPED' && isFixed(state)) {
      await record(planned, 'fix', 202, partner.operate('retry', planned.request.externalId));
      return true;
    }
    // An eraser waits for the event that says that the onboarding ended.
    if (action?.at !== step || outbox.length > 0) return false;
    await perform(planned, action.what, state);
    doneCounts.set(planned, (doneCounts.get(planned) ?? 0) + 1);
    return true;
  }

  function perform(planned: PlannedOnboarding, what: PartnerAction, state: OnboardingRow['state']): Promise<void> {
    const { externalId } = planned.request;
    if (what === 'erase') return record(planned, what, 204, partner.erase(externalId));
    if (what !== 'update') return record(planned, what, 202, partner.operate(what, externalId));
    const { naturalPersonId = '' } = state;
    const expected = mayAct(platform, { naturalPersonId }) ? 202 : 409;
    return record(planned, what, expected, partner.update(externalId, updateOf(planned.request)));
  }

  async function record(
    planned: PlannedOnboarding,
    what: PerformedAction['what'],
    expected: number,
    answer: Promise<Answer>,
  ) {
    const { status, tries } = await answer;
    // A retry whose answer was lost has succeeded, so the repeated request can conflict.
    const hasSucceeded = tries > 1 && status === 409 && (what === 'retry' || what === 'fix');
    done.push({ planned, what, expected, answered: hasSucceeded ? expected : status });
  }

  /** Fixes the cause of the stop, if an operator can. Returns whether the cause is fixed. */
  function isFixed({ reasons, naturalPersonId = '' }: OnboardingRow['state']): boolean {
    const { representativeId } = platform.settings.read();
    const code = reasons[0]?.code;
    if (code !== 'REQUESTOR_ID_INVALID' || representativeId === null) return code === 'FORBIDDEN' && isAllowedAgain();
    if (!platform.proxies.isActive(representativeId, naturalPersonId))
      platform.proxies.create(representativeId, naturalPersonId);
    return true;
  }

  return {
    /** The next action about this onboarding; undefined if none is left. */
    awaited,
    /** Performs the actions that are due at the current steps. @returns whether any was due */
    act: async (rows: readonly OnboardingRow[]): Promise<boolean> => {
      const rowOf = new Map(rows.map((row) => [row.onboardingId, row]));
      const acted = await mapConcurrent(plan, actionConcurrency, async (planned) => {
        const row = rowOf.get(onboardingIdOf(planned.request.externalId));
        return row !== undefined && (await actOn(planned, row));
      });
      return acted.some(Boolean);
    },
    /** The number of onboardings with actions that are still to come. */
    left: (): number => plan.filter((planned) => awaited(planned) !== undefined).length,
    done: (): readonly PerformedAction[] => done,
    /** The number of performed actions of each kind. */
    counts: (): Readonly<Record<string, number>> =>
      Object.fromEntries([...Map.groupBy(done, ({ what }) => what)].map(([what, ones]) => [what, ones.length])),
    /** Whether the person with this externalId was erased. */
    isErased: (externalId: string): boolean =>
      done.some(({ planned, what }) => what === 'erase' && planned.request.externalId === externalId),
  };
}
