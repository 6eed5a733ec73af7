import { entityRules } from '#shared/entities/statuses/entity-rules.ts';
import type { EntityKind } from '#shared/platform/profile/event-place.ts';
import type { Faults } from '#test/simulation/faults/faults.ts';
import { newEventType } from '#test/simulation/system/platform-app.ts';
import { planBusyTime } from './plan-busy-time.ts';
import { type ForeignRecordAction, planForeignRecords } from './plan-foreign-records.ts';
import type { ErasureAction, OnboardingAction, ReportAction } from './plan-onboardings.ts';
import { type OperatorAction, type PersonAction, planPersons } from './plan-persons.ts';
import { planRotation, type RestoreAction, type RollBackAction } from './plan-rotation.ts';

/** A planned action of a history. `at` is in milliseconds from the start. */
export type Action = OnboardingAction | EventAction;

/** An action of the platform, an operator, the partner, or a forger. */
type EventAction = { readonly at: number; readonly what: string } & (
  | { readonly type: 'notify'; readonly eventType: string; readonly body: string }
  | { readonly type: 'forge'; readonly secret: 'none' | 'wrong'; readonly body: string }
  | { readonly type: 'disturb'; readonly disturbance: Disturbance; readonly duration: number }
  | ForeignRecordAction
  | ErasureAction
  | ReportAction
  | RestoreAction
  | Omit<RollBackAction, 'at' | 'what'>
  | PersonAction
  | OperatorAction
);

/** Disturbances that happen once or twice in a history. */
export const disturbances = [
  'endpoint down',
  'token service down',
  'revoked token',
  'secret rotation',
  'registration changed by another system',
  'malformed record',
  'AWS slow for minutes',
] as const;

export type Disturbance = (typeof disturbances)[number];

export type WorkloadOptions = {
  /** From 0 to 1. */
  readonly random: () => number;
  readonly faults: Faults;
  /** In milliseconds since 1970. */
  readonly startAt: number;
  /** In milliseconds: the end of the actions. */
  readonly duration: number;
  /** Whether the history has onboardings. Then the platform stores no other persons. */
  readonly hasOnboardings: boolean;
};

/** A marker in every payload that stands for personal data. The marker must appear nowhere else. */
export const canary = 'CANARY-personal-data';

/** The event type by kind of subject. */
export const eventTypeOf: Readonly<Record<EntityKind | 'customer', string>> = {
  'natural-person': 'NATURAL_PERSON_NOTIFICATION',
  'identification-verification': 'IDENTIFICATION_VERIFICATION_NOTIFICATION',
  order: 'TRADITIONAL_ASSET_ORDER_NOTIFICATION',
  transfer: 'TRANSFER_NOTIFICATION',
  customer: 'CUSTOMER_NOTIFICATION',
};

/** The field of a body that has the id of its subject. */
export const idFieldOf: Readonly<Record<EntityKind | 'customer', string>> = {
  'natural-person': 'naturalPersonId',
  'identification-verification': 'identificationVerificationId',
  order: 'orderId',
  transfer: 'transferId',
  customer: 'customerId',
};

const kinds = ['natural-person', 'identification-verification', 'order', 'order', 'transfer', 'customer'] as const;

/** Plans the reports about some entities, and disturbances. */
export function planWorkload(options: WorkloadOptions): readonly Action[] {
  const subjects = 1 + Math.floor(options.random() * 4);
  const entities = Array.from({ length: subjects }, (_, index) => planEntity(index, options));
  const reports = [...entities.flat(), ...planDisturbed(options), ...planPersons(options)];
  return [...reports, ...planForeignRecords(options), ...planRotation(options)].toSorted(
    (one, other) => one.at - other.at,
  );
}

/** Plans the reports about an entity that moves through the statuses of its table. */
function planEntity(index: number, { random, faults, startAt, duration }: WorkloadOptions): readonly Action[] {
  const pick = <Item>(items: readonly Item[]) => items[Math.floor(random() * items.length)];
  const kind = pick(kinds) ?? 'order';
  const id = `${kind}-${index}`;
  const isTimed = random() < 0.8;
  const actions: Action[] = [];
  let at = random() * duration * 0.7;
  let status = '(none)';
  /** The final status before the current one. */
  let left: string | undefined;
  let time = timeOf(startAt + at, 0);
  const maxEvents = random() < 0.1 ? 15 : 5;
  for (let events = 1 + Math.floor(random() * maxEvents); events > 0; events -= 1) {
    const next =
      goBack(left, faults) ?? nextStatus(kind, status, pick) ?? leaveFinal(kind, status, { isTimed, faults });
    left = isFinal(kind, status) && next !== undefined ? status : undefined;
    status = next ?? status;
    const reported = faults.happens('unknown enum value') ? unknownWord(faults) : status;
    if (!faults.happens('statuses with equal times')) time = timeOf(startAt + at, actions.length);
    const isDated = isTimed && !faults.happens('status without a timestamp');
    const modifiedOn = isDated ? { modifiedOn: time } : {};
    const resource = { [idFieldOf[kind]]: id, status: reported, ...modifiedOn, firstName: canary };
    const eventType = faults.happens('unknown event type') ? newEventType : eventTypeOf[kind];
    const isMalformed = faults.happens('malformed webhook');
    const body = isMalformed ? `{"broken": "${canary}` : JSON.stringify(resource);
    const what = `${id} is ${reported}${isDated ? '' : ', untimed'}`;
    actions.push({ at, type: 'notify', what, eventType, body });
    // The meaning is the same and the text differs: to treat both as one event would lose one of them.
    if (!isMalformed && faults.happens('webhook with a duplicate field'))
      actions.push({
        at,
        type: 'notify',
        what: `${what}, twice in one body`,
        eventType,
        body: repeatStatus(body, reported),
      });
    if (random() < 0.1) {
      const isOtherwise = !isMalformed && faults.happens('webhook with reordered fields');
      const again = { what: `${what}, again`, eventType, body: isOtherwise ? writeOtherwise(resource) : body };
      actions.push({ at: at + random() * 60_000, type: 'notify', ...again });
    }
    if (faults.happens('forged webhook')) actions.push(forge(at, body, random() < 0.5 ? 'none' : 'wrong'));
    // Some reports follow each other within a millisecond.
    at += random() < 0.3 ? 0 : random() * 60_000;
  }
  return actions;
}

/** With several unknown values, neither their texts nor the status table tell which value is the latest. */
function unknownWord(faults: Faults): string {
  if (!faults.happens('several unknown enum values')) return 'A_NEW_WORD';
  return faults.draw('several unknown enum values') < 0.5 ? 'AN_OLDER_LOOKING_WORD' : 'ZZ_ANOTHER_WORD';
}

function isFinal(kind: EntityKind | 'customer', status: string): boolean {
  return kind !== 'customer' && entityRules[kind].statuses.isFinal(status);
}

/** Often returns to the final status immediately, so that only its first time shows the contradiction. */
function goBack(left: string | undefined, faults: Faults): string | undefined {
  return left !== undefined && faults.draw('final status left') < 0.7 ? left : undefined;
}

/** Contradicts the specification with a later time, so that the latest status is still known. */
function leaveFinal(
  kind: EntityKind | 'customer',
  from: string,
  { isTimed, faults }: { readonly isTimed: boolean; readonly faults: Faults },
): string | undefined {
  if (kind === 'customer' || !isTimed || !faults.happens('final status left')) return undefined;
  const open = entityRules[kind].statuses.table.statuses.filter(({ final, status }) => !final && status !== from);
  return open[Math.floor(faults.draw('final status left') * open.length)]?.status;
}

function repeatStatus(body: string, status: string): string {
  return `{"status":"${status}",${body.slice(1)}`;
}

/** Reverses the fields. JSON objects have no order, so that the event is the same. */
function writeOtherwise(resource: Readonly<Record<string, unknown>>): string {
  return JSON.stringify(Object.fromEntries(Object.entries(resource).toReversed()));
}

function forge(at: number, body: string, secret: 'none' | 'wrong'): Action {
  return {
    at,
    type: 'forge',
    what: `a forger sends a webhook with ${secret === 'none' ? 'no' : 'a wrong'} secret`,
    secret,
    body,
  };
}

function nextStatus(
  kind: EntityKind | 'customer',
  from: string,
  pick: <Item>(items: readonly Item[]) => Item | undefined,
): string | undefined {
  if (kind === 'customer') return 'CHANGED';
  const { transitions } = entityRules[kind].statuses.table;
  return pick(transitions.filter((transition) => transition.from === from))?.to;
}

/** A time with nanoseconds, as on the platform. Times within a millisecond only differ in the nanoseconds. */
function timeOf(time: number, nanoseconds: number): string {
  const fraction = String(nanoseconds).padStart(6, '0');
  return new Date(time).toISOString().replace('Z', `${fraction}Z`);
}

function planDisturbances({ random, faults, duration }: WorkloadOptions) {
  return disturbances.flatMap((disturbance) =>
    Array.from({ length: random() < 0.3 ? 2 : 1 }, () => ({
      at: random() * duration,
      type: 'disturb' as const,
      what: disturbance,
      disturbance,
      duration: random() * maxMinutes[disturbance] * 60_000,
    })).filter(() => faults.happens(disturbance)),
  );
}

function planDisturbed(options: WorkloadOptions): readonly Action[] {
  const disturbed = planDisturbances(options);
  return [...disturbed, ...disturbed.flatMap((action) => planBusyTime(action, options.random))];
}

/** In minutes: the maximum duration of each disturbance. */
const maxMinutes: Readonly<Record<Disturbance, number>> = {
  'endpoint down': 10,
  // Less than half of the shortest token lifetime, including the time until the next retry.
  'token service down': 9,
  'revoked token': 0,
  'secret rotation': 0,
  'registration changed by another system': 0,
  'malformed record': 0,
  'AWS slow for minutes': 5,
};
