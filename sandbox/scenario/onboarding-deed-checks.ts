import type { NaturalPerson } from '#sandbox/platform/persons/natural-person-schema.ts';
import type { Platform } from '#sandbox/platform/platform.ts';
import type { Sandbox } from '#sandbox/sandbox.ts';
import { sideBySide } from '#shared/side-by-side.ts';
import { type Check, checkEqual, checkNone, checkSome } from './checks.ts';
import { readAllEvents } from './first-webhooks.ts';
import type { Deeds, Done } from './onboarding-deeds.ts';
import { countErasedLate, erasedPersonsOf, type LateWebhooks, remainsOf } from './onboarding-erasure.ts';
import type { Deed } from './onboarding-fates.ts';
import { personsByExternalId } from './onboarding-lives.ts';
import type { Partner } from './onboarding-partner.ts';
import type { PlannedOnboarding } from './onboarding-plan.ts';
import { updateOf } from './onboarding-request.ts';
import { readTables } from './read-tables.ts';

export type DeedChecksProps = {
  readonly sandbox: Pick<Sandbox, 'host' | 'platform'>;
  readonly plan: readonly PlannedOnboarding[];
  readonly partner: Pick<Partner, 'read' | 'post'>;
  readonly deeds: Pick<Deeds, 'done' | 'isErased'>;
  readonly late: LateWebhooks;
  readonly onStep: (step: string) => void;
};

/** Asked at once. */
const concurrency = 8;

/** What the partner's people did, and what came of it. To be looked at last, since nothing must bring an erased person back. */
export async function checkDeeds(props: DeedChecksProps): Promise<readonly Check[]> {
  const { sandbox, plan, deeds, onStep } = props;
  const done = deeds.done();
  const planned = (what: Deed) =>
    plan.flatMap(({ fate }) => fate.deeds ?? []).filter((deed) => deed.what === what).length;
  const number = (what: Done['what']) => done.filter((one) => one.what === what).length;
  const wrong = done.filter(({ answered, expected }) => answered !== expected);
  for (const { planned: one, what, answered } of wrong) onStep(`  ${one.name}: ${what} was answered ${answered}`);
  return [
    checkEqual('canceled by an operator', planned('cancel'), number('cancel')),
    checkEqual('retried by an operator, for another video call', planned('retry'), number('retry')),
    checkSome('stopped by what the platform refused; mended and retried', number('mend')),
    ...checkUpdates(sandbox.platform, planned('update'), done),
    checkNone(`wrong answers to ${done.length} cancels, retries, updates and erasures`, wrong.length),
    checkEqual('persons erased', planned('erase'), number('erase')),
    ...(await checkErased(props)),
  ];
}

/** Whether each update shows on the platform where it was taken, and none where it was refused. */
function checkUpdates(platform: Platform, planned: number, done: readonly Done[]): readonly Check[] {
  const persons = personsByExternalId(platform);
  const updates = done.filter(({ what }) => what === 'update');
  const taken = updates.filter(({ answered }) => answered === 202);
  const isRight = ({ planned: { request }, answered }: Done) => {
    const [person] = persons.get(request.externalId) ?? [];
    return person !== undefined && shows(person, request) === (answered === 202);
  };
  return [
    checkEqual('updates of persons', planned, updates.length),
    checkEqual(
      `  of ${taken.length} that were taken and ${updates.length - taken.length} refused, so on the platform`,
      updates.length,
      updates.filter(isRight).length,
    ),
  ];
}

function shows({ lastName, profession, contact }: NaturalPerson, request: PlannedOnboarding['request']): boolean {
  const { naturalPersonUpdateData: data } = updateOf(request);
  return lastName === data.lastName && profession === data.profession && contact?.email === data.contact.email;
}

/** Of an erased person nobody here knows anything any more, nor takes it on again; not after late webhooks, either. */
async function checkErased({
  sandbox,
  plan,
  partner,
  deeds,
  late,
  onStep,
}: DeedChecksProps): Promise<readonly Check[]> {
  const { host, platform } = sandbox;
  const persons = erasedPersonsOf(platform, plan, deeds);
  const remains = remainsOf(await readTables(host), persons);
  for (const { table } of remains) onStep(`  the table ${table} holds something of an erased person`);
  const erased = plan.filter(({ request }) => deeds.isErased(request.externalId));
  const known = await sideBySide(erased, concurrency, async ({ request }) => [
    (await partner.read(request.externalId)) !== 'erased',
    (await partner.post(request)) !== 410,
  ]);
  const shown = await sideBySide(
    persons.flatMap(({ platformIds }) => platformIds),
    concurrency,
    async (id) =>
      (await isShown(host.place.apiOrigin, 'natural-person', id)) ||
      (await isShown(host.place.apiOrigin, 'identification-verification', id)),
  );
  return [
    checkEqual(
      '  webhooks that came late, and were erased at once',
      late.webhooks,
      countErasedLate(await readAllEvents(host), late),
    ),
    checkNone('  items of any table that hold something of them', remains.length),
    checkNone('  entities of theirs that are shown', shown.filter(Boolean).length),
    checkNone('  onboardings of theirs that are shown, or begin anew', known.flat().filter(Boolean).length),
  ];
}

async function isShown(apiOrigin: string, kind: string, id: string): Promise<boolean> {
  const { status } = await fetch(`${apiOrigin}/entities/${kind}/${id}`);
  return status !== 404;
}
