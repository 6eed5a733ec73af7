import { createHash } from 'node:crypto';
import canonicalize from 'canonicalize';
import { createRandom } from '#sandbox/platform/core/random.ts';
import type { LoggedDelivery } from '#sandbox/platform/webhooks/delivery-log.ts';
import type { Sandbox } from '#sandbox/sandbox.ts';
import { type Check, checkNone } from '#sandbox/scenario/common/checks.ts';
import { isDifferent, type PlatformRecord } from '#sandbox/scenario/common/entity-audit.ts';
import { auditEvents, countRepeated, type Sent } from '#sandbox/scenario/common/event-audit.ts';
import { readAllEvents } from '#sandbox/scenario/common/event-store.ts';
import { countMessages } from '#sandbox/scenario/common/queues.ts';
import { readEntities } from '#sandbox/scenario/common/read-entities.ts';
import { purgeSeconds, refreshToken } from '#sandbox/scenario/common/schedules.ts';
import { auditOnboardings, readRecords } from '#sandbox/scenario/onboarding/audit.ts';
import { erasedPersonsOf, remainsOf } from '#sandbox/scenario/onboarding/erasure.ts';
import { passivePlatform } from '#sandbox/scenario/onboarding/faults.ts';
import { createPartner, type Partner } from '#sandbox/scenario/onboarding/partner.ts';
import { createOnboardingPlan, type PlannedOnboarding } from '#sandbox/scenario/onboarding/plan.ts';
import { createKnownPersons } from '#sandbox/scenario/onboarding/platform-part.ts';
import { readTables } from '#sandbox/scenario/onboarding/read-tables.ts';
import type { StepWatch } from '#sandbox/scenario/onboarding/watch.ts';
import { createExchange, recordsOf, unreliableDeliveries } from '#sandbox/scenario/trading/exchange.ts';
import { identifyEvent } from '#shared/events/event.ts';
import { readBackEventType } from '#shared/events/read-back.ts';
import { parseJson } from '#shared/parse-json.ts';
import { createWebhooks, restingPersonas, rounds } from './day-plan.ts';
import type { Day } from './days.ts';
import { countRows, createMemoryMeter, type Figures, type RequestCounter } from './meter.ts';
import { countOpenOnboardings, countWaiting, sumOf } from './open-work.ts';
import { playDay } from './play-day.ts';

export type SoakProps = {
  readonly sandbox: Pick<Sandbox, 'host' | 'platform' | 'advance'>;
  readonly counter: Pick<RequestCounter, 'requests'>;
  readonly steps: Pick<StepWatch, 'count'>;
  readonly days: number;
  /** The hours of a day: fewer than 24 for a short run. */
  readonly hours: number;
  /** Made-up webhooks, orders, transfers and persons of a day. */
  readonly webhooks: number;
  readonly orders: number;
  readonly transfers: number;
  readonly persons: number;
  readonly seed: number;
  readonly onStep: (step: string) => void;
  /** Called after each day, with all days so far. */
  readonly onDay: (days: readonly Day[]) => void;
};

export type Soak = { readonly days: readonly Day[]; readonly checks: readonly Check[] };

/** Memory is measured once in so many rounds. */
const sampleEvery = 2;

/** Plays days of mixed traffic with the same troubles. Returns what each day cost, and checks of what is stored in the end. */
export async function runSoak(props: SoakProps): Promise<Soak> {
  const { sandbox, persons, seed, onStep } = props;
  const { host, platform } = sandbox;
  const random = createRandom(seed);
  const { sent } = watchDeliveries(platform.deliveryLog);
  const partner = createPartner({ host, onAnswer: () => undefined });
  // On a busy machine a delivery must not be repeated because its answer is slow.
  platform.settings.change({ ...passivePlatform, ...unreliableDeliveries, deliveryTimeout: 60 });
  const exchange = createExchange(platform, { random });
  const today = platform.clock.now();
  const plans = Array.from({ length: props.days }, (_, day) =>
    createOnboardingPlan({ persons, personas: restingPersonas, random, today, first: day * persons }),
  );
  for (const plan of plans) createKnownPersons(platform, plan);
  await platform.clock.advance(purgeSeconds);
  await refreshToken(host);
  await sandbox.advance(3_600);

  const memory = createMemoryMeter({ functions: host.functions, stored: () => [platform.snapshots.save(), sent()] });
  const records = new Map<string, PlatformRecord>();
  const erased = new Set<string>();
  const days: Day[] = [];
  let before = await takeStock(props, sent());
  for (const [index, plan] of plans.entries()) {
    const played = await playDay({
      ...{ sandbox, partner, exchange, plan, random },
      webhooks: createWebhooks(props.webhooks, seed + index),
      trades: exchange.plan(props.orders, props.transfers),
      roundSeconds: (props.hours * 3_600) / rounds,
      hasWaiting: async () => sumOf(await countWaiting(sandbox)) > 0,
      onRound: async (round) => {
        if (round % sampleEvery === 0) await memory.sample();
      },
    });
    for (const externalId of played.erased) erased.add(externalId);
    for (const record of recordsOf(platform)) records.set(record.id, record);
    const ofDay = await auditStored(sandbox, sent().slice(before.sent));
    const after = await takeStock(props, sent());
    const stuck = {
      ...(await countWaiting(sandbox)),
      ...(await countOpenOnboardings(host, plan)),
      'dead letters': await countMessages(host, 'dead letters'),
    };
    for (const [what, count] of Object.entries(stuck))
      if (count > 0) onStep(`  day ${index + 1}: ${count} ${what} stuck`);
    days.push({
      counts: {
        webhooks: after.sent - before.sent,
        'events stored': after.events - before.events,
        lost: ofDay.lost,
        doubled: ofDay.doubled,
        stuck: sumOf(stuck),
        'onboardings completed': after.completed - before.completed,
        'outage minutes': played.outageMinutes,
        rotations: played.rotations,
        'token failures': played.tokenFailures,
        redeliveries: after.repeated - before.repeated,
        erasures: played.erased.length,
      },
      rows: gained(before.tables, after.tables),
      requests: gained(before.requests, after.requests),
      memory: memory.take(),
    });
    before = after;
    props.onDay(days);
  }
  onStep(`Compares ${records.size} orders and transfers and ${plans.flat().length} onboardings with the platform`);
  const isErased = (externalId: string) => erased.has(externalId);
  const checks = await checkEnd({
    sandbox,
    partner,
    plan: plans.flat(),
    records: [...records.values()],
    isErased,
    sent: sent(),
  });
  return { days, checks };
}

/** Everything that a day is measured by, counted since the start. */
async function takeStock({ sandbox: { host }, counter, steps }: SoakProps, sent: readonly Sent[]) {
  const rows = await readAllEvents(host);
  return {
    sent: sent.length,
    events: rows.length,
    repeated: countRepeated(rows),
    completed: steps.count('OnboardingCompleted'),
    tables: await countRows(host),
    requests: counter.requests(),
  };
}

function gained(before: Figures, after: Figures): Figures {
  return Object.fromEntries(Object.entries(after).map(([name, count]) => [name, count - (before[name] ?? 0)]));
}

/**
 * Compares what was sent with what is stored. Of an erased event nothing is left to compare but its id. Reads the events itself: while
 * a day is played, those of the days before would stay in memory otherwise.
 */
async function auditStored({ host, platform }: SoakProps['sandbox'], sent: readonly Sent[]) {
  const rows = await readAllEvents(host);
  // The platform's answers to reconcile are events, too. No webhook has this type.
  const kept = rows.filter(({ erasedOn, eventType }) => erasedOn === undefined && eventType !== readBackEventType);
  const erased = new Set(rows.filter(({ erasedOn }) => erasedOn !== undefined).map(({ eventId }) => eventId));
  const isKept = ({ notification: { eventType, body } }: Sent) =>
    !erased.has(identifyEvent(eventType, Buffer.from(body), platform.profile).eventId);
  return auditEvents(sent.filter(isKept), kept);
}

type Ended = {
  readonly sandbox: SoakProps['sandbox'];
  readonly partner: Partner;
  readonly plan: readonly PlannedOnboarding[];
  readonly isErased: (externalId: string) => boolean;
  readonly records: readonly PlatformRecord[];
  readonly sent: readonly Sent[];
};

/** Checks what is stored of all days. */
async function checkEnd({ sandbox, partner, plan, isErased, records, sent }: Ended): Promise<readonly Check[]> {
  const { host, platform } = sandbox;
  const { lost, doubled, changed } = await auditStored(sandbox, sent);
  const audit = auditOnboardings(await readRecords(platform, plan, partner));
  const entities = await readEntities(host.place.apiOrigin, records);
  const remains = remainsOf(await readTables(host), erasedPersonsOf(platform, plan, { isErased }));
  return [
    checkNone(`of ${sent.length} webhooks, lost in the end`, lost),
    checkNone('  events doubled in the end', doubled),
    checkNone('  events with a body that was never sent', changed),
    ...Object.entries(audit).map(([fault, count]) => checkNone(`of ${plan.length} onboardings, ${fault}`, count)),
    checkNone(
      `of ${records.length} orders and transfers, different from the platform`,
      entities.filter(isDifferent).length,
    ),
    checkNone('table items that hold data of an erased person', remains.length),
    checkNone('dead letters', await countMessages(host, 'dead letters')),
  ];
}

type ObservedDeliveries = { readonly observe: (observer: (delivery: LoggedDelivery) => void) => () => void };

/**
 * Records each webhook that the platform sends, whatever its cause. A webhook without a 2xx answer counts as answered, because the
 * platform keeps it until the drain has stored it.
 */
function watchDeliveries(log: ObservedDeliveries) {
  const sent: Sent[] = [];
  /** The number of each event, by the digest of its content: a long scenario keeps each body once. */
  const events = new Map<string, number>();
  log.observe(({ eventType, body, outcome }) => {
    if (outcome !== 'delivered' && outcome !== 'undelivered') return;
    const text = Buffer.from(body).toString();
    const content = createHash('sha256')
      .update(`${eventType} ${canonicalize(parseJson(text)) ?? text}`)
      .digest('base64');
    const event = events.get(content) ?? events.size;
    events.set(content, event);
    sent.push({ notification: { event, eventType, body: text }, answered: true });
  });
  return { sent: (): readonly Sent[] => sent };
}
