import * as z from 'zod/mini';
import type { EntityRules } from '#shared/entities/statuses/entity-rules.ts';
import { compareTimestamps, timestamp } from '#shared/platform/fields/timestamp.ts';
import {
  type EntityState,
  emptyEntityState,
  leavesStatusOpen,
  type ReceivedReport,
  type StatusReport,
} from './entity-state.ts';
import { type EntityView, viewOf } from './entity-view.ts';

/**
 * What an event did to its entity when it came.
 *
 * - applied: it changed what is shown, or made the entity one to be read back, or known at all
 * - superseded: what is known is newer, or ranks higher
 * - duplicate: it says what is shown already
 * - anomaly: it contradicts a final status. It is kept, and shown if it is the latest, nevertheless
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
  /** The codes that the platform gave with the status; absent if it gave none. */
  reasonCodes: z.optional(z.array(z.string())),
  /** Those that are new with this change. */
  anomalies: z.array(z.string()),
});

export type Change = Readonly<z.output<typeof change>>;

export type Evaluation = { readonly effect: Effect; readonly change: Change | undefined };

/**
 * Says what a report did.
 *
 * @param before what was known, undefined if the entity was not known at all
 * @param after what is known with the report
 * @param version that the entity then has
 */
export function evaluate(
  rules: EntityRules,
  received: ReceivedReport,
  before: EntityState | undefined,
  after: EntityState,
  version: number,
): Evaluation {
  const [viewBefore, view] = [viewOf(rules, before ?? emptyEntityState), viewOf(rules, after)];
  const anomalies = view.anomalies.filter((anomaly) => !viewBefore.anomalies.includes(anomaly));
  const isChanged =
    view.status !== viewBefore.status ||
    view.modifiedOn !== viewBefore.modifiedOn ||
    view.reasonCodes?.some((reason) => !viewBefore.reasonCodes?.includes(reason)) ||
    anomalies.length > 0;
  const { status, modifiedOn, reasonCodes } = view;
  const changed: Change = {
    version,
    statusBefore: viewBefore.status,
    status,
    modifiedOn,
    ...(reasonCodes && { reasonCodes: [...reasonCodes] }),
    anomalies,
  };
  return {
    change: isChanged ? changed : undefined,
    effect: effectOf(anomalies.length > 0, {
      isNew: isChanged || before === undefined || leavesStatusOpen(rules, received),
      isShownStatus: isShown(received.report, view),
    }),
  };
}

function effectOf(
  isAnomaly: boolean,
  { isNew, isShownStatus }: { readonly isNew: boolean; readonly isShownStatus: boolean },
): Effect {
  if (isAnomaly) return 'anomaly';
  if (isNew) return 'applied';
  return isShownStatus ? 'duplicate' : 'superseded';
}

function isShown(report: StatusReport, view: EntityView): boolean {
  if (report.status !== view.status) return false;
  if (report.modifiedOn === undefined) return true;
  return view.modifiedOn !== undefined && compareTimestamps(report.modifiedOn, view.modifiedOn) === 0;
}
