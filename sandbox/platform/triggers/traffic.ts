import { madeUpPerson } from '#sandbox/platform/persons/made-up-person.ts';
import { makeReadyPerson } from '#sandbox/platform/persons/ready-person.ts';
import { type LifeCycleDeps, lifeCycles } from './life-cycles.ts';

export type TrafficDeps = LifeCycleDeps & {
  /** Repeats work each so many milliseconds of real time, until the returned function is called. */
  readonly repeat: (milliseconds: number, work: () => void) => () => void;
  readonly onError: (error: unknown) => void;
};

/** Begins the onboarding of a made-up person, as a partner does. */
export type Onboard = (externalId: string, person: ReturnType<typeof madeUpPerson>) => Promise<void>;

export type TrafficState = {
  /** How many onboardings, orders and transfers begin per second; 0: none. */
  readonly perSecond: number;
  readonly onboardings: number;
  readonly orders: number;
  readonly transfers: number;
};

export type Traffic = ReturnType<typeof createTraffic>;

/** At most this number of persons trade, so that the platform stays small. */
const maxTraders = 50;

/** Life in the background: persons are onboarded, trade and transfer money, with an occasional failure. */
export function createTraffic({ repeat, onError, ...deps }: TrafficDeps) {
  const { random, persons, accounts, newId } = deps;
  let state: TrafficState = { perSecond: 0, onboardings: 0, orders: 0, transfers: 0 };
  let end: () => void = () => undefined;
  let onboard: Onboard | undefined;

  const count = (what: 'onboardings' | 'orders' | 'transfers') => {
    state = { ...state, [what]: state[what] + 1 };
  };

  function trader(): string {
    const { data } = persons.list({ limit: maxTraders }, { status: 'ACTIVE' });
    const found = data[Math.floor(random() * data.length)]?.naturalPersonId;
    const naturalPersonId = found ?? makeReadyPerson(deps, {}, 'ACTIVE').naturalPersonId;
    if (accounts.read(naturalPersonId).cash < 100_000n) accounts.set(naturalPersonId, { cash: 1_000_000n });
    return naturalPersonId;
  }

  function act(): void {
    const dice = random();
    const chosen = { naturalPersonId: trader() };
    if (dice < 0.15) {
      count('onboardings');
      if (onboard === undefined) makeReadyPerson(deps, {}, 'ACTIVE');
      else onboard(`traffic-${newId()}`, madeUpPerson(random)).catch(onError);
    } else if (dice < 0.7) {
      count('orders');
      lifeCycles[dice < 0.6 ? 'order.settled' : 'order.rejected'].run(deps, { ...chosen, quantity: 1 });
    } else {
      count('transfers');
      lifeCycles[dice < 0.85 ? 'transfer.received' : 'transfer.settled'].run(deps, { ...chosen, amount: 10 });
    }
  }

  function start(perSecond: number): void {
    end();
    state = { ...state, perSecond };
    end =
      perSecond === 0
        ? () => undefined
        : repeat(1_000 / perSecond, () => {
            try {
              act();
            } catch (error) {
              onError(error);
            }
          });
  }

  return {
    /** Begins, or changes the rate; 0 ends the traffic. */
    start,
    state: (): TrafficState => state,
    /** Onboards over Drawbridge from now on, instead of only on the platform. */
    onboardBy: (by: Onboard): void => {
      onboard = by;
    },
  };
}
