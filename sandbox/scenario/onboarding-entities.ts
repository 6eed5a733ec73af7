import { isDifferent, type PlatformRecord, type Shown } from './entity-audit.ts';
import type { VerificationHistory } from './onboarding-audit.ts';
import { entityKeyOf } from './published-changes.ts';

/** A person or a verification as the platform has it, and what can be known of it here. */
export type OnboardedRecord = PlatformRecord & {
  /** Whether the requestor may ask the platform for it (section 5). Persons are shown to everybody. */
  readonly isReadable: boolean;
  /** The status of the person whose it is. */
  readonly personStatus: string;
  /** Every status that it has had on the platform. */
  readonly history: VerificationHistory;
};

export type StandingProps = {
  readonly records: readonly OnboardedRecord[];
  readonly shown: readonly Shown[];
  /** Whether a stored event speaks of the record of this id. */
  readonly isTold: (id: string) => boolean;
};

/** How entities stand against the platform: each record is in one of the first three lists. */
export type Standings = {
  readonly same: readonly Shown[];
  /** Not as on the platform, although somebody may ask for it: a fault. */
  readonly different: readonly Shown[];
  /** Not as on the platform, since nobody may ask for it any more: as the last webhook that came had it. */
  readonly unreadable: readonly Shown[];
  /** Of those that nobody may ask for: with what the platform never had, or missing although an event tells of it. */
  readonly madeUp: readonly Shown[];
};

/** Holds what is shown against the platform. Only what cannot be known is no fault, and each of it is in a list of its own. */
export function standingsOf({ records, shown, isTold }: StandingProps): Standings {
  const recordOf = new Map(records.map((record) => [entityKeyOf(record), record]));
  const standing = (one: Shown): Exclude<keyof Standings, 'madeUp'> => {
    if (!isDifferent(one)) return 'same';
    return recordOf.get(entityKeyOf(one.record))?.isReadable === false ? 'unreadable' : 'different';
  };
  const { same = [], different = [], unreadable = [] } = Object.groupBy(shown, standing);
  const isMadeUp = ({ record, entity }: Shown) => {
    if (entity === undefined) return isTold(record.id);
    const { history = [] } = recordOf.get(entityKeyOf(record)) ?? {};
    return !history.some(({ status, since }) => status === entity.status && since === entity.modifiedOn);
  };
  return { same, different, unreadable, madeUp: unreadable.filter(isMadeUp) };
}

/** As the record of what is shown: for what is not as on the platform, and cannot be. */
export function asShown(one: Shown): readonly Shown[] {
  const { record, entity } = one;
  if (entity?.status === undefined || entity.modifiedOn === undefined) return [];
  return [{ ...one, record: { ...record, status: entity.status, modifiedOn: entity.modifiedOn } }];
}

/** What differs, in one line. Ids of the platform, statuses and times: no personal data. */
export function describeDifference({ record, entity, timeline }: Shown, of: OnboardedRecord | undefined): string {
  const flags = [
    ...(entity?.toReadBack === true ? ['to be read back'] : []),
    `${timeline.length} events`,
    `its person is ${of?.personStatus}`,
    ...(of?.isReadable === false ? ['nobody may ask for it'] : []),
  ];
  const here = entity === undefined ? 'not there' : `${entity.status} of ${entity.modifiedOn}`;
  return `${record.kind} ${record.id}: ${here}, on the platform ${record.status} of ${record.modifiedOn} (${flags.join(', ')})`;
}
