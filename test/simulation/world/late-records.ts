import type { Platform } from '#sandbox/platform/platform.ts';
import type { Faults } from '#test/simulation/faults/faults.ts';
import type { Scheduler } from '#test/simulation/scheduler/scheduler.ts';
import { simulatedProfile } from './platform-app.ts';
import { apartOf } from './skew.ts';

export type LateRecordsDeps = Pick<Platform, 'undelivered'> & {
  readonly scheduler: Pick<Scheduler, 'now'>;
  readonly faults: Faults;
};

/**
 * The list of a platform on which some undelivered records come to light a while after newer ones were listed: within the
 * time that its profile names, by whatever clock of ours. A mark forgets them all the same.
 */
export function createLateRecords({
  undelivered,
  scheduler,
  faults,
}: LateRecordsDeps): Platform['undelivered']['list'] {
  /** In milliseconds: how long after it was created a record may stay hidden. */
  const longest = simulatedProfile.undelivered.settle - apartOf(faults);
  /** In milliseconds since 1970: until when each is hidden. */
  const hiddenUntil = new Map<string, number>();

  function isHidden(id: string, createdAt: number): boolean {
    const known = hiddenUntil.get(id);
    if (known !== undefined) return scheduler.now() < known;
    const isYoung = scheduler.now() - createdAt < longest;
    const isLate = isYoung && faults.happens('undelivered record comes to light late');
    hiddenUntil.set(id, isLate ? createdAt + faults.draw('undelivered record comes to light late') * longest : 0);
    return isHidden(id, createdAt);
  }

  return (query) => {
    const page = undelivered.list(query);
    return { ...page, data: page.data.filter(({ id, createdOn }) => !isHidden(id, Date.parse(createdOn ?? ''))) };
  };
}
