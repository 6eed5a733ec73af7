import { shortName } from '#cli/alarms/list-alarms.ts';
import { formatAge } from '#cli/output/format-age.ts';
import { outageAge } from '#cli/status/platform-outage.ts';
import type { AlarmPart } from '#shared/alarm-text.ts';
import type { Overview, Unavailable } from './read-overview.ts';

/** How a part of the picture is doing. */
export type Tone = 'idle' | 'busy' | 'warn' | 'bad';

/** What the picture shows below the name of a component. */
export type ComponentState = { readonly value: string; readonly tone: Tone; readonly path?: string };

/** Something that needs an operator, and where to see it. */
export type Need = {
  readonly text: string;
  /** Undefined if no page shows more. */
  readonly path?: string | undefined;
  /** Since when an alarm is on. ISO 8601, in UTC. */
  readonly since?: string;
};

export type AssessedOverview = {
  readonly components: Readonly<Record<string, ComponentState>>;
  readonly needs: readonly Need[];
  /** Whether a part could not be read that would say whether an operator is needed. */
  readonly isBlind: boolean;
};

/** In milliseconds: Refresh replaces a token long before. */
const oldToken = 24 * 60 * 60_000;

const plural = (count: number, one: string, many: string) =>
  `${count.toLocaleString('en')} ${count === 1 ? one : many}`;

/** What the numbers of an overview mean: the value of each component, and what needs an operator. */
export function assessOverview(overview: Overview): AssessedOverview {
  const { outage, queues, onboardings, quarantined, hasMoreQuarantined, token, metrics, alarms = [] } = overview;
  const queue = (name: string) => queues?.find((each) => each.name === name);
  const held = (name: string) => {
    const found = queue(name);
    return found === undefined ? undefined : found.waiting + found.inFlight;
  };
  const stopped = onboardings?.find(({ step }) => step === 'STOPPED');
  const open = onboardings?.filter(({ step }) => step !== 'STOPPED').reduce((sum, { count }) => sum + count, 0);
  const needs: Need[] = [];
  if (outage !== undefined && outage !== null) needs.push({ text: outage.title });
  const dead = (name: string): number | undefined => {
    const count = held(name);
    if (count !== undefined && count > 0)
      needs.push({ text: `${plural(count, 'message', 'messages')} in ${name}`, path: '/quarantine' });
    return count;
  };
  const deadWebhooks = dead('WebhooksDlq');
  const deadOnboardings = dead('OnboardingDlq');
  dead('RequestsDlq');
  const deadRefreshes = dead('TokenRefreshesDlq');
  const missedRuns = dead('MissedRuns');
  if (quarantined !== undefined && quarantined > 0)
    needs.push({
      text: `${hasMoreQuarantined ? 'at least ' : ''}${plural(quarantined, 'event', 'events')} in quarantine`,
      path: '/quarantine',
    });
  if (stopped !== undefined)
    needs.push({
      text: `${plural(stopped.count, 'onboarding is', 'onboardings are')} stopped`,
      path: '/onboardings?step=STOPPED',
    });
  if (token !== undefined && !token.hasToken) needs.push({ text: 'There is no platform token yet' });
  for (const { name, since } of alarms)
    if (!isCounted(shortName(name), { WebhooksDlq: deadWebhooks, EventsQuarantined: quarantined }))
      needs.push({ text: `The alarm ${shortName(name)} is on`, path: `/alarms/${shortName(name)}`, since });

  const { EventsStored, EntityChanges, DriftFound } = metrics ?? {};
  const components: Record<AlarmPart | 'platform' | 'bus', ComponentState> = {
    platform: platformState(overview),
    receive: { value: rate(EventsStored, 'event', 'events'), tone: busyOr((EventsStored ?? 0) > 0), path: '/events' },
    webhooks: queueState(held('Webhooks'), deadWebhooks, queue('Webhooks')?.oldestSeconds),
    store: deadLetterState(deadWebhooks),
    tables: {
      value:
        quarantined === undefined
          ? '–'
          : `${quarantined.toLocaleString('en')}${hasMoreQuarantined ? '+' : ''} quarantined`,
      tone: (quarantined ?? 0) > 0 ? 'warn' : 'idle',
      path: '/quarantine',
    },
    bus: { value: rate(EntityChanges, 'change', 'changes'), tone: busyOr((EntityChanges ?? 0) > 0), path: '/live' },
    drain: drainState(overview, missedRuns),
    reconcile: driftState(DriftFound),
    api: answerState(overview.unavailable, '/onboardings'),
    onboarding: queueState(held('Onboarding'), deadOnboardings, queue('Onboarding')?.oldestSeconds),
    advance: advanceState(open, stopped?.count ?? 0),
    refresh: deadLetterState(deadRefreshes),
    token: tokenState(overview),
    query: answerState(overview.unavailable, '/events'),
  };
  for (const { name, part } of alarms)
    if (part !== '') components[part] = { ...components[part], value: shortName(name), tone: 'bad' };
  return { needs, isBlind: overview.unavailable.some(({ part }) => decisive.includes(part)), components };
}

/** What says whether an operator is needed. */
const decisive: readonly Unavailable['part'][] = ['status', 'outage', 'queues', 'onboardings', 'quarantine', 'alarms'];

/** Whether a count says already what the alarm says. */
function isCounted(alarm: string, counts: Readonly<Record<string, number | undefined>>): boolean {
  return Object.entries(counts).some(([name, count = 0]) => alarm.startsWith(name) && count > 0);
}

function advanceState(open: number | undefined, stopped: number): ComponentState {
  const path = '/onboardings';
  if (open === undefined) return { value: '–', tone: 'idle', path };
  if (stopped > 0) return { value: `${open.toLocaleString('en')} open · ${stopped} stopped`, tone: 'warn', path };
  return { value: open === 0 ? 'none open' : `${open.toLocaleString('en')} open`, tone: busyOr(open > 0), path };
}

/** Both functions are behind the API, which this machine has just asked for onboardings and for the quarantine. */
function answerState(unavailable: Overview['unavailable'], path: string): ComponentState {
  const isAnswering = !unavailable.some(({ part }) => part === 'onboardings' || part === 'quarantine');
  return isAnswering ? { value: 'answers', tone: 'idle', path } : { value: 'not readable', tone: 'bad', path };
}

function platformState({ outage, now }: Overview): ComponentState {
  if (outage === undefined) return { value: '–', tone: 'idle' };
  if (outage === null) return { value: 'answers', tone: 'idle' };
  return { value: `fails for ${outageAge(outage, new Date(now)) ?? 'over a day'}`, tone: 'bad' };
}

const busyOr = (isBusy: boolean): Tone => (isBusy ? 'busy' : 'idle');

function queueState(count: number | undefined, dead = 0, oldestSeconds: number | null = null): ComponentState {
  if (count === undefined) return { value: '–', tone: 'idle' };
  const waiting = oldestSeconds === null || count === 0 ? 'waiting' : `waiting, ${formatAge(oldestSeconds)}`;
  const value = `${count.toLocaleString('en')} ${dead > 0 ? `· ${dead} dead` : waiting}`;
  return { value, tone: dead > 0 ? 'bad' : busyOr(count > 0), path: '/quarantine' };
}

function deadLetterState(dead: number | undefined): ComponentState {
  if (dead === undefined) return { value: '–', tone: 'idle' };
  return dead > 0
    ? { value: `${dead} failed`, tone: 'bad', path: '/quarantine' }
    : { value: 'no failures', tone: 'idle' };
}

function tokenState({ token, now }: Overview): ComponentState {
  if (token === undefined) return { value: '–', tone: 'idle' };
  if (!token.hasToken || token.storedOn === undefined) return { value: 'no token', tone: 'bad' };
  const age = Math.max(0, Date.parse(now) - Date.parse(token.storedOn));
  return { value: `${formatAge(age / 1_000)} old`, tone: age > oldToken ? 'warn' : 'idle' };
}

/** A metric: null if none was written, undefined if the metrics could not be read. */
type Measured = number | null | undefined;

function rate(count: Measured, one: string, many: string): string {
  if (count === undefined) return '–';
  return count === null ? 'none in an hour' : `${plural(count, one, many)}/h`;
}

/** What is stored takes effect, and needs only a mark: no operator has to do anything about it. */
function drainState({ metrics, outage }: Overview, missedRuns = 0): ComponentState {
  if (missedRuns > 0)
    return { value: plural(missedRuns, 'missed run', 'missed runs'), tone: 'bad', path: '/quarantine' };
  if (metrics === undefined) return { value: '–', tone: 'idle' };
  const { UndeliveredUnstored: unstored, UndeliveredNow: stored } = metrics;
  if (unstored === null)
    return outage ? { value: 'waits for the platform', tone: 'warn' } : { value: 'not run yet', tone: 'idle' };
  if (unstored > 0) return { value: `${unstored.toLocaleString('en')} not stored`, tone: 'bad' };
  return (stored ?? 0) === 0
    ? { value: 'none undelivered', tone: 'idle' }
    : { value: `${stored?.toLocaleString('en')} to be marked`, tone: 'busy' };
}

function driftState(drift: Measured): ComponentState {
  if (drift === undefined) return { value: '–', tone: 'idle', path: '/reconciliation' };
  if (drift === null) return { value: 'not run yet', tone: 'idle', path: '/reconciliation' };
  return {
    value: `${drift.toLocaleString('en')} drift/day`,
    tone: drift > 0 ? 'warn' : 'idle',
    path: '/reconciliation',
  };
}
