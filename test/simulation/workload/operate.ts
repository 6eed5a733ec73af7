import { platformProfile } from '#shared/platform/profile/profile.ts';
import { newEventType, simulatedProfile } from '#test/simulation/system/platform-app.ts';
import type { SimulatedSystem } from '#test/simulation/system/simulated-system.ts';
import type { OperatorAction, PersonAction } from './plan-persons.ts';
import { replayQuarantined } from './replay-quarantined.ts';

/** The platform profile of a release that knows the new event type. */
const releasedProfile = platformProfile.parse({
  ...simulatedProfile,
  eventTypes: [...simulatedProfile.eventTypes, newEventType],
  places: { [newEventType]: { kind: 'order' } },
});

/** In milliseconds: how often an operator checks the quarantine for events of the new type. */
const pause = 4 * 60_000;

/** Performs an action of the platform on a person. */
export async function performPersonAction(
  { platform, scheduler }: SimulatedSystem,
  action: PersonAction,
): Promise<void> {
  const { persons, owner } = platform;
  await scheduler.runAs(owner, () => {
    if (action.does === 'is identified by video') persons.verify(action.person);
    else if (action.does === 'changes status') persons.moveToNextStatus(action.person, action.draw);
    else persons.createPerson(action.person, action.does === 'is created, ACTIVE');
  });
}

/** Performs an action of an operator, and does not wait for its end. */
export function operate(system: SimulatedSystem, { does, seconds }: OperatorAction): void {
  if (does === 'schedule reconciliation') system.startReconciling();
  else if (does === 'reconcile') void system.lambda('reconcile').invoke({ mode: 'repair', seconds });
  else if (does === 'report') void report(system, seconds);
  else if (does === 'register') void system.lambda('register').invoke({ mode: 'apply' });
  else if (does === 'rotate') void system.lambda('register').invoke({ mode: 'rotate' });
  else if (does === 'roll the release back') system.configure({ PLATFORM_PROFILE: simulatedProfile });
  else {
    system.configure({ PLATFORM_PROFILE: releasedProfile });
    replayAgainAndAgain(system);
  }
}

/** Continues a report that ran out of time from its last position. */
async function report({ lambda }: SimulatedSystem, seconds: number | undefined): Promise<void> {
  let from: unknown;
  for (let runs = 0; runs < 3; runs += 1) {
    const outcome = await lambda('reconcile').invoke({ mode: 'report', seconds, from });
    from = 'answer' in outcome ? (outcome.answer as { readonly next?: unknown }).next : undefined;
    if (from === undefined) return;
  }
}

function replayAgainAndAgain(system: SimulatedSystem): void {
  const run = async () => {
    await replayQuarantined(system);
    again(pause);
  };
  // A task must not wait for other tasks, because the scheduler runs one task at a time.
  const again = (milliseconds: number) => system.scheduler.after(milliseconds, () => void run());
  again(0);
}
