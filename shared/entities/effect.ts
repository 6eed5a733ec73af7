import * as z from 'zod/mini';
import { compareTimestamps, timestamp } from '#shared/platform/timestamp.ts';
import { type EntityRules, leavesStatusOpen } from './entity-rules.ts';
import { type Knowledge, nothingKnown } from './knowledge.ts';
import type { News, Told } from './news.ts';
import { type Shown, show } from './shown.ts';

/**
 * What an event did to its entity when it came.
 *
 * - applied: it changed what is shown, or made the entity one to be read back, or known at all
 * - superseded: what is known is newer, or ranks higher
 * - duplicate: it says what is shown already
 * - anomaly: it contradicts a final status. It is kept, and shown where it is the latest, all the same
 */
export const effects = ['applied', 'superseded', 'duplicate', 'anomaly'] as const;

export type Effect = (typeof effects)[number];

/** A change of what is shown of an entity. */
export const change = z.object({
  /** Of the entity, after this change. Later changes have higher ones; there are gaps. */
  version: z.int(),
  statusBefore: z.optional(z.string()),
  status: z.optional(z.string()),
  modifiedOn: z.optional(timestamp),
  /** Those that are new with this change. */
  anomalies: z.array(z.string()),
});

export type Change = Readonly<z.output<typeof change>>;

export type Judgement = { readonly effect: Effect; readonly change: Change | undefined };

/**
 * Tells what news did.
 *
 * @param before what was known, undefined where the entity was not known at all
 * @param after what is known with the news
 * @param version that the entity then has
 */
export function judge(
  rules: EntityRules,
  told: Told,
  before: Knowledge | undefined,
  after: Knowledge,
  version: number,
): Judgement {
  const [shownBefore, shown] = [show(rules, before ?? nothingKnown), show(rules, after)];
  const anomalies = shown.anomalies.filter((anomaly) => !shownBefore.anomalies.includes(anomaly));
  const isChanged =
    shown.status !== shownBefore.status || shown.modifiedOn !== shownBefore.modifiedOn || anomalies.length > 0;
  const { status, modifiedOn } = shown;
  const changed: Change = { version, statusBefore: shownBefore.status, status, modifiedOn, anomalies };
  return {
    change: isChanged ? changed : undefined,
    effect: effectOf(anomalies.length > 0, {
      isNew: isChanged || before === undefined || leavesStatusOpen(rules, told),
      isSaid: isShown(told.news, shown),
    }),
  };
}

function effectOf(
  isAnomaly: boolean,
  { isNew, isSaid }: { readonly isNew: boolean; readonly isSaid: boolean },
): Effect {
  if (isAnomaly) return 'anomaly';
  if (isNew) return 'applied';
  return isSaid ? 'duplicate' : 'superseded';
}

function isShown(news: News, shown: Shown): boolean {
  if (news.status !== shown.status) return false;
  if (news.modifiedOn === undefined) return true;
  return shown.modifiedOn !== undefined && compareTimestamps(news.modifiedOn, shown.modifiedOn) === 0;
}
