import { RefusedError } from '#sandbox/platform/core/refused-error.ts';
import type { Platform } from '#sandbox/platform/platform.ts';
import { createRandom, shuffled } from '#sandbox/random.ts';
import type { Sandbox } from '#sandbox/sandbox.ts';
import { type Check, checkEqual, checkNone, checkSome } from './checks.ts';
import { countDeadLetters } from './dead-letters.ts';
import { auditEntities, countMisled, type PlatformRecord } from './entity-audit.ts';
import { readAllEvents, waitUntilStored } from './first-webhooks.ts';
import type { PublishedChange } from './published-changes.ts';
import { readShown } from './read-shown.ts';
import { drainAll, refreshToken } from './schedules.ts';
import { createTraders } from './traders.ts';
import { createTradingPlan, type Life } from './trading-plan.ts';

export type TradingProps = {
  readonly sandbox: Pick<Sandbox, 'host' | 'platform'>;
  /** What was published so far. */
  readonly changes: () => readonly PublishedChange[];
  readonly orders: number;
  readonly transfers: number;
  readonly seed: number;
  readonly onStep: (step: string) => void;
};

/** What the platform does with its deliveries meanwhile. The delay in seconds. */
const unreliable = {
  deliveriesDuplicated: 0.3,
  deliveriesDelayed: 0.4,
  deliveriesReordered: 0.5,
  deliveryDelay: 600,
};

/** In seconds: what passes between two rounds of trading. */
const betweenRounds = 60;

/** The rounds in which orders are placed and transfers made; each goes on until nothing more is to become of it. */
const firstRounds = 10;

/** In seconds: an INVALID record is purged after 48 hours (section 8). */
const untilPurged = 49 * 3_600;

/**
 * Issue 5: orders and transfers go through their life cycles while deliveries come twice, late and in another order. Then
 * every entity must be what the platform has, and whoever listens to the bus must have come to the same.
 */
export async function runTrading(props: TradingProps): Promise<readonly Check[]> {
  const { sandbox, changes, onStep } = props;
  const { host, platform } = sandbox;
  platform.settings.change(unreliable);

  onStep(`${props.orders} orders and ${props.transfers} transfers; deliveries come twice, late, and in any order`);
  await trade(props);
  onStep('The last deliveries arrive');
  while (platform.deliveries.waiting() > 0) await platform.clock.advance(betweenRounds);
  await refreshToken(host);
  const runs = await drainAll(sandbox);
  await waitUntilStored(host);
  const records = recordsOf(platform);

  onStep('Two days pass, and the platform purges what is INVALID');
  await platform.clock.advance(untilPurged);
  const purged = records.filter((record) => isPurged(platform, record));

  onStep(`${records.length} orders and transfers are read from Drawbridge, each with its timeline`);
  const shown = await readShown(host.place.apiOrigin, records);
  const audit = auditEntities(shown, changes());
  const twice = shuffled([...changes(), ...changes()], createRandom(props.seed));
  const kept = new Set(shown.filter(({ entity }) => entity?.status === 'INVALID').map(({ record }) => record.id));
  const rows = await readAllEvents(host);
  return [
    checkEqual('orders and transfers', props.orders + props.transfers, records.length),
    checkEqual(
      'statuses that they came to, but RECEIVED',
      11,
      new Set(records.map(({ kind, status }) => `${kind} ${status}`)).size,
    ),
    checkSome(
      'deliveries that came twice',
      rows.reduce((sum, { deliveries }) => sum + deliveries - 1, 0),
    ),
    checkNone('entities with another status or time than on the platform', audit.different),
    checkNone('  with an anomaly', audit.anomalous),
    checkNone('notified statuses that are not in a timeline', audit.untold),
    checkSome('changes published', changes().length),
    checkNone('  changes of a timeline that were not', audit.unpublished),
    checkNone('  entities of which a listener ends with another status', audit.misled),
    checkNone('  or one that hears all twice, in any order', countMisled(records, twice)),
    checkSome('INVALID records that the platform has purged', purged.length),
    checkNone('  of which Drawbridge shows no INVALID entity', purged.filter(({ id }) => !kept.has(id)).length),
    checkNone(`undelivered after ${runs} runs of the drain`, platform.undelivered.count()),
    checkNone('dead letters', await countDeadLetters(host)),
  ];
}

/** In rounds: some are placed, and with some that are there already the next thing happens. */
async function trade({ sandbox: { platform }, orders, transfers, seed }: TradingProps): Promise<void> {
  const random = createRandom(seed);
  const [first, ...others] = platform.assets.list().map(({ isin }) => isin);
  if (first === undefined) throw new Error('The platform trades no asset.');
  const plan = createTradingPlan({ ...platform, traders: createTraders(platform), isins: [first, ...others], random });
  const starts = shuffled(
    [
      ...Array.from({ length: orders }, () => plan.placeOrder),
      ...Array.from({ length: transfers }, () => plan.makeTransfer),
    ],
    random,
  );
  const perRound = Math.ceil(starts.length / firstRounds);
  let lives: readonly Life[] = [];
  for (let round = 0; round < firstRounds || lives.length > 0; round += 1) {
    const begun = starts.slice(round * perRound, (round + 1) * perRound).map((start) => start());
    await platform.clock.advance(betweenRounds);
    lives = [...lives, ...begun].filter((life) => random() < 0.4 || !life());
  }
}

/** Every order and transfer of the platform. */
function recordsOf({ orders, transfers }: Pick<Platform, 'orders' | 'transfers'>): readonly PlatformRecord[] {
  const told = (history: readonly { readonly status: string }[]) =>
    history.map(({ status }) => status).filter((status) => status !== 'RECEIVED');
  return [
    ...orders
      .all()
      .map(({ orderId: id, history, ...order }) => ({ ...order, kind: 'order', id, notified: told(history) })),
    ...transfers.all().map(({ transferId: id, history, ...transfer }) => ({
      ...transfer,
      kind: 'transfer',
      id,
      notified: told(history),
    })),
  ];
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
