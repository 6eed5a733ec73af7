import type { Faults } from '#test/simulation/faults/faults.ts';
import type { Disturbance } from './plan-workload.ts';

/** Another writer puts a registration back to what it was before, as a restored backup does. */
export type RestoreDeed = { readonly act: 'restore'; readonly eventType: string };

type RotationDeed = { readonly at: number; readonly what: string } & (
  | { readonly act: 'notify'; readonly eventType: string; readonly body: string }
  | { readonly act: 'operate'; readonly does: 'register' | 'rotate' }
  | { readonly act: 'disturb'; readonly disturbance: Disturbance; readonly duration: number }
  | RestoreDeed
);

const second = 1_000;
const minute = 60 * second;

const eventType = 'TRADITIONAL_ASSET_ORDER_NOTIFICATION';

/** In milliseconds: for how long the previous secret is accepted, once all is registered. */
const overlap = 10 * minute;

/**
 * A rotation, and webhooks at each moment at which one could be refused: when the new secret is put and registered, when a
 * second operator rotates at once, and when a registration is back to the previous secret as the overlap ends.
 */
export function planRotation({ faults }: { readonly faults: Faults }): readonly RotationDeed[] {
  const kind = 'registration restored during a rotation';
  if (!faults.happens(kind)) return [];
  const at = 5 * second + faults.draw(kind) * 8 * minute;
  const restoredAt = at + overlap - faults.draw(kind) * minute;
  const endsAt = at + overlap + 15 * second + faults.draw(kind) * minute;
  const news = (from: number, duration: number, count: number) =>
    Array.from({ length: count }, (_, index) => planOrder(from + (duration * index) / count, index));
  return [
    { at, act: 'operate', does: 'rotate', what: 'an operator rotates the secret' },
    { at: at + 3 * second, act: 'operate', does: 'rotate', what: 'another operator rotates the secret' },
    // Several at once take several processes, of which each has just read the secret.
    ...news(at - second, second / 2, 4),
    ...news(at, 4 * second, 8),
    // Fails with the previous secret as the new one is registered, and comes again with the previous one.
    down(at + 8.5 * second),
    ...news(at + 9 * second, second, 3),
    ...news(at + 15 * second, 10 * second, 6),
    { at: restoredAt, act: 'restore', eventType, what: 'a registration is restored' },
    // What fails now comes again with the secret of now, once the next run has registered the other one.
    down(endsAt - 2 * second),
    ...news(endsAt - second, second, 3),
    { at: endsAt, act: 'operate', does: 'register', what: 'an operator lets register run' },
    ...news(endsAt, 2 * second, 3),
  ];
}

function down(at: number): RotationDeed {
  return { at, act: 'disturb', disturbance: 'endpoint down', duration: 3 * second, what: 'endpoint down' };
}

function planOrder(at: number, index: number): RotationDeed {
  const orderId = `rotation-order-${Math.floor(at)}-${index}`;
  const body = JSON.stringify({ orderId, status: 'RECEIVED', modifiedOn: '2026-01-02T03:04:05Z' });
  return { at, act: 'notify', eventType, body, what: `${orderId} is RECEIVED` };
}
