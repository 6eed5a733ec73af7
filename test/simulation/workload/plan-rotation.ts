import type { Faults } from '#test/simulation/faults/faults.ts';
import type { Disturbance } from './plan-workload.ts';

/** Another writer puts a registration back to what it was before, as a restored backup does. */
export type RestoreAction = { readonly type: 'restore'; readonly eventType: string };

type RotationAction = { readonly at: number; readonly what: string } & (
  | { readonly type: 'notify'; readonly eventType: string; readonly body: string }
  | { readonly type: 'operate'; readonly does: 'register' | 'rotate' }
  | { readonly type: 'disturb'; readonly disturbance: Disturbance; readonly duration: number }
  | RestoreAction
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
export function planRotation({ faults }: { readonly faults: Faults }): readonly RotationAction[] {
  const kind = 'registration restored during a rotation';
  if (!faults.happens(kind)) return [];
  const at = 5 * second + faults.draw(kind) * 8 * minute;
  const restoredAt = at + overlap - faults.draw(kind) * minute;
  const endsAt = at + overlap + 15 * second + faults.draw(kind) * minute;
  const reports = (from: number, duration: number, count: number) =>
    Array.from({ length: count }, (_, index) => planOrder(from + (duration * index) / count, index));
  return [
    { at, type: 'operate', does: 'rotate', what: 'an operator rotates the secret' },
    { at: at + 3 * second, type: 'operate', does: 'rotate', what: 'another operator rotates the secret' },
    // Several at once take several processes, of which each has just read the secret.
    ...reports(at - second, second / 2, 4),
    ...reports(at, 4 * second, 8),
    // Fails with the previous secret as the new one is registered, and comes again with the previous one.
    down(at + 8.5 * second),
    ...reports(at + 9 * second, second, 3),
    ...reports(at + 15 * second, 10 * second, 6),
    { at: restoredAt, type: 'restore', eventType, what: 'a registration is restored' },
    // What fails now comes again with the secret of now, once the next run has registered the other one.
    down(endsAt - 2 * second),
    ...reports(endsAt - second, second, 3),
    { at: endsAt, type: 'operate', does: 'register', what: 'an operator lets register run' },
    ...reports(endsAt, 2 * second, 3),
  ];
}

function down(at: number): RotationAction {
  return { at, type: 'disturb', disturbance: 'endpoint down', duration: 3 * second, what: 'endpoint down' };
}

function planOrder(at: number, index: number): RotationAction {
  const orderId = `rotation-order-${Math.floor(at)}-${index}`;
  const body = JSON.stringify({ orderId, status: 'RECEIVED', modifiedOn: '2026-01-02T03:04:05Z' });
  return { at, type: 'notify', eventType, body, what: `${orderId} is RECEIVED` };
}
