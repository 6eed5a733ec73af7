import type { Disturbance } from './plan-workload.ts';

/** A time in which webhooks are more likely to show a defect. */
type BusyTime = {
  readonly at: number;
  readonly disturbance: Disturbance;
  /** In milliseconds. */
  readonly duration: number;
};

type Planned = { readonly at: number; readonly what: string } & (
  | { readonly type: 'notify'; readonly eventType: string; readonly body: string }
  | { readonly type: 'operate'; readonly does: 'register' }
  | {
      readonly type: 'disturb';
      readonly disturbance: Disturbance;
      readonly duration: number;
    }
);

const second = 1_000;

/** In milliseconds: how long register waits between a put of a new secret and its registration. */
const settling = 10 * second;

/**
 * Plans webhooks during a secret rotation and while AWS is slow. With a rotation, the endpoint can be down for a moment, so
 * that deliveries are repeated with the previous secret. Register can run again soon after.
 */
export function planBusyTime(busy: BusyTime, random: () => number): readonly Planned[] {
  if (busy.disturbance === 'AWS slow for minutes') return planOrderReports(busy, 1 + Math.floor(random() * 2), random);
  if (busy.disturbance !== 'secret rotation') return [];
  const { at } = busy;
  if (random() < 0.2) return planOrderReports({ ...busy, duration: 0.3 * second }, 4, random);
  // Just before the put of the new secret, or just before its registration.
  const late = at - second + (random() < 0.5 ? settling : 0);
  const outage = 8 * second;
  return [
    { at: late, type: 'disturb', disturbance: 'endpoint down', duration: outage, what: 'endpoint down' },
    ...planOrderReports({ ...busy, at: late, duration: second }, 2, random),
    ...[2, 4].map((seconds) => ({
      at: at + settling + seconds * second,
      type: 'operate' as const,
      does: 'register' as const,
      what: 'an operator runs register',
    })),
  ];
}

function planOrderReports({ at, duration }: BusyTime, count: number, random: () => number): readonly Planned[] {
  return Array.from({ length: count }, (_, index) => {
    const orderId = `busy-order-${Math.floor(at)}-${index}`;
    const body = JSON.stringify({ orderId, status: 'RECEIVED', modifiedOn: '2026-01-02T03:04:05Z' });
    const what = `${orderId} is RECEIVED`;
    return {
      at: Math.max(0, at + random() * duration),
      type: 'notify',
      eventType: 'TRADITIONAL_ASSET_ORDER_NOTIFICATION',
      body,
      what,
    };
  });
}
