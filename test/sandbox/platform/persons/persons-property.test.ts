import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { naturalPerson } from '#sandbox/platform/persons/natural-person-schema.ts';
import {
  type NaturalPersonStatus,
  naturalPersonStatus,
  naturalPersonTransitions,
} from '#sandbox/platform/persons/natural-person-status.ts';
import { identificationVerification } from '#sandbox/platform/verifications/identification-verification-schema.ts';
import {
  identificationVerificationTransitions,
  stageOf,
} from '#sandbox/platform/verifications/identification-verification-status.ts';
import { compareTimestamps } from '#shared/platform/fields/timestamp.ts';
import { idCard, nobody, startPersons, type TestPersons } from './persons-fixture.ts';

type History = readonly { readonly status: string; readonly since: string }[];

/** The histories that were seen so far: what is purged cannot be looked up any more. */
type Seen = { readonly persons: Map<string, History>; readonly verifications: Map<string, History> };

const isLegalPersonChange = (from: string, to: string) =>
  naturalPersonTransitions[from as NaturalPersonStatus].some((next) => next === to);
const isLegalVerificationChange = (from: string, to: string) =>
  identificationVerificationTransitions[stageOf(from)].includes(stageOf(to));

/** Persons and verifications by their number: some are none. */
type Ids = { readonly person: (number: number) => string; readonly verification: (number: number) => string };

/** A call of the API or of the control API, legal or not. */
type Call = { readonly make: (persons: TestPersons, ids: Ids) => Promise<{ readonly status: number }> };

/** Calls that say what they are when one is found that breaks a rule. */
function callsOf<Given>(
  name: string,
  given: fc.Arbitrary<Given>,
  make: (given: Given, persons: TestPersons, ids: Ids) => Promise<{ readonly status: number }>,
): fc.Arbitrary<Call> {
  return given.map((one) => ({
    make: (persons: TestPersons, ids: Ids) => make(one, persons, ids),
    [fc.toStringMethod]: () => `${name} ${fc.stringify(one)}`,
  }));
}

const number = fc.nat({ max: 4 });
/** Mostly the first, which represents all others. */
const requestor = fc.oneof({ weight: 3, arbitrary: fc.constant(0) }, number);
const seconds = fc.constantFrom(0, 0.5, 1, 2, 60);
const externalId = fc.option(fc.constantFrom('a', 'b', 'c'), { nil: undefined });
const birthDay = fc.constantFrom('1990-02-03', '1990-02-03', '2020-02-03');
const personWord = fc.constantFrom('ACTIVE', 'CREATED', ...naturalPersonStatus.options);
const callWord = fc.constantFrom('APPROVED', 'DECLINED', 'PENDING', 'no word');
const verifier = fc.constantFrom('EXTERNAL_VERIFIER_ID', 'EXTERNAL_VERIFIER_ID', 'ANOTHER_VENDOR');
const date = fc.constantFrom('2026-11-01', '2020-01-01');
const weightsOf = (...words: readonly string[]) =>
  fc.record(Object.fromEntries(words.map((word) => [word, fc.nat({ max: 2 })])), { requiredKeys: [] });

/** In seconds. Less than the 48 hours after which an INVALID person goes: none becomes INVALID and goes unseen. */
const longAdvance = 47 * 3_600;

const settings = fc.record(
  {
    checkOutcomes: weightsOf('CREATED', 'REVIEW', 'INVALID', 'REJECTED', 'ACTIVE'),
    videoCallOutcomes: weightsOf('APPROVED', 'DECLINED', 'PENDING'),
    acceptSelfBeforeActive: fc.boolean(),
    checksAfter: seconds,
    identificationsAfter: seconds,
    activationsAfter: seconds,
    identificationUrlAfter: seconds,
    videoCallsAfter: fc.option(seconds),
    updatesAfter: seconds,
  },
  { requiredKeys: [] },
);

const call = fc.oneof(
  callsOf('create', fc.record({ externalId, birthDay }), (data, persons) => persons.create(data)),
  callsOf('make', fc.record({ externalId, birthDay, status: personWord }), (body, persons) =>
    persons.request('POST', '/control/natural-persons', { body }),
  ),
  callsOf('status', fc.tuple(number, personWord), ([one, word], persons, { person }) =>
    persons.setStatus(person(one), word),
  ),
  callsOf('proxy', fc.tuple(number, number), ([one, other], persons, { person }) =>
    persons.proxy(person(one), person(other)),
  ),
  callsOf('update', fc.tuple(requestor, number, externalId), ([one, other, id], persons, { person }) =>
    persons.update(person(one), person(other), { naturalPersonUpdateData: { externalId: id } }),
  ),
  callsOf('identify', fc.tuple(requestor, number, date), ([one, other, identificationDate], persons, { person }) =>
    persons.identify(person(one), person(other), { ...idCard, identificationDate }),
  ),
  callsOf('verify', fc.tuple(requestor, number, verifier), ([one, other, externalVerifier], persons, { person }) =>
    persons.createVerification(person(one), { naturalPersonId: person(other), externalVerifier }),
  ),
  callsOf('getVerification', fc.tuple(requestor, number), ([one, other], persons, { person, verification }) =>
    persons.getVerification(person(one), verification(other)),
  ),
  callsOf('listVerifications', requestor, (one, persons, { person }) => persons.listVerifications(person(one))),
  callsOf('endVideoCall', fc.tuple(number, callWord), ([one, word], persons, { verification }) =>
    persons.endVideoCall(verification(one), word),
  ),
  callsOf('settings', settings, (body, persons) => persons.request('PATCH', '/control/settings', { body })),
  callsOf('advance', fc.constantFrom(0.5, 1, 2, 60, longAdvance), (time, persons) =>
    persons.request('POST', '/control/clock/advance', { body: { seconds: time } }),
  ),
);

const everything = { limit: 1_000 };
const hours48 = 48 * 3_600_000;

/** Holds what the platform has now, and has no more, against the tables; remembers it. Gives what is wrong. */
function findFaults({ persons, verifications, clock }: TestPersons, seen: Seen): readonly string[] {
  const now = clock.now().getTime();
  const isPurgeable = (history: History) => {
    const last = history.at(-1);
    return last?.status === 'INVALID' && Date.parse(last.since) + hours48 <= now;
  };
  const persistent = persons.list(everything).data.flatMap(({ naturalPersonId: id, naturalPersonStatus }) => {
    const history = persons.historyOf(id);
    const faults = faultsOf(history, naturalPersonStatus, isLegalPersonChange, seen.persons.get(id));
    seen.persons.set(id, history);
    return isPurgeable(history) ? [...faults, 'INVALID for 48 hours, but not purged'] : faults;
  });
  const purged = [...seen.persons]
    .filter(([id, history]) => persons.statusOf(id) === undefined && !isPurgeable(history))
    .map(([, history]) => `purged, although ${history.at(-1)?.status}`);
  const verified = verifications
    .list(everything, () => true)
    .data.flatMap((verification) => {
      const { identificationVerificationId: id, status } = verification;
      const history = verifications.historyOf(id);
      const faults = faultsOf(history, status, isLegalVerificationChange, seen.verifications.get(id));
      seen.verifications.set(id, history);
      return faults;
    });
  return [...persistent, ...purged, ...verified];
}

/** A history begins with RECEIVED, has legal changes only, each later than the last, and never changes afterwards. */
function faultsOf(
  history: History,
  status: string,
  isLegal: (from: string, to: string) => boolean,
  before: History = [],
): readonly string[] {
  const changes = history.map((to, index) => ({ from: history[index - 1], to }));
  const illegal = changes.filter(({ from, to }) =>
    from === undefined
      ? to.status !== 'RECEIVED'
      : !isLegal(from.status, to.status) || compareTimestamps(from.since, to.since) >= 0,
  );
  return [
    ...illegal.map(({ from, to }) => `from ${JSON.stringify(from)} to ${JSON.stringify(to)}`),
    ...(history.at(-1)?.status === status ? [] : [`shown as ${status}, not ${history.at(-1)?.status}`]),
    ...(before.every((one, index) => history[index]?.since === one.since) ? [] : ['rewritten']),
  ];
}

/** What the API says of all of them, field by field. */
async function checkAnswers(persons: TestPersons): Promise<void> {
  const { body } = await persons.send('GET', '/entities/natural-persons?limit=1000');
  const { data } = z.object({ data: z.array(naturalPerson) }).parse(body);
  for (const person of data) expect(person).toEqual(persons.persons.get(person.naturalPersonId));
  for (const verification of persons.verifications.list(everything, () => true).data)
    expect(identificationVerification.safeParse(verification).error).toBeUndefined();
}

describe('sandbox platform: persons under random calls and delays', () => {
  it('keeps every person and verification within the tables of sections 3.1 and 3.2, and never fails', async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat(), fc.array(call, { minLength: 20, maxLength: 80 }), async (seed, calls) => {
        const persons = startPersons({ seed });
        const seen: Seen = { persons: new Map(), verifications: new Map() };
        const ids: Ids = {
          person: (index) => [...seen.persons.keys()][index] ?? nobody,
          verification: (index) => [...seen.verifications.keys()][index] ?? nobody,
        };
        persons.settings.change({ representativeId: await persons.madeId() });
        await persons.createdId();
        for (const { make } of calls) {
          const { status } = await make(persons, ids);
          expect([200, 202, 400, 404, 409, 501]).toContain(status);
          expect(findFaults(persons, seen)).toEqual([]);
        }
        await checkAnswers(persons);
        expect(persons.errors).toEqual([]);
      }),
      { numRuns: 50 },
    );
  });
});
