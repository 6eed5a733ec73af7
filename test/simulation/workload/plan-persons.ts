import type { Faults } from '#test/simulation/faults/faults.ts';
import { newEventType } from '#test/simulation/system/platform-app.ts';

/** A change of a person that the platform stores. */
export type PersonAction = {
  readonly type: 'person';
  /** The name of the person in the history. The platform assigns the id. */
  readonly person: string;
  readonly does: 'is created' | 'is created, ACTIVE' | 'is identified by video' | 'changes status';
  /** From 0 to 1: chooses the next status. */
  readonly draw: number;
};

/** An action of an operator. */
export type OperatorAction = {
  readonly type: 'operate';
  readonly does:
    | 'schedule reconciliation'
    | 'reconcile'
    | 'report'
    | 'release'
    | 'roll the release back'
    | 'register'
    | 'rotate';
  /** The time budget of a run. The default is the timeout of the function. */
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

/** The share of histories in which the platform stores persons. These take longer than others. */
const shareWithPersons = 0.18;

/** The share of histories with unknown event types in which a release adds the type. */
const shareWithRelease = 0.8;

const minute = 60_000;

/** Plans persons with their changes, reconciliation, and a release with a new event type. Many histories have none of these. */
export function planPersons(options: PersonsOptions): readonly Planned<PersonAction | OperatorAction | NotifyAction>[] {
  const { random, hasOnboardings } = options;
  const hasPersons = random() < shareWithPersons && !hasOnboardings;
  const hasRelease = random() < shareWithRelease;
  return [...(hasPersons ? planAll(options) : []), ...(hasRelease ? planRelease(options) : [])];
}

function planAll(options: PersonsOptions): readonly Planned<PersonAction | OperatorAction>[] {
  const { random } = options;
  // So that some lists have several pages.
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
  const actions = [plan(at, random() < 0.25 ? 'is created, ACTIVE' : 'is created')];
  if (random() < 0.4) actions.push(plan(at + random() * 2 * minute, 'is identified by video'));
  for (let left = Math.floor(random() * 4); left > 0; left -= 1) {
    at += random() * 4 * minute;
    actions.push(plan(at, 'changes status'));
  }
  return actions;
}

/** Plans manual runs besides the scheduled ones. Some have a short time budget. */
function planRuns({ random, duration }: PersonsOptions): readonly Planned<OperatorAction>[] {
  return (['reconcile', 'report'] as const).flatMap((does) => {
    if (random() < 0.4) return [];
    const seconds = random() < 0.7 ? { seconds: 0.001 + random() * 3 } : {};
    return [{ at: random() * duration, type: 'operate', does, what: `an operator runs ${does}`, ...seconds }];
  });
}

/** A webhook of an event type. */
export type NotifyAction = { readonly type: 'notify'; readonly eventType: string; readonly body: string };

/** Plans webhooks of the new event type, and a release that knows the type. Before the release, the events are quarantined. */
function planRelease({ random, faults, duration }: PersonsOptions): readonly Planned<OperatorAction | NotifyAction>[] {
  const at = (0.3 + random() * 0.7) * duration;
  const reports = 2 + Math.floor(random() * 5);
  if (!faults.isEnabled('unknown event type')) return [];
  return [
    ...Array.from({ length: reports }, (_, index) => planNewTypeReport(`new-order-${index}`, random() * at)),
    { at, type: 'operate', does: 'release', what: 'a release adds the new event type, and an operator replays' },
  ];
}

function planNewTypeReport(orderId: string, at: number): Planned<NotifyAction> {
  const body = JSON.stringify({ orderId, status: 'RECEIVED', modifiedOn: '2026-01-02T03:04:05Z' });
  return { at, type: 'notify', eventType: newEventType, body, what: `${orderId} is RECEIVED` };
}
