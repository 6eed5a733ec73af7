import type { DataStack } from '#infra/data-stack.ts';
import type { Settings } from '#infra/settings.ts';
import type { Alarms } from './alarms.ts';
import type { MissedRuns } from './missed-runs.ts';

/** What every capability of the service stack is made with. */
export type CapabilityProps = {
  readonly settings: Settings;
  readonly data: DataStack;
  /** Takes the alarms that the capability declares. */
  readonly alarms: Alarms;
  /** Takes the runs that a schedule of the capability could not start. */
  readonly missedRuns: MissedRuns;
};
