import { createRandom } from '#sandbox/platform/core/random.ts';
import { addedFaultKinds, chosenFaultKinds, type FaultKind, personFaultKinds } from './faults/fault-kinds.ts';
import { createFaults, type Faults, type Occurrence } from './faults/faults.ts';
import { isEndless, type LongFailure, planLongFailure, refuseMarks } from './faults/long-failure.ts';
import { seedOf } from './faults/seed.ts';
import { checkRequests } from './promises/bounded-requests.ts';
import { checkDeadLetters } from './promises/dead-letters.ts';
import { checkPublished, checkViews } from './promises/entities.ts';
import { checkKept } from './promises/erasures.ts';
import { checkEventsEnd } from './promises/events-end.ts';
import { checkForeign, checkHandOvers, checkMark } from './promises/marks.ts';
import { findLostWake } from './promises/onboarding-pace.ts';
import { checkOnboardings, checkSteps, findUnfinishedOnboarding } from './promises/onboardings.ts';
import { checkLineOfOnboarding, checkPersonalData } from './promises/personal-data.ts';
import type { BrokenPromise, FinalCheck, NotifiedEvent } from './promises/promise.ts';
import { checkReconciled, checkReconciling } from './promises/reconciliation.ts';
import { checkBus, checkLine, checkReceivedWebhook } from './promises/secrecy.ts';
import { checkRefreshes, checkToken, checkTokenFailure } from './promises/tokens.ts';
import { findInvalidToken, findUnfinished } from './promises/unfinished-work.ts';
import { checkVerifications } from './promises/verifications.ts';
import { createScheduler, EndlessHistoryError } from './scheduler/scheduler.ts';
import { installVirtualTimers } from './scheduler/virtual-timers.ts';
import { newEventType, type PlatformApp, widePagesProfile } from './system/platform-app.ts';
import { createSimulatedSystem, type SimulatedSystem } from './system/simulated-system.ts';
import { performAction, rotationKinds } from './workload/perform-action.ts';
import { planManyReports, planNamesakes } from './workload/plan-business.ts';
import { noPersons, type OnboardingPlan, planOnboardingActions, planOnboardings } from './workload/plan-onboardings.ts';
import { type Action, planWorkload } from './workload/plan-workload.ts';
import { retryStopped } from './workload/retry-stopped.ts';
import { tryRetiredSecrets } from './workload/try-retired-secrets.ts';

/** What makes a history: the seed alone, or less than what the seed would have. */
export type HistoryOptions = {
  readonly seed: number;
  /** The kinds of faults that may happen; those that the seed chooses unless given. */
  readonly kinds?: readonly FaultKind[] | undefined;
  /** The deeds that are left out, by their numbers. */
  readonly leftOut?: readonly number[] | undefined;
  /** The faults that are left out. */
  readonly suppressed?: readonly string[] | undefined;
};

/** What a history is made of: drawn by a seed, or enumerated. */
export type Script = {
  /** Of the order of all I/Os. */
  readonly seed: number;
  readonly faults: Faults;
  /** Who is onboarded: nobody unless given. */
  readonly plan?: OnboardingPlan;
  /** What fails for hours: nothing unless given. */
  readonly longFailure?: LongFailure | undefined;
  readonly planActions: () => readonly Action[];
  /** Lets all of it happen and come to rest; promise 9, where it does not. */
  readonly play: (system: SimulatedSystem) => Promise<BrokenPromise | undefined>;
};

export type Played = {
  readonly broken: BrokenPromise | undefined;
  readonly counts: ReadonlyMap<FaultKind, number>;
  readonly occurrences: readonly Occurrence[];
  readonly actions: readonly Action[];
  readonly steps: number;
};

export type History = Played & { readonly options: HistoryOptions; readonly kinds: readonly FaultKind[] };

export type HistoryDeps = {
  readonly app: PlatformApp;
  /** Takes a line of the story: when, in seconds, who, and what. */
  readonly trace?: (seconds: number, who: string, what: string) => void;
};

/** In milliseconds since 1970: when every history begins. */
export const startAt = Date.parse('2026-01-02T03:04:05.000Z');
const minute = 60_000;

/** In milliseconds: how long faults happen. */
const faultyTime = 20 * minute;

/** In milliseconds: how long everything may then take to come to rest. */
export const idleDeadlines = {
  usual: 45 * minute,
  /** An onboarding is looked at again within twice the time that it waits already, and at its deadlines. */
  onboardings: 150 * minute,
  /** A rotation takes several runs of register, and the time in which both secrets are accepted. */
  rotations: 180 * minute,
  /** An operator looks for what has stopped again and again, and each step that follows has a back-off of its own. */
  afterLongFailure: 12 * 60 * minute,
} as const;

/** Of the histories, those in which a page is more than a batch of SQS. */
const shareWithWidePages = 0.1;

/** In milliseconds: less than until the token would be replaced anyhow. */
const maxTokenTimeMs = 31 * minute;

const finalChecks: readonly FinalCheck[] = [
  checkDeadLetters,
  checkKept,
  checkOnboardings,
  checkPersonalData,
  checkSteps,
  checkRequests,
  checkForeign,
  checkHandOvers,
  checkEventsEnd,
  checkViews,
  checkPublished,
  checkRefreshes,
  checkReconciled,
  checkBus,
];

/** One history: some events, and what goes wrong meanwhile. The same options give the same history, step by step. */
export async function runHistory(options: HistoryOptions, deps: HistoryDeps): Promise<History> {
  const { seed } = options;
  const choose = createRandom(seedOf(seed, 'history'));
  // Chosen in any case, so that all that is chosen after it stays as it is where a history is made less.
  const chosen = chooseKinds(choose, createRandom(seedOf(seed, 'added kinds')));
  const kinds = options.kinds ?? chosen;
  const faults = createFaults({
    seed: seedOf(seed, 'faults'),
    kinds,
    intensity: [0.3, 1, 3][Math.floor(choose() * 3)] ?? 1,
    suppressed: new Set(options.suppressed),
  });
  const random = createRandom(seedOf(seed, 'workload'));
  const chooseOnboardings = createRandom(seedOf(seed, 'onboardings'));
  const plan = planOnboardings({ random: chooseOnboardings, startAt });
  const planActions = () => [
    ...planWorkload({ random, faults, startAt, duration: faultyTime, hasOnboardings: plan.persons.length > 0 }),
    ...planOnboardingActions(plan, { random: chooseOnboardings }),
    ...planNamesakes(plan, { faults, duration: faultyTime }),
    ...planManyReports(startAt, { faults, duration: faultyTime }),
  ];
  const longFailure = faults.happens('failing for hours')
    ? planLongFailure(createRandom(seedOf(seed, 'lasting trouble')), plan.persons.length > 0)
    : refusedMarks(faults);
  const script = { seed, faults, plan, longFailure, planActions, play: playFaultyTime };
  const played = await playHistory(script, deps, options.leftOut);
  return { ...played, options, kinds };
}

function refusedMarks(faults: Faults): LongFailure | undefined {
  const kind = 'marks refused to the end';
  return faults.happens(kind) ? refuseMarks(() => faults.draw(kind)) : undefined;
}

async function playFaultyTime(system: SimulatedSystem): Promise<BrokenPromise | undefined> {
  if (createRandom(seedOf(system.seed, 'pages'))() < shareWithWidePages)
    system.configure({ PLATFORM_PROFILE: widePagesProfile });
  const lostWake = (await runUntil(system, startAt + faultyTime)) ?? (await runUntilFailureEnds(system));
  if (lostWake !== undefined) return lostWake;
  system.endFaults();
  system.trace('history', 'nothing goes wrong any more');
  const broken = await runUntilIdle(system);
  if (broken === undefined) await tryRetiredSecrets(system);
  return broken;
}

/** All else that goes wrong has an end before it. */
async function runUntilFailureEnds(system: SimulatedSystem): Promise<BrokenPromise | undefined> {
  const { longFailure, faults, trace } = system;
  if (longFailure === undefined || isEndless(longFailure)) return undefined;
  trace('history', longFailure.what);
  faults.end();
  return runUntil(system, startAt + longFailure.until);
}

/** While something goes wrong: reconcile wakes onboardings as well, so that a lost wake does not show at the end. */
async function runUntil(system: SimulatedSystem, end: number): Promise<BrokenPromise | undefined> {
  const { scheduler, plan } = system;
  if (plan.persons.length === 0) await scheduler.run(end);
  while (scheduler.now() < end && !scheduler.isStopped()) {
    await scheduler.run(Math.min(end, scheduler.now() + minute));
    const lostWake = findLostWake(system);
    if (lostWake !== undefined) return lostWake;
  }
  return undefined;
}

/**
 * Holds the promises against one history. The same script gives the same history, step by step. Histories must not
 * overlap: each replaces the timers of the process.
 *
 * @param leftOut the deeds that are not done, by their numbers
 */
export async function playHistory(
  { seed, faults, plan = noPersons, longFailure, planActions, play }: Script,
  { app, trace = () => undefined }: HistoryDeps,
  leftOut: readonly number[] = [],
): Promise<Played> {
  const scheduler = createScheduler({ random: createRandom(seedOf(seed, 'scheduler')), startAt });
  let broken: BrokenPromise | undefined;
  const recordBroken = (verdict: BrokenPromise | undefined) => {
    if (verdict === undefined || broken !== undefined) return;
    broken = verdict;
    trace((scheduler.now() - startAt) / 1_000, 'PROMISE', `${verdict.promise} is broken: ${verdict.what}`);
    scheduler.stop();
  };
  const notified: NotifiedEvent[] = [];
  const restore = installVirtualTimers(scheduler);
  try {
    const system: SimulatedSystem = createSimulatedSystem({
      seed,
      scheduler,
      faults,
      app,
      plan,
      longFailure,
      trace: (who, what) => trace((scheduler.now() - startAt) / 1_000, who, what),
      observer: {
        received: (webhook) => recordBroken(checkReceivedWebhook(system, webhook)),
        verifying: (verifications) => recordBroken(checkVerifications(verifications)),
        marking: (records) => recordBroken(checkMark(system, records)),
        called: (process, token) => recordBroken(checkToken(system, process, token)),
        reconciling: (command, mode) => recordBroken(checkReconciling(system, command, mode)),
        foundBroken: recordBroken,
        logged: (_, line) =>
          recordBroken(
            checkLine(system, line) ?? checkLineOfOnboarding(system, line) ?? checkTokenFailure(system, line),
          ),
        failed: (error) => {
          throw error;
        },
      },
    });
    prepare(system);
    const actions = planActions();
    for (const [number, action] of actions.entries())
      if (!leftOut.includes(number))
        scheduler.after(action.at, () => performAction(system, action, (event) => notified.push({ ...event, number })));
    system.startSchedules();
    system.startPersonSteps();
    recordBroken(await play(system).catch(unlessEndless));
    for (const check of finalChecks) if (broken === undefined) recordBroken(check(system, notified));
    return { broken, actions, counts: faults.counts(), occurrences: faults.occurrences(), steps: scheduler.steps() };
  } finally {
    restore();
  }
}

/** Promise 9: what goes on for ever does not come to rest. */
function unlessEndless(error: unknown): BrokenPromise {
  if (error instanceof EndlessHistoryError) return { promise: 9, what: error.message };
  throw error;
}

/** Some histories have one kind of fault alone, so that it is seen by itself, or none; others have many. */
function chooseKinds(random: () => number, randomOfAdded: () => number): readonly FaultKind[] {
  const share = [0, 0.1, 0.3, 0.6][Math.floor(random() * 4)] ?? 0;
  const only = usualFaultKinds[Math.floor(random() * usualFaultKinds.length * 1.1)];
  const added = addedFaultKinds.filter(() => randomOfAdded() < Math.max(share, 0.1));
  if (share === 0) return [...usualFaultKinds.filter((kind) => kind === only), ...added];
  // These mean nothing but where there are persons.
  const shareOf = (kind: FaultKind) => (personFaultKinds.includes(kind) ? 0.5 : share);
  return [...usualFaultKinds.filter((kind) => random() < shareOf(kind)), ...added];
}

const usualFaultKinds = chosenFaultKinds.filter((kind) => !addedFaultKinds.includes(kind));

/** A token is stored, and every webhook registered, as after weeks of work. */
function prepare(system: SimulatedSystem): void {
  const { cloud, platform, environment, scheduler } = system;
  appointRepresentative(system);
  const { accessToken, expiresIn } = platform.core.tokens.issue();
  const time = (milliseconds: number) => new Date(milliseconds).toISOString();
  const token = {
    accessToken,
    issuedAt: time(scheduler.now()),
    expiresAt: time(scheduler.now() + expiresIn * 1_000),
    pacedUntil: time(0),
  };
  cloud.secretsManager.reset('platform-token', JSON.stringify(token));
  const { current: value } = JSON.parse(cloud.secretsManager.versions('webhook-secret').at(-1)?.text ?? '{}');
  for (const eventType of [...environment.PLATFORM_PROFILE.eventTypes, newEventType])
    platform.core.registrations.register({
      eventType,
      url: `${environment.webhooksUrl}/${eventType}`,
      headers: [{ name: environment.secretHeader, value }],
    });
}

/** Of some partners one person has proxies for all others (section 5, Requestor-ID header). None of its own webhooks came. */
function appointRepresentative({ seed, plan, platform, environment, configure }: SimulatedSystem): void {
  if (plan.persons.length > 0 || createRandom(seedOf(seed, 'representative'))() < 0.6) return;
  const requestor = platform.persons.createPerson('the representative', true);
  platform.core.settings.change({ representativeId: requestor });
  configure({ reconciliation: { ...environment.reconciliation, requestor } });
}

/** Promise 9: it does, in the end, and of itself. */
async function runUntilIdle(system: SimulatedSystem): Promise<BrokenPromise | undefined> {
  const { scheduler, tokenLifetime } = system;
  // Tokens of a short life are looked at until the first one is over.
  if (tokenLifetime < maxTokenTimeMs / 1_000) await scheduler.run(startAt + tokenLifetime * 1_000 + 5 * minute);
  const tokenEnd = scheduler.now() + maxTokenTimeMs;
  const { faults } = system;
  const time = Math.max(
    rotationKinds.some((kind) => faults.isEnabled(kind)) ? idleDeadlines.rotations : idleDeadlines.usual,
    system.plan.persons.length > 0 ? idleDeadlines.onboardings : 0,
    system.longFailure === undefined || isEndless(system.longFailure) ? 0 : idleDeadlines.afterLongFailure,
  );
  const end = scheduler.now() + time;
  if (system.longFailure !== undefined && !isEndless(system.longFailure)) retryStopped(system);
  let unfinished = findUnfinished(system) ?? findUnfinishedOnboarding(system);
  while (unfinished !== undefined && scheduler.now() < end && !scheduler.isStopped()) {
    await scheduler.run(scheduler.now() + minute);
    const lostWake = findLostWake(system);
    if (lostWake !== undefined) return lostWake;
    unfinished = findUnfinished(system) ?? findUnfinishedOnboarding(system);
    const invalidToken = scheduler.now() >= tokenEnd ? findInvalidToken(system) : undefined;
    if (invalidToken !== undefined)
      return { promise: 9, what: `After ${maxTokenTimeMs / minute} minutes ${invalidToken}.` };
  }
  return unfinished === undefined
    ? undefined
    : { promise: 9, what: `After ${time / minute} quiet minutes ${unfinished}.` };
}
