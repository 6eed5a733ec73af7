import { platformProfile } from '#shared/platform/profile/profile.ts';
import { newEventType, simulatedProfile } from '#test/simulation/world/platform-app.ts';
import type { World } from '#test/simulation/world/world.ts';
import type { OperatorDeed, PersonDeed } from './plan-persons.ts';
import { replayQuarantined } from './replay-quarantined.ts';

/** What the functions are told of the platform once they know the event type that is new. */
const releasedProfile = platformProfile.parse({
  ...simulatedProfile,
  eventTypes: [...simulatedProfile.eventTypes, newEventType],
  places: { [newEventType]: { kind: 'order' } },
});

/** In milliseconds: how often an operator looks whether something waits in quarantine that is known by now. */
const pause = 4 * 60_000;

/** Lets the platform have its way with a person. */
export async function performPersonDeed({ platform, scheduler }: World, deed: PersonDeed): Promise<void> {
  const { persons, owner } = platform;
  await scheduler.runAs(owner, () => {
    if (deed.does === 'is identified by video') persons.verify(deed.person);
    else if (deed.does === 'moves on') persons.moveOn(deed.person, deed.draw);
    else persons.takeIn(deed.person, deed.does === 'is taken in, ACTIVE');
  });
}

/** Does what an operator does; what lasts goes on behind it. */
export function operate(world: World, { does, seconds }: OperatorDeed): void {
  if (does === 'schedule reconciliation') world.startReconciling();
  else if (does === 'reconcile') void world.lambda('reconcile').invoke({ mode: 'repair', seconds });
  else if (does === 'report') void report(world, seconds);
  else if (does === 'register') void world.lambda('register').invoke({ mode: 'apply' });
  else if (does === 'rotate') void world.lambda('register').invoke({ mode: 'rotate' });
  else if (does === 'take the release back') world.configure({ PLATFORM_PROFILE: simulatedProfile });
  else {
    world.configure({ PLATFORM_PROFILE: releasedProfile });
    replayAgainAndAgain(world);
  }
}

/** A report whose time was over is continued from where it stopped. */
async function report({ lambda }: World, seconds: number | undefined): Promise<void> {
  let from: unknown;
  for (let runs = 0; runs < 3; runs += 1) {
    const outcome = await lambda('reconcile').invoke({ mode: 'report', seconds, from });
    from = 'answer' in outcome ? (outcome.answer as { readonly next?: unknown }).next : undefined;
    if (from === undefined) return;
  }
}

function replayAgainAndAgain(world: World): void {
  const run = async () => {
    await replayQuarantined(world);
    again(pause);
  };
  // A task must not wait for others: it is one at a time.
  const again = (milliseconds: number) => world.scheduler.after(milliseconds, () => void run());
  again(0);
}
