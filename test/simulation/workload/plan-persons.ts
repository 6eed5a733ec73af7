import type { Faults } from '#test/simulation/faults/faults.ts';
import { newEventType } from '#test/simulation/system/platform-app.ts';

/** What happens to a person that the platform really has, or what it does. */
export type PersonAction = {
  readonly type: 'person';
  /** A name within the history: its id is the platform's. */
  readonly person: string;
  readonly does: 'is taken in' | 'is taken in, ACTIVE' | 'is identified by video' | 'moves on';
  /** From 0 to 1: which way it goes. */
  readonly draw: number;
};

/** What an operator does, or has done. */
export type OperatorAction = {
  readonly type: 'operate';
  readonly does:
    | 'schedule reconciliation'
    | 'reconcile'
    | 'report'
    | 'release'
    | 'take the release back'
    | 'register'
    | 'rotate';
  /** How long a run may take; until its function's time is nearly over unless given. */
  readonly seconds?: number;
};

type Planned<Action> = { readonly at: number; readonly what: string } & Action;

export type PersonsOptions = {
  /** From 0 to 1. */
  readonly random: () => number;
  readonly faults: Pick<Faults, 'isEnabled'>;
  readonly hasOnboardings: boolean;
  /** In milliseconds. */
  readonly duration: number;
};

/** Histories in which the platform has persons: they take longer than others. */
const shareWithPersons = 0.18;

/** Of the histories with unknown event types, those in which they become known. */
const shareWithRelease = 0.8;

const minute = 60_000;

/** Persons and what becomes of them, reconciliation, and a release that knows one event type more; or nothing of all that. */
export function planPersons(options: PersonsOptions): readonly Planned<PersonAction | OperatorAction | NotifyAction>[] {
  const { random, hasOnboardings } = options;
  const hasPersons = random() < shareWithPersons && !hasOnboardings;
  const hasRelease = random() < shareWithRelease;
  return [...(hasPersons ? planAll(options) : []), ...(hasRelease ? planRelease(options) : [])];
}

function planAll(options: PersonsOptions): readonly Planned<PersonAction | OperatorAction>[] {
  const { random } = options;
  // Some lists have several pages.
  const persons = random() < 0.5 ? 1 + Math.floor(random() * 4) : 5 + Math.floor(random() * 5);
  return [
    { at: 0, type: 'operate', does: 'schedule reconciliation', what: 'reconciliation is scheduled' },
    ...Array.from({ length: persons }, (_, index) => planPerson(`person-${index}`, options)).flat(),
    ...planRuns(options),
  ];
}

function planPerson(person: string, { random, duration }: PersonsOptions): readonly Planned<PersonAction>[] {
  const plan = (at: number, does: PersonAction['does']) =>
    ({ at, type: 'person', person, does, draw: random(), what: `${person} ${does}` }) as const;
  let at = random() * random() * duration * 0.6;
  const actions = [plan(at, random() < 0.25 ? 'is taken in, ACTIVE' : 'is taken in')];
  if (random() < 0.4) actions.push(plan(at + random() * 2 * minute, 'is identified by video'));
  for (let left = Math.floor(random() * 4); left > 0; left -= 1) {
    at += random() * 4 * minute;
    actions.push(plan(at, 'moves on'));
  }
  return actions;
}

/** By hand, besides those of the schedule: some are told to end soon. */
function planRuns({ random, duration }: PersonsOptions): readonly Planned<OperatorAction>[] {
  return (['reconcile', 'report'] as const).flatMap((does) => {
    if (random() < 0.4) return [];
    const seconds = random() < 0.7 ? { seconds: 0.001 + random() * 3 } : {};
    return [{ at: random() * duration, type: 'operate', does, what: `an operator lets ${does} run`, ...seconds }];
  });
}

/** What the platform tells by an event type of which the functions have not been told. */
export type NotifyAction = { readonly type: 'notify'; readonly eventType: string; readonly body: string };

/** The latest release knows the event type of which the functions had not been told; until then, what it tells is kept. */
function planRelease({ random, faults, duration }: PersonsOptions): readonly Planned<OperatorAction | NotifyAction>[] {
  const at = (0.3 + random() * 0.7) * duration;
  const reports = 2 + Math.floor(random() * 5);
  if (!faults.isEnabled('unknown event type')) return [];
  return [
    ...Array.from({ length: reports }, (_, index) => planNewTypeReport(`new-order-${index}`, random() * at)),
    { at, type: 'operate', does: 'release', what: 'a release knows the new event type, and replays' },
  ];
}

function planNewTypeReport(orderId: string, at: number): Planned<NotifyAction> {
  const body = JSON.stringify({ orderId, status: 'RECEIVED', modifiedOn: '2026-01-02T03:04:05Z' });
  return { at, type: 'notify', eventType: newEventType, body, what: `${orderId} is RECEIVED` };
}
