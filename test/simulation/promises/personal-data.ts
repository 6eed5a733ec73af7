import { externalIdMarker, markerFinder, markerWords } from '#sandbox/scenario/common/marker-words.ts';
import { isState, keyOfState } from '#shared/entities/entity-row.ts';
import { onboardingIdOf } from '#shared/onboarding/onboarding-keys.ts';
import { isErased, readOnboarding } from '#shared/onboarding/onboarding-row.ts';
import { stepRow } from '#shared/onboarding/onboarding-steps.ts';
import type { Item } from '#test/simulation/aws/attribute-value.ts';
import type { SimulatedSystem } from '#test/simulation/system/simulated-system.ts';
import { keptEventTypes } from '#test/simulation/workload/plan-business.ts';
import type { PlannedPerson } from '#test/simulation/workload/plan-onboardings.ts';
import { entityViewOf } from './entities.ts';
import { erasedIds } from './erasures.ts';
import { isErasedPerson, personOn, requested, rowOf, textOf } from './onboardings.ts';
import type { BrokenPromise, FinalCheck } from './promise.ts';

/** Finds the markers in the persons of onboardings and in their externalIds. */
const namesPerson = markerFinder(markerWords);
const namesAnyPerson = markerFinder([...markerWords, externalIdMarker]);

/** Promise 8: no log line contains personal data of an onboarding. */
export function checkLineOfOnboarding(_: SimulatedSystem, line: string): BrokenPromise | undefined {
  return namesAnyPerson(line) ? { promise: 8, what: `A log line contains personal data: ${line}` } : undefined;
}

/** Promise 8: no bus event, message, response or ended row contains personal data. */
export const checkPersonalData: FinalCheck = (system) => {
  const { cloud, partner, plan } = system;
  const broken = checkNamed(system) ?? checkTimelines(system);
  if (plan.persons.length === 0 || broken !== undefined) return broken;
  const said = [
    ...cloud.eventBridge.published().map(({ detail }) => ({ where: 'on the bus', text: detail })),
    ...partner.answers().map(({ body }) => ({ where: 'in a response', text: body })),
    ...[...cloud.sent()].map((text) => ({ where: 'in a queue', text })),
  ];
  system.judged(8, said.length);
  // A delivery of the platform contains the externalId.
  const leak = said.find(({ text }) => (text.startsWith('{"deliveryId"') ? namesPerson(text) : namesAnyPerson(text)));
  if (leak !== undefined) return { promise: 8, what: `Personal data is ${leak.where}: ${leak.text}` };
  return checkRows(system) ?? checkErasures(system);
};

function checkRows({ cloud }: SimulatedSystem): BrokenPromise | undefined {
  const kept = cloud.dynamodb
    .table('onboardings')
    .all()
    .find((item) => {
      const row = readOnboarding(item);
      const isNeeded = !isErased(row) && !stepRow(row.state.step).final;
      return !isNeeded && namesAnyPerson(textOf(item));
    });
  if (kept !== undefined) return { promise: 8, what: 'An ended onboarding keeps personal data.' };
  const named = (['entities', 'events', 'checkpoints'] as const).find((table) =>
    // A delivery of the platform contains the externalId.
    cloud.dynamodb
      .table(table)
      .all()
      .some((item) => namesPerson(textOf(item))),
  );
  return named && { promise: 8, what: `Personal data of a person is in the table ${named}.` };
}

const tables = ['onboardings', 'entities', 'events', 'checkpoints'] as const;

/** Promise 8: no data of an erased person remains or returns. */
function checkErasures(system: SimulatedSystem): BrokenPromise | undefined {
  for (const planned of requested(system).filter((one) => isErasedPerson(system, one))) {
    const { externalId } = planned.request;
    const row = rowOf(system, externalId);
    if (row === undefined || !isErased(row))
      return { promise: 8, what: `${planned.name} was erased, and the onboarding exists again.` };
    // The externalId is that of another person, who is kept.
    if (row.isOfAnother === true) continue;
    const table = tables.find((name) =>
      system.cloud.dynamodb
        .table(name)
        .all()
        .some((item) => textOf(item).includes(externalId) && !isNamesake(item)),
    );
    if (table !== undefined) return { promise: 8, what: `${planned.name} was erased, and is in the table ${table}.` };
    const left = leftOf(system, planned);
    if (left !== undefined) return { promise: 8, what: `${planned.name} was erased, and the tables keep ${left}.` };
  }
  return undefined;
}

/** No event names a person id of an erasure. */
function checkNamed(system: SimulatedSystem): BrokenPromise | undefined {
  const rows = system.cloud.dynamodb.table('events').all();
  const ids = erasedIds(system);
  const left = rows.find((item) => !isNamesake(item) && ids.some((id) => textOf(item).includes(id)));
  return left && { promise: 8, what: `A person was erased, and is named by an event of ${left['eventType']?.S}.` };
}

/** No erased entity has a timeline, even after late events. */
function checkTimelines({ cloud }: SimulatedSystem): BrokenPromise | undefined {
  const items = cloud.dynamodb.table('entities').all();
  const erased = new Set(items.filter(({ erasedOn }) => erasedOn !== undefined).map(({ entity }) => entity?.S));
  const left = items.find((item) => !isState(item) && erased.has(item['entity']?.S));
  return left && { promise: 8, what: `${left['entity']?.S} was erased, and its timeline has an event.` };
}

/** Whether an event has the externalId of a person but is unrelated to the person. */
function isNamesake(item: Item): boolean {
  return keptEventTypes.has(item['eventType']?.S ?? '');
}

/** Whether the erasure knew the person, because the onboarding is erased last. Otherwise `store` erases the person later. */
function wasKnown({ cloud }: SimulatedSystem, id: string, externalId: string): boolean {
  const person = cloud.erasedAt('entities', keyOfState({ kind: 'natural-person', id }));
  const onboarding = cloud.erasedAt('onboardings', { onboardingId: { S: onboardingIdOf(externalId) } });
  return person !== undefined && onboarding !== undefined && person <= onboarding;
}

/**
 * The remaining data of a person and of its verifications under the platform's ids. Persons that the erasure did not know are
 * left out: an onboarding that is canceled immediately does not know a person that the platform had before, or another person
 * with the same externalId.
 */
function leftOf(system: SimulatedSystem, { request }: PlannedPerson): string | undefined {
  const id = personOn(system, request.externalId)?.naturalPersonId;
  if (id === undefined || !wasKnown(system, id, request.externalId)) return undefined;
  const { cloud, platform } = system;
  const names = cloud.dynamodb
    .table('events')
    .all()
    .find((item) => textOf(item).includes(id));
  if (names !== undefined) return `an event that names it: ${names['eventType']?.S}`;
  const live = platform.core.verifications
    .of(id)
    .map((one) => one.identificationVerificationId)
    .find(
      (verification) =>
        typeof entityViewOf(system, { kind: 'identification-verification', id: verification }) === 'object',
    );
  return live && `its verification ${live}`;
}
