import type { Platform } from '#sandbox/platform/app/platform.ts';
import { createRandom, shuffled } from '#sandbox/platform/core/random.ts';
import { RefusedError } from '#sandbox/platform/core/refused-error.ts';
import type { Sandbox } from '#sandbox/sandbox.ts';
import { type Check, checkEqual, checkNone, checkSome } from '#sandbox/scenario/common/checks.ts';
import { auditEntities, countMisled, type PlatformRecord } from '#sandbox/scenario/common/entity-audit.ts';
import { countRepeated } from '#sandbox/scenario/common/event-audit.ts';
import { readAllEvents, waitUntilStored } from '#sandbox/scenario/common/event-store.ts';
import type { PublishedChange } from '#sandbox/scenario/common/published-changes.ts';
import { countMessages } from '#sandbox/scenario/common/queues.ts';
import { readEntities } from '#sandbox/scenario/common/read-entities.ts';
import { drainAll, purgeSeconds, refreshToken } from '#sandbox/scenario/common/schedules.ts';
import { createExchange, recordsOf, unreliableDeliveries } from './exchange.ts';

export type TradingProps = {
  readonly sandbox: Pick<Sandbox, 'host' | 'platform'>;
  /** The changes that were published so far. */
  readonly changes: () => readonly PublishedChange[];
  readonly orders: number;
  readonly transfers: number;
  readonly seed: number;
  readonly onStep: (step: string) => void;
};

const roundSeconds = 60;

/** The rounds with new orders and transfers. Later rounds only finish them. */
const firstRounds = 10;

/**
 * Orders and transfers go through their life cycles while deliveries are duplicated, delayed and reordered. Then every
 * entity must match the platform, and so must the state that a consumer of the bus ends with.
 */
export async function runTrading(props: TradingProps): Promise<readonly Check[]> {
  const { sandbox, changes, onStep } = props;
  const { host, platform } = sandbox;
  platform.settings.change(unreliableDeliveries);

  onStep(
    `Trades ${props.orders} orders and ${props.transfers} transfers; deliveries are duplicated, delayed and reordered`,
  );
  await trade(props);
  onStep('The last deliveries arrive');
  while (platform.deliveries.waiting() > 0) await platform.clock.advance(roundSeconds);
  await refreshToken(host);
  const runs = await drainAll(sandbox);
  await waitUntilStored(host);
  const records = recordsOf(platform);

  onStep('Two days pass. The platform purges INVALID records');
  await platform.clock.advance(purgeSeconds);
  const purged = records.filter((record) => isPurged(platform, record));

  onStep(`Reads ${records.length} orders and transfers from Drawbridge, with their timelines`);
  const shown = await readEntities(host.place.apiOrigin, records);
  const audit = auditEntities(shown, changes());
  const twice = shuffled([...changes(), ...changes()], createRandom(props.seed));
  const kept = new Set(shown.filter(({ entity }) => entity?.status === 'INVALID').map(({ record }) => record.id));
  return [
    checkEqual('orders and transfers', props.orders + props.transfers, records.length),
    checkEqual(
      'different statuses reached, without RECEIVED',
      11,
      new Set(records.map(({ kind, status }) => `${kind} ${status}`)).size,
    ),
    checkSome('duplicate deliveries', countRepeated(await readAllEvents(host))),
    checkNone('entities with another status or time than on the platform', audit.different),
    checkNone('  with an anomaly', audit.anomalous),
    checkNone('notified statuses missing from a timeline', audit.unreported),
    checkSome('changes published', changes().length),
    checkNone('  changes in a timeline that were not published', audit.unpublished),
    checkNone('  entities for which a bus consumer ends with another status', audit.misled),
    checkNone('  the same, when each change arrives twice and in any order', countMisled(records, twice)),
    checkSome('INVALID records purged by the platform', purged.length),
    checkNone('  without an INVALID entity in Drawbridge', purged.filter(({ id }) => !kept.has(id)).length),
    checkNone(`undelivered after ${runs} runs of the drain`, platform.undelivered.count()),
    checkNone('dead letters', await countMessages(host, 'dead letters')),
  ];
}

/** Trades in rounds: each places new orders and takes the next step of some existing ones. */
async function trade({ sandbox: { platform }, orders, transfers, seed }: TradingProps): Promise<void> {
  const exchange = createExchange(platform, { random: createRandom(seed) });
  const starts = exchange.plan(orders, transfers);
  const perRound = Math.ceil(starts.length / firstRounds);
  for (let round = 0; round < firstRounds || exchange.hasOpen(); round += 1) {
    exchange.begin(starts.slice(round * perRound, (round + 1) * perRound));
    await platform.clock.advance(roundSeconds);
    exchange.takeSteps();
  }
}

function isPurged(
  { orders, transfers }: Pick<Platform, 'orders' | 'transfers'>,
  { kind, id }: PlatformRecord,
): boolean {
  try {
    if (kind === 'order') orders.get(id);
    else transfers.get(id);
    return false;
  } catch (error) {
    if (error instanceof RefusedError) return true;
    throw error;
  }
}
