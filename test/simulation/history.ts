import { createRandom } from '#sandbox/platform/core/random.ts';
import { entityKinds } from '#shared/platform/profile/event-place.ts';
import { addedFaultKinds, chosenFaultKinds, type FaultKind, personFaultKinds } from './faults/fault-kinds.ts';
import { createFaults, type Faults, type InjectedFault } from './faults/faults.ts';
import {
  type AwsService,
  isEndless,
  isOfPlatform,
  type LongFailure,
  planAwsOutage,
  planLongFailure,
  refuseMarks,
} from './faults/long-failure.ts';
import { seedOf } from './faults/seed.ts';
import { checkRequests } from './promises/bounded-requests.ts';
import { checkPublished, checkViews } from './promises/entities.ts';
import { checkKept } from './promises/erasures.ts';
import { checkEventsEnd } from './promises/events-end.ts';
import { checkForeign, checkHandOvers, checkMark } from './promises/marks.ts';
import {
  checkOnboardings,
  checkSteps,
  checkVerifications,
  findNeverDue,
  findUnfinishedOnboarding,
  isStoppedByPastFailure,
  requested,
} from './promises/onboardings.ts';
import { checkLineOfOnboarding, checkPersonalData } from './promises/personal-data.ts';
import type { BrokenPromise, FinalCheck, NotifiedEvent } from './promises/promise.ts';
import { checkReconciled, checkReconciling } from './promises/reconciliation.ts';
import { checkBus, checkLine, checkReceivedWebhook } from './promises/secrecy.ts';
import { createTally, type Judgements } from './promises/tally.ts';
import { checkRefreshes, checkToken, checkTokenFailure } from './promises/tokens.ts';
import { checkDeadLetters, findInvalidToken, findUnfinished } from './promises/unfinished-work.ts';
import { createScheduler, EndlessHistoryError } from './scheduler/scheduler.ts';
import { installVirtualTimers } from './scheduler/virtual-timers.ts';
import { newEventType, type PlatformApp, widePagesProfile } from './system/platform-app.ts';
import { createSimulatedSystem, type SimulatedSystem } from './system/simulated-system.ts';
import { performAction, rotationKinds } from './workload/perform-action.ts';
import { planManyReports, planNamesakes } from './workload/plan-business.ts';
import { noPersons, type OnboardingPlan, planOnboardingActions, planOnboardings } from './workload/plan-onboardings.ts';
import { planRollback } from './workload/plan-rotation.ts';
import { type Action, planWorkload } from './workload/plan-workload.ts';
import { tryRetiredSecrets } from './workload/try-retired-secrets.ts';

/** In milliseconds: how often an operator checks for stopped onboardings. */
const retryPause = 20 * 60_000;

/** What determines a history: the seed, and what is left out of the history of the seed. */
export type HistoryOptions = {
  readonly seed: number;
  /** The kinds of faults that can happen. By default, the seed chooses them. */
  readonly kinds?: readonly FaultKind[] | undefined;
  /** The numbers of the actions that are left out. */
  readonly leftOut?: readonly number[] | undefined;
  /** The faults that are suppressed. */
  readonly suppressed?: readonly string[] | undefined;
  /** The service of AWS that fails for hours. By default, the seed decides. */
  readonly outage?: AwsService | undefined;
};

/** The input of a history: drawn by a seed, or enumerated. */
export type Script = {
  /** Determines the order of all I/Os. */
  readonly seed: number;
  readonly faults: Faults;
  /** The persons that are onboarded. By default, there are none. */
  readonly plan?: OnboardingPlan;
  /** The part of the platform, or the service of AWS, that fails for hours. By default, nothing does. */
  readonly longFailure?: LongFailure | undefined;
  readonly planActions: () => readonly Action[];
  /** Runs the history until no work is left. Returns promise 9 as broken when work stays. */
  readonly play: (system: SimulatedSystem) => Promise<BrokenPromise | undefined>;
};

export type Played = {
  readonly broken: BrokenPromise | undefined;
  readonly counts: ReadonlyMap<FaultKind, number>;
  /** How often each promise was checked. */
  readonly judgements: Judgements;
  readonly injectedFaults: readonly InjectedFault[];
  readonly actions: readonly Action[];
  readonly steps: number;
};

export type History = Played & { readonly options: HistoryOptions; readonly kinds: readonly FaultKind[] };

export type HistoryDeps = {
  readonly app: PlatformApp;
  /** Receives each line of the trace: the time in seconds, the actor, and the step. */
  readonly trace?: (seconds: number, who: string, what: string) => void;
};

/** In milliseconds since 1970: the start of every history. */
export const startAt = Date.parse('2026-01-02T03:04:05.000Z');
const minute = 60_000;

/** In milliseconds: the time in which faults happen. */
const faultyTime = 20 * minute;

/** In milliseconds: how long the remaining work may take after the faults end. */
export const idleDeadlines = {
  usual: 45 * minute,
  /** The wait of an onboarding at most doubles with each check, and ends at its deadlines. */
  onboardings: 150 * minute,
  /** A rotation takes several runs of register, and the overlap in which both secrets are accepted. */
  rotations: 180 * minute,
  /** An operator retries stopped onboardings regularly, and each following step has its own back-off. */
  afterLongFailure: 12 * 60 * minute,
} as const;

/** The share of histories in which a page is larger than an SQS batch. */
const shareWithWidePages = 0.1;

/**
 * The remainders of the seeds in whose histories every reported status is published. No seed of `known-seeds.json` and
 * `regressions.ts` has them, so that those keep their histories.
 */
const seedsWithReports = [12, 15, 18, 19];

/** In milliseconds: shorter than the time until the regular refresh of the token. */
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

/** Runs one history with faults. The same options give the same history, step by step. */
export async function runHistory(options: HistoryOptions, deps: HistoryDeps): Promise<History> {
  const { seed } = options;
  const choose = createRandom(seedOf(seed, 'history'));
  // Drawn even when the kinds are given, so that all later draws stay the same in a minimised history.
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
    ...planRollback(faultyTime, faults),
  ];
  const longFailure = drawLongFailure(options, faults, plan);
  const script = { seed, faults, plan, longFailure, planActions, play: playFaultyTime };
  const played = await playHistory(script, deps, options.leftOut);
  return { ...played, options, kinds };
}

function drawLongFailure({ seed, outage }: HistoryOptions, faults: Faults, plan: OnboardingPlan) {
  const random = createRandom(seedOf(seed, 'lasting trouble'));
  if (outage !== undefined) return planAwsOutage(random, outage);
  if (faults.happens('failure for hours')) return planLongFailure(random, plan.persons.length > 0);
  if (faults.happens('AWS service down for hours')) return planAwsOutage(random);
  if (faults.happens('marks always refused')) return refuseMarks(() => faults.draw('marks always refused'));
  return undefined;
}

async function playFaultyTime(system: SimulatedSystem): Promise<BrokenPromise | undefined> {
  if (createRandom(seedOf(system.seed, 'pages'))() < shareWithWidePages)
    system.configure({ PLATFORM_PROFILE: widePagesProfile });
  if (seedsWithReports.includes(system.seed % 20)) system.configure({ reportedKinds: entityKinds });
  const neverDue = (await runUntil(system, startAt + faultyTime)) ?? (await runUntilFailureEnds(system));
  if (neverDue !== undefined) return neverDue;
  system.endFaults();
  system.trace('history', 'all faults have ended');
  const broken = await runUntilIdle(system);
  if (broken === undefined) await tryRetiredSecrets(system);
  return broken;
}

/** All other faults end before the long failure does. */
async function runUntilFailureEnds(system: SimulatedSystem): Promise<BrokenPromise | undefined> {
  const { longFailure, faults, trace } = system;
  if (longFailure === undefined || isEndless(longFailure)) return undefined;
  trace('history', longFailure.what);
  faults.end();
  return runUntil(system, startAt + longFailure.until);
}

/** Checks every minute that each onboarding is due at some time. A webhook also wakes onboardings, so the end would not show it. */
async function runUntil(system: SimulatedSystem, end: number): Promise<BrokenPromise | undefined> {
  const { scheduler, plan } = system;
  if (plan.persons.length === 0) await scheduler.run(end);
  while (scheduler.now() < end && !scheduler.isStopped()) {
    await scheduler.run(Math.min(end, scheduler.now() + minute));
    const neverDue = findNeverDue(system);
    if (neverDue !== undefined) return neverDue;
  }
  return undefined;
}

/**
 * Runs one history and checks the promises. The same script gives the same history, step by step. Histories must not
 * overlap: each replaces the timers of the process.
 *
 * @param leftOut the numbers of the actions that are left out
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
  const { judged, judgements } = createTally();
  const restore = installVirtualTimers(scheduler);
  try {
    const system: SimulatedSystem = createSimulatedSystem({
      seed,
      scheduler,
      faults,
      app,
      plan,
      longFailure,
      judged,
      trace: (who, what) => trace((scheduler.now() - startAt) / 1_000, who, what),
      observer: {
        received: (webhook) => recordBroken(checkReceivedWebhook(system, webhook)),
        verifying: (verifications) => {
          judged(6);
          recordBroken(checkVerifications(verifications));
        },
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
    const steps = scheduler.steps();
    return {
      broken,
      actions,
      counts: faults.counts(),
      judgements: judgements(),
      injectedFaults: faults.injectedFaults(),
      steps,
    };
  } finally {
    restore();
  }
}

/** Promise 9: a history that never ends has unfinished work. */
function unlessEndless(error: unknown): BrokenPromise {
  if (error instanceof EndlessHistoryError) return { promise: 9, what: error.message };
  throw error;
}

/** Some histories have no kind or one kind of fault, so that each kind also occurs without the others. Others have many kinds. */
function chooseKinds(random: () => number, randomOfAdded: () => number): readonly FaultKind[] {
  const share = [0, 0.1, 0.3, 0.6][Math.floor(random() * 4)] ?? 0;
  const only = usualFaultKinds[Math.floor(random() * usualFaultKinds.length * 1.1)];
  const added = addedFaultKinds.filter(() => randomOfAdded() < Math.max(share, 0.1));
  if (share === 0) return [...usualFaultKinds.filter((kind) => kind === only), ...added];
  // These kinds only happen to persons, who exist in few histories.
  const shareOf = (kind: FaultKind) => (personFaultKinds.includes(kind) ? 0.5 : share);
  return [...usualFaultKinds.filter((kind) => random() < shareOf(kind)), ...added];
}

const usualFaultKinds = chosenFaultKinds.filter((kind) => !addedFaultKinds.includes(kind));

/** Stores a token and registers every webhook, as after weeks of operation. */
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

/** In some histories one person has proxies for all others (section 5, Requestor-ID header). No webhook reports this person. */
function appointRepresentative({ seed, plan, platform, environment, configure }: SimulatedSystem): void {
  if (plan.persons.length > 0 || createRandom(seedOf(seed, 'representative'))() < 0.6) return;
  const requestor = platform.persons.createPerson('the representative', true);
  platform.core.settings.change({ representativeId: requestor });
  configure({ reconciliation: { ...environment.reconciliation, requestor } });
}

function hasEndedOnPlatform({ longFailure }: SimulatedSystem): boolean {
  return longFailure !== undefined && isOfPlatform(longFailure) && !isEndless(longFailure);
}

/** Promise 9: all work finishes without an operator. */
async function runUntilIdle(system: SimulatedSystem): Promise<BrokenPromise | undefined> {
  const { scheduler, tokenLifetime } = system;
  // A token with a short lifetime is checked until it expires.
  if (tokenLifetime < maxTokenTimeMs / 1_000) await scheduler.run(startAt + tokenLifetime * 1_000 + 5 * minute);
  const tokenEnd = scheduler.now() + maxTokenTimeMs;
  const { faults } = system;
  const time = Math.max(
    rotationKinds.some((kind) => faults.isEnabled(kind)) ? idleDeadlines.rotations : idleDeadlines.usual,
    system.plan.persons.length > 0 ? idleDeadlines.onboardings : 0,
    hasEndedOnPlatform(system) ? idleDeadlines.afterLongFailure : 0,
  );
  const end = scheduler.now() + time;
  if (hasEndedOnPlatform(system)) retryStopped(system);
  system.judged(9);
  let unfinished = findUnfinished(system) ?? findUnfinishedOnboarding(system);
  while (unfinished !== undefined && scheduler.now() < end && !scheduler.isStopped()) {
    await scheduler.run(scheduler.now() + minute);
    const neverDue = findNeverDue(system);
    if (neverDue !== undefined) return neverDue;
    unfinished = findUnfinished(system) ?? findUnfinishedOnboarding(system);
    const invalidToken = scheduler.now() >= tokenEnd ? findInvalidToken(system) : undefined;
    if (invalidToken !== undefined)
      return { promise: 9, what: `After ${maxTokenTimeMs / minute} minutes ${invalidToken}.` };
  }
  return unfinished === undefined
    ? undefined
    : { promise: 9, what: `After ${time / minute} minutes without faults ${unfinished}.` };
}

/** Retries, at intervals, the onboardings that a past failure stopped, as an operator does. */
function retryStopped(system: SimulatedSystem): void {
  for (const planned of requested(system))
    if (isStoppedByPastFailure(system, planned)) void system.partner.retry(planned.request.externalId);
  system.scheduler.after(retryPause, () => retryStopped(system));
}
