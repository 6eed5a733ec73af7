import type { Platform } from '#sandbox/platform/app/platform.ts';
import type { NaturalPerson } from '#sandbox/platform/persons/natural-person-schema.ts';
import { type Check, checkEqual, checkNone, checkSome } from '#sandbox/scenario/common/checks.ts';
import type { PartnerActions, PerformedAction } from './partner-actions.ts';
import type { PartnerAction } from './personas.ts';
import { type PlannedOnboarding, updateOf } from './plan.ts';
import { personsByExternalId } from './platform-part.ts';

export type PartnerActionChecksProps = {
  readonly platform: Platform;
  readonly plan: readonly PlannedOnboarding[];
  readonly actions: Pick<PartnerActions, 'done'>;
  readonly onStep: (step: string) => void;
};

/** Checks the answers to all actions, and what the updates changed on the platform. */
export function checkPartnerActions({ platform, plan, actions, onStep }: PartnerActionChecksProps): readonly Check[] {
  const done = actions.done();
  const planned = (what: PartnerAction) =>
    plan.flatMap(({ persona }) => persona.actions ?? []).filter((action) => action.what === what).length;
  const performed = (what: PerformedAction['what']) => done.filter((one) => one.what === what).length;
  const wrong = done.filter(({ answered, expected }) => answered !== expected);
  for (const { planned: one, what, answered } of wrong) onStep(`  ${one.name}: ${what} was answered with ${answered}`);
  return [
    checkEqual('onboardings canceled by an operator', planned('cancel'), performed('cancel')),
    checkEqual('onboardings retried by an operator, for another video call', planned('retry'), performed('retry')),
    checkSome('onboardings stopped by a refusal of the platform, then fixed and retried', performed('fix')),
    ...checkUpdates(platform, planned('update'), done),
    checkNone(`wrong answers to ${done.length} cancels, retries, updates and erasures`, wrong.length),
    checkEqual('persons erased', planned('erase'), performed('erase')),
  ];
}

/** Checks that the platform shows each accepted update and no refused one. */
function checkUpdates(platform: Platform, planned: number, done: readonly PerformedAction[]): readonly Check[] {
  const persons = personsByExternalId(platform);
  const updates = done.filter(({ what }) => what === 'update');
  const accepted = updates.filter(({ answered }) => answered === 202);
  const isRight = ({ planned: { request }, answered }: PerformedAction) => {
    const [person] = persons.get(request.externalId) ?? [];
    return person !== undefined && hasUpdate(person, request) === (answered === 202);
  };
  return [
    checkEqual('updates of persons', planned, updates.length),
    checkEqual(
      `  with the right data on the platform: ${accepted.length} accepted, ${updates.length - accepted.length} refused`,
      updates.length,
      updates.filter(isRight).length,
    ),
  ];
}

function hasUpdate({ lastName, profession, contact }: NaturalPerson, request: PlannedOnboarding['request']): boolean {
  const { naturalPersonUpdateData: data } = updateOf(request);
  return lastName === data.lastName && profession === data.profession && contact?.email === data.contact.email;
}
