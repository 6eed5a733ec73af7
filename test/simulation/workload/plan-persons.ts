import type { Faults } from '#test/simulation/faults/faults.ts';
import { newEventType } from '#test/simulation/world/platform-app.ts';

/** What happens to a person that the platform really has, or what it does. */
export type PersonDeed = {
  readonly act: 'person';
  /** A name within the history: its id is the platform's. */
  readonly person: string;
  readonly does: 'is taken in' | 'is taken in, ACTIVE' | 'is identified by video' | 'moves on';
  /** From 0 to 1: which way it goes. */
  readonly draw: number;
};

/** What an operator does, or has done. */
export type OperatorDeed = {
  readonly act: 'operate';
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

type Planned<Deed> = { readonly at: number; readonly what: string } & Deed;

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
export function planPersons(options: PersonsOptions): readonly Planned<PersonDeed | OperatorDeed | NewsDeed>[] {
  const { random, hasOnboardings } = options;
  const hasPersons = random() < shareWithPersons && !hasOnboardings;
  const hasRelease = random() < shareWithRelease;
  return [...(hasPersons ? planAll(options) : []), ...(hasRelease ? planRelease(options) : [])];
}

function planAll(options: PersonsOptions): readonly Planned<PersonDeed | OperatorDeed>[] {
  const { random } = options;
  // Some lists have several pages.
  const persons = random() < 0.5 ? 1 + Math.floor(random() * 4) : 5 + Math.floor(random() * 5);
  return [
    { at: 0, act: 'operate', does: 'schedule reconciliation', what: 'reconciliation is scheduled' },
    ...Array.from({ length: persons }, (_, index) => planPerson(`person-${index}`, options)).flat(),
    ...planRuns(options),
  ];
}

function planPerson(person: string, { random, duration }: PersonsOptions): readonly Planned<PersonDeed>[] {
  const plan = (at: number, does: PersonDeed['does']) =>
    ({ at, act: 'person', person, does, draw: random(), what: `${person} ${does}` }) as const;
  let at = random() * random() * duration * 0.6;
  const deeds = [plan(at, random() < 0.25 ? 'is taken in, ACTIVE' : 'is taken in')];
  if (random() < 0.4) deeds.push(plan(at + random() * 2 * minute, 'is identified by video'));
  for (let left = Math.floor(random() * 4); left > 0; left -= 1) {
    at += random() * 4 * minute;
    deeds.push(plan(at, 'moves on'));
  }
  return deeds;
}

/** By hand, besides those of the schedule: some are told to end soon. */
function planRuns({ random, duration }: PersonsOptions): readonly Planned<OperatorDeed>[] {
  return (['reconcile', 'report'] as const).flatMap((does) => {
    if (random() < 0.4) return [];
    const seconds = random() < 0.7 ? { seconds: 0.001 + random() * 3 } : {};
    return [{ at: random() * duration, act: 'operate', does, what: `an operator lets ${does} run`, ...seconds }];
  });
}

/** What the platform tells by an event type of which the functions have not been told. */
export type NewsDeed = { readonly act: 'notify'; readonly eventType: string; readonly body: string };

/** The latest release knows the event type of which the functions had not been told; until then, what it tells is kept. */
function planRelease({ random, faults, duration }: PersonsOptions): readonly Planned<OperatorDeed | NewsDeed>[] {
  const at = (0.3 + random() * 0.7) * duration;
  const news = 2 + Math.floor(random() * 5);
  if (!faults.isEnabled('unknown event type')) return [];
  return [
    ...Array.from({ length: news }, (_, index) => planNews(`new-order-${index}`, random() * at)),
    { at, act: 'operate', does: 'release', what: 'a release knows the new event type, and replays' },
  ];
}

function planNews(orderId: string, at: number): Planned<NewsDeed> {
  const body = JSON.stringify({ orderId, status: 'RECEIVED', modifiedOn: '2026-01-02T03:04:05Z' });
  return { at, act: 'notify', eventType: newEventType, body, what: `${orderId} is RECEIVED` };
}
