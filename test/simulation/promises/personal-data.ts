import { canaries, canaryFinder, externalIdCanary } from '#sandbox/scenario/common/canary.ts';
import { isState, keyOfState, readState } from '#shared/entities/entity-row.ts';
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

/** What is planted in the persons of onboardings, and in their externalIds. */
const namesPerson = canaryFinder(canaries);
const namesAnyPerson = canaryFinder([...canaries, externalIdCanary]);

/** Promise 8: no personal data of an onboarding in a line. */
export function checkLineOfOnboarding(_: SimulatedSystem, line: string): BrokenPromise | undefined {
  return namesAnyPerson(line) ? { promise: 8, what: `Personal data is written: ${line}` } : undefined;
}

/** Promise 8: nor on the bus, in a queue, in an answer, or in a row that does not need it any more. */
export const checkPersonalData: FinalCheck = (system) => {
  const { cloud, partner, plan } = system;
  const broken = checkNamed(system) ?? checkTimelines(system);
  if (plan.persons.length === 0 || broken !== undefined) return broken;
  const said = [
    ...cloud.eventBridge.published().map(({ detail }) => ({ where: 'on the bus', text: detail })),
    ...partner.answers().map(({ body }) => ({ where: 'in an answer', text: body })),
    ...[...cloud.sent()].map((text) => ({ where: 'in a queue', text })),
  ];
  // What the platform delivers has the externalId in it.
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
  if (kept !== undefined) return { promise: 8, what: 'An onboarding that has ended keeps personal data.' };
  const named = (['entities', 'events', 'checkpoints'] as const).find((table) =>
    // Of what the platform delivers the externalId is a part.
    cloud.dynamodb
      .table(table)
      .all()
      .some((item) => namesPerson(textOf(item))),
  );
  return named && { promise: 8, what: `Personal data of a person is in the table ${named}.` };
}

const tables = ['onboardings', 'entities', 'events', 'checkpoints'] as const;

/** Promise 8: of an erased person nothing is left, nor comes back. */
function checkErasures(system: SimulatedSystem): BrokenPromise | undefined {
  for (const planned of requested(system).filter((one) => isErasedPerson(system, one))) {
    const { externalId } = planned.request;
    const row = rowOf(system, externalId);
    if (row === undefined || !isErased(row)) return { promise: 8, what: `${planned.name} was erased, and is back.` };
    const table = tables.find((name) =>
      system.cloud.dynamodb
        .table(name)
        .all()
        .some((item) => textOf(item).includes(externalId) && !isNamesake(item)),
    );
    if (table !== undefined) return { promise: 8, what: `${planned.name} was erased, and is in the table ${table}.` };
    const left = leftOf(system, planned);
    if (left !== undefined) return { promise: 8, what: `${planned.name} was erased, and there is ${left}.` };
  }
  return undefined;
}

/** What is left under the ids that erasures named. */
function checkNamed(system: SimulatedSystem): BrokenPromise | undefined {
  const rows = system.cloud.dynamodb.table('events').all();
  const ids = erasedIds(system);
  const left = rows.find((item) => !isNamesake(item) && ids.some((id) => textOf(item).includes(id)));
  return left && { promise: 8, what: `A person was erased, and is named by an event of ${left['eventType']?.S}.` };
}

/** What is erased has no timeline, whatever came late. */
function checkTimelines({ cloud }: SimulatedSystem): BrokenPromise | undefined {
  const items = cloud.dynamodb.table('entities').all();
  const erased = new Set(items.filter(({ erasedOn }) => erasedOn !== undefined).map(({ entity }) => entity?.S));
  const left = items.find((item) => !isState(item) && erased.has(item['entity']?.S));
  return left && { promise: 8, what: `${left['entity']?.S} was erased, and its timeline has an event.` };
}

/** An event that has the externalId of a person, and speaks of something else. */
function isNamesake(item: Item): boolean {
  return keptEventTypes.has(item['eventType']?.S ?? '');
}

/** Whether the erasure knew the person: the onboarding goes last. If not, `store` erases it by its externalId later on. */
function wasKnown(system: SimulatedSystem, id: string, externalId: string): boolean {
  const item = system.cloud.dynamodb.table('entities').get(keyOfState({ kind: 'natural-person', id }));
  const state = item && readState(item);
  const row = rowOf(system, externalId);
  if (state === undefined || 'known' in state || row === undefined || !isErased(row)) return false;
  return Date.parse(state.erasedOn) <= Date.parse(row.erasedOn);
}

/**
 * What is left of a person under the platform's ids: of its verifications too, whoever had heard of them, and when. Not of one
 * that the erasure was not told of: of a person that the platform had before, an onboarding that was canceled at once knows
 * nothing; nor of another one that has its externalId.
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
