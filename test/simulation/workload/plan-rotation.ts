import type { Faults } from '#test/simulation/faults/faults.ts';
import type { Disturbance } from './plan-workload.ts';

/** Another system restores an earlier registration, as a restored backup does. */
export type RestoreAction = { readonly type: 'restore'; readonly eventType: string };

type RotationAction = { readonly at: number; readonly what: string } & (
  | { readonly type: 'notify'; readonly eventType: string; readonly body: string }
  | { readonly type: 'operate'; readonly does: 'register' | 'rotate' }
  | { readonly type: 'disturb'; readonly disturbance: Disturbance; readonly duration: number }
  | RestoreAction
);

/** An operator moves the current label of the token back to its first version. */
export type RollBackAction = { readonly at: number; readonly type: 'roll back'; readonly what: string };

/** @param duration in milliseconds: the end of the actions */
export function planRollback(duration: number, faults: Faults): readonly RollBackAction[] {
  const kind = 'token rolled back';
  if (!faults.happens(kind)) return [];
  return [{ at: faults.draw(kind) * duration, type: 'roll back', what: 'an operator rolls the token back' }];
}

const second = 1_000;
const minute = 60 * second;

const eventType = 'TRADITIONAL_ASSET_ORDER_NOTIFICATION';

/** In milliseconds: how long the previous secret is accepted after all registrations. */
const overlap = 10 * minute;

/**
 * Plans a rotation with webhooks at each moment at which a defect could refuse them: at the put and the registration of the
 * new secret, at a second concurrent rotation, and at a restored registration just before the overlap ends.
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
    // Concurrent webhooks need several processes, each of which has just read the secret.
    ...reports(at - second, second / 2, 4),
    ...reports(at, 4 * second, 8),
    // These fail with the previous secret during the registration, and are repeated with the previous secret.
    down(at + 8.5 * second),
    ...reports(at + 9 * second, second, 3),
    ...reports(at + 15 * second, 10 * second, 6),
    { at: restoredAt, type: 'restore', eventType, what: 'a registration is restored' },
    // These fail with the current secret, and are repeated with it after the next run has registered the other one.
    down(endsAt - 2 * second),
    ...reports(endsAt - second, second, 3),
    { at: endsAt, type: 'operate', does: 'register', what: 'an operator runs register' },
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
