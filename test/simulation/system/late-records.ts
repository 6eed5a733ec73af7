import type { Platform } from '#sandbox/platform/app/platform.ts';
import type { Faults } from '#test/simulation/faults/faults.ts';
import type { Scheduler } from '#test/simulation/scheduler/scheduler.ts';
import { simulatedProfile } from './platform-app.ts';
import { apartOf } from './skew.ts';

export type LateRecordsDeps = Pick<Platform, 'undelivered'> & {
  readonly scheduler: Pick<Scheduler, 'now'>;
  readonly faults: Faults;
  /** Makes a delivery fail. */
  readonly failOne: () => void;
  /** Makes a delivery to another system fail. */
  readonly failElsewhere: () => void;
};

/** The share of late records that belong to another system, when there are any of these. */
const shareOfForeign = 0.5;

/** In milliseconds: the maximum rounding error of a createdOn with whole seconds. */
const second = 1_000;

/**
 * A list in which some undelivered records appear after a newer record was listed. They appear within the settle time of the
 * profile, on every clock of Drawbridge. A mark of a newer record also covers them.
 */
export function createLateRecords({
  undelivered,
  scheduler,
  faults,
  failOne,
  failElsewhere,
}: LateRecordsDeps): Platform['undelivered']['list'] {
  const isCoarse = faults.isEnabled('undelivered records with equal times');
  /** In milliseconds: the maximum time that a record stays hidden. */
  const maxHiddenMs = simulatedProfile.undelivered.settle - apartOf(faults) - (isCoarse ? second : 0);
  /** In milliseconds since 1970: the time at which each hidden record appears. */
  const hiddenUntil = new Map<string, number>();

  /** Hides one record, which can belong to another system. Newer records of our webhooks are then listed before it. */
  function hideOne(): void {
    const kind = 'undelivered record of another system';
    if (faults.isEnabled(kind) && faults.draw(kind) < shareOfForeign) failElsewhere();
    else failOne();
    const { id } = undelivered.all().at(-1) ?? { id: '' };
    hiddenUntil.set(id, scheduler.now() + (0.5 + faults.draw('undelivered record listed late') / 2) * maxHiddenMs);
  }

  return (query) => {
    if (faults.happens('undelivered record listed late')) {
      hideOne();
      failOne();
    }
    const page = undelivered.list(query);
    return { ...page, data: page.data.filter(({ id }) => scheduler.now() >= (hiddenUntil.get(id) ?? 0)) };
  };
}
