import type { Platform } from '#sandbox/platform/app/platform.ts';
import type { Faults } from '#test/simulation/faults/faults.ts';
import type { Scheduler } from '#test/simulation/scheduler/scheduler.ts';
import { simulatedProfile } from './platform-app.ts';
import { apartOf } from './skew.ts';

export type LateRecordsDeps = Pick<Platform, 'undelivered'> & {
  readonly scheduler: Pick<Scheduler, 'now'>;
  readonly faults: Faults;
  /** Has a delivery fail. */
  readonly failOne: () => void;
  /** Has a delivery to another system fail. */
  readonly failElsewhere: () => void;
};

/** Of the late records, where there are records of another system at all. */
const shareOfForeign = 0.5;

/** In milliseconds: what createdOn may be off by, where it has whole seconds. */
const second = 1_000;

/**
 * The list of a platform on which some undelivered records come to light a while after a newer one was listed: within the
 * time that its profile names, by whatever clock of ours. A mark forgets them all the same.
 */
export function createLateRecords({
  undelivered,
  scheduler,
  faults,
  failOne,
  failElsewhere,
}: LateRecordsDeps): Platform['undelivered']['list'] {
  const isCoarse = faults.isEnabled('undelivered records of one second');
  /** In milliseconds: how long a record may stay hidden. */
  const maxHiddenMs = simulatedProfile.undelivered.settle - apartOf(faults) - (isCoarse ? second : 0);
  /** In milliseconds since 1970: until when each is hidden. */
  const hiddenUntil = new Map<string, number>();

  /** One of another system comes to light late as well: then records of ours that are newer were listed before. */
  function hideOne(): void {
    const kind = 'undelivered record of another system';
    if (faults.isEnabled(kind) && faults.draw(kind) < shareOfForeign) failElsewhere();
    else failOne();
    const { id } = undelivered.all().at(-1) ?? { id: '' };
    hiddenUntil.set(
      id,
      scheduler.now() + (0.5 + faults.draw('undelivered record comes to light late') / 2) * maxHiddenMs,
    );
  }

  return (query) => {
    if (faults.happens('undelivered record comes to light late')) {
      hideOne();
      failOne();
    }
    const page = undelivered.list(query);
    return { ...page, data: page.data.filter(({ id }) => scheduler.now() >= (hiddenUntil.get(id) ?? 0)) };
  };
}
