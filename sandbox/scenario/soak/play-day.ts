import { fault } from '#sandbox/platform/faults/faults.ts';
import type { Sandbox } from '#sandbox/sandbox.ts';
import type { Notification } from '#sandbox/scenario/common/notifications.ts';
import { sendLateWebhooks } from '#sandbox/scenario/onboarding/erasure.ts';
import { type Partner, requestOnboardings } from '#sandbox/scenario/onboarding/partner.ts';
import { createPartnerActions } from '#sandbox/scenario/onboarding/partner-actions.ts';
import type { PlannedOnboarding } from '#sandbox/scenario/onboarding/plan.ts';
import { createRounds } from '#sandbox/scenario/onboarding/rounds.ts';
import type { Exchange, Start } from '#sandbox/scenario/trading/exchange.ts';
import { isOutage, partOf, rounds, settling, timetable, tokenServiceFailures } from './day-plan.ts';

export type DayProps = {
  readonly sandbox: Pick<Sandbox, 'host' | 'platform' | 'advance'>;
  readonly partner: Partner;
  readonly exchange: Exchange;
  readonly plan: readonly PlannedOnboarding[];
  readonly webhooks: readonly Notification[];
  readonly trades: readonly Start[];
  readonly roundSeconds: number;
  readonly random: () => number;
  /** Whether messages or webhooks wait. */
  readonly hasWaiting: () => Promise<boolean>;
  /** Called after each round. */
  readonly onRound: (round: number) => Promise<void>;
};

/** What happened on a day. */
export type PlayedDay = {
  readonly outageMinutes: number;
  readonly rotations: number;
  readonly tokenFailures: number;
  readonly erased: readonly string[];
};

/** Plays a day: work begins, everyone takes their steps, and each trouble of the timetable happens once. Ends when nothing is open. */
export async function playDay(props: DayProps): Promise<PlayedDay> {
  const { sandbox, partner, exchange, plan, webhooks, trades, roundSeconds, random, hasWaiting, onRound } = props;
  const { host, platform } = sandbox;
  const actions = createPartnerActions({ platform, partner, plan, isAllowedAgain: () => true });
  let isReachable = true;
  const passRound = createRounds({
    sandbox,
    plan,
    // The partner uses the same API as the platform.
    actions: { ...actions, act: async (rows) => isReachable && (await actions.act(rows)) },
    random,
    onRound: () => undefined,
  });
  let toRequest: readonly PlannedOnboarding[] = [];
  let outages = 0;
  let rotations = 0;
  let revocations = 0;

  async function makeTrouble(round: number): Promise<void> {
    if (round === timetable.tokenRevoked) {
      platform.tokens.revoke();
      revocations += 1;
    }
    if (round === timetable.tokenServiceFails)
      platform.faults.place(
        fault.parse({ operation: 'getToken', effect: 'ANSWER', status: 503, times: tokenServiceFailures }),
      );
    if (round === timetable.rotation && (await changesSecret(sandbox, 'rotate'))) rotations += 1;
    if (round === timetable.retirement) await register(sandbox, 'retire');
  }

  for (let round = 0; round < rounds; round += 1) {
    isReachable = !isOutage(round);
    if (!isReachable) outages += 1;
    host.setReachable(isReachable);
    await makeTrouble(round);
    toRequest = [...toRequest, ...partOf(plan, round, timetable.requestsEnd)];
    if (isReachable) {
      await requestOnboardings(partner, toRequest);
      toRequest = [];
    }
    exchange.begin(partOf(trades, round, timetable.workEnds));
    const sending = partOf(webhooks, round, timetable.workEnds).map(({ eventType, body }) =>
      platform.deliveries.deliver(eventType, Buffer.from(body)),
    );
    await Promise.all([passRound(roundSeconds), ...sending]);
    exchange.takeSteps();
    if (round === timetable.lateWebhooks) {
      completeTransfers(sandbox);
      sendLateWebhooks(platform, plan, actions);
    }
    await onRound(round);
  }
  for (let round = 0; round < settling.maxRounds; round += 1) {
    const onboardings = await passRound(settling.roundSeconds);
    if (onboardings === 'all have ended' && !exchange.hasOpen() && !(await hasWaiting())) break;
    exchange.takeSteps();
  }
  const refused = platform.faults.list().reduce((sum, { happened }) => sum + happened, 0);
  platform.faults.clear();
  return {
    outageMinutes: (outages * roundSeconds) / 60,
    rotations,
    tokenFailures: revocations + refused,
    erased: plan.map(({ request }) => request.externalId).filter(actions.isErased),
  };
}

async function register({ host }: DayProps['sandbox'], mode: 'rotate' | 'retire'): Promise<void> {
  await host.functions.find('register')?.invoke(JSON.stringify({ mode }));
}

/** Whether the platform then sends other headers. */
async function changesSecret(sandbox: DayProps['sandbox'], mode: 'rotate'): Promise<boolean> {
  const headers = () => JSON.stringify(sandbox.platform.registrations.list().map((webhook) => webhook.headers));
  const before = headers();
  await register(sandbox, mode);
  return headers() !== before;
}

/** Drawbridge asks for open transfers until they end: a day would have more requests than the day before. */
function completeTransfers({ platform: { transfers } }: DayProps['sandbox']): void {
  for (const { transferId, status } of transfers.all()) if (status === 'PENDING') transfers.complete(transferId);
}
