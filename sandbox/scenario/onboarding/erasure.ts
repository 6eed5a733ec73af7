import type { Platform } from '#sandbox/platform/app/platform.ts';
import { identificationVerificationNotification } from '#sandbox/platform/verifications/notifications.ts';
import type { Sandbox } from '#sandbox/sandbox.ts';
import { type Check, checkEqual, checkNone } from '#sandbox/scenario/common/checks.ts';
import { readAllEvents } from '#sandbox/scenario/common/event-store.ts';
import type { EventRow } from '#shared/events/event-row.ts';
import { mapConcurrent } from '#shared/map-concurrent.ts';
import { onboardingIdOf } from '#shared/onboarding/onboarding-keys.ts';
import type { Partner } from './partner.ts';
import type { PartnerActions } from './partner-actions.ts';
import type { PlannedOnboarding } from './plan.ts';
import { personsByExternalId } from './platform-part.ts';
import { type ItemText, readTables } from './read-tables.ts';

/** A person that Drawbridge has erased. The platform still has the person. */
export type ErasedPerson = {
  readonly externalId: string;
  readonly onboardingId: string;
  /** The first name in the request: no other request has this name. */
  readonly firstName: string;
  /** The platform's ids of the person and of the person's verifications. */
  readonly platformIds: readonly string[];
};

/** Webhooks that the platform sends about erased persons. @property since the platform's time of the first */
export type LateWebhooks = { readonly webhooks: number; readonly since: Date };

/** One webhook of each type is sent for each erased person. The second names the person and belongs to no entity. */
const lateTypes: readonly string[] = ['NATURAL_PERSON_NOTIFICATION', 'CUSTOMER_NOTIFICATION'];

const readConcurrency = 8;

/** Makes the platform send webhooks about each erased person, and repeat the last one of each verification. */
export function sendLateWebhooks(
  platform: Platform,
  plan: readonly PlannedOnboarding[],
  { isErased }: Pick<PartnerActions, 'isErased'>,
): LateWebhooks {
  const since = platform.clock.now();
  const all = personsByExternalId(platform);
  const persons = plan.flatMap(({ request: { externalId } }) =>
    isErased(externalId) ? (all.get(externalId) ?? []) : [],
  );
  for (const { naturalPersonId, externalId } of persons) {
    platform.persons.update(naturalPersonId, { maritalStatus: 'MARRIED' });
    platform.deliveries.notify('CUSTOMER_NOTIFICATION', { naturalPersonId, externalId, notificationType: 'UPDATED' });
    for (const one of platform.verifications.of(naturalPersonId))
      platform.deliveries.notify(
        'IDENTIFICATION_VERIFICATION_NOTIFICATION',
        identificationVerificationNotification(one, { notificationType: 'UPDATED' }),
      );
  }
  return { webhooks: persons.length * lateTypes.length, since };
}

/** Counts the late webhooks that were erased when they were stored. */
function countErasedLate(events: readonly EventRow[], { since }: Pick<LateWebhooks, 'since'>): number {
  const isLate = ({ eventType, receivedOn, erasedOn }: EventRow) =>
    lateTypes.includes(eventType) && erasedOn !== undefined && Date.parse(receivedOn) >= since.getTime();
  return events.filter(isLate).length;
}

export function erasedPersonsOf(
  platform: Platform,
  plan: readonly PlannedOnboarding[],
  { isErased }: Pick<PartnerActions, 'isErased'>,
): readonly ErasedPerson[] {
  const all = personsByExternalId(platform);
  return plan
    .filter(({ request }) => isErased(request.externalId))
    .map(({ request: { externalId, person } }) => ({
      externalId,
      onboardingId: onboardingIdOf(externalId),
      firstName: person.firstName,
      platformIds: (all.get(externalId) ?? []).flatMap(({ naturalPersonId }) => [
        naturalPersonId,
        ...platform.verifications.of(naturalPersonId).map((one) => one.identificationVerificationId),
      ]),
    }));
}

/**
 * Finds what the tables still hold of erased persons: every item that names one. Records of the erasure itself are allowed
 * to name the person by ids of the platform or of the onboarding.
 */
export function remainsOf(items: readonly ItemText[], persons: readonly ErasedPerson[]): readonly ItemText[] {
  const personal = persons.flatMap(({ externalId, firstName }) => [externalId, firstName]);
  const ids = persons.flatMap(({ onboardingId, platformIds }) => [onboardingId, ...platformIds]);
  const holds = (text: string, words: readonly string[]) => words.some((word) => text.includes(word));
  return items.filter(({ text, isErased }) => holds(text, personal) || (!isErased && holds(text, ids)));
}

export type ErasureChecksProps = {
  readonly sandbox: Pick<Sandbox, 'host' | 'platform'>;
  readonly plan: readonly PlannedOnboarding[];
  readonly partner: Pick<Partner, 'read' | 'post'>;
  readonly actions: Pick<PartnerActions, 'isErased'>;
  readonly late: LateWebhooks;
  readonly onStep: (step: string) => void;
};

/** Checks that nothing of an erased person is stored or shown, and that no late webhook or request brings one back. */
export async function checkErasures(props: ErasureChecksProps): Promise<readonly Check[]> {
  const { sandbox, plan, partner, actions, late, onStep } = props;
  const { host, platform } = sandbox;
  const persons = erasedPersonsOf(platform, plan, actions);
  const remains = remainsOf(await readTables(host), persons);
  for (const { table } of remains) onStep(`  the table ${table} holds data of an erased person`);
  const erased = plan.filter(({ request }) => actions.isErased(request.externalId));
  const known = await mapConcurrent(erased, readConcurrency, async ({ request }) => [
    (await partner.read(request.externalId)) !== 'erased',
    (await partner.post(request)) !== 410,
  ]);
  const shown = await mapConcurrent(
    persons.flatMap(({ platformIds }) => platformIds),
    readConcurrency,
    async (id) =>
      (await isShown(host.place.apiOrigin, 'natural-person', id)) ||
      (await isShown(host.place.apiOrigin, 'identification-verification', id)),
  );
  return [
    checkEqual(
      '  late webhooks that were erased when they were stored',
      late.webhooks,
      countErasedLate(await readAllEvents(host), late),
    ),
    checkNone('  table items that hold data of an erased person', remains.length),
    checkNone('  entities of an erased person that the API returns', shown.filter(Boolean).length),
    checkNone(
      '  onboardings of an erased person that the API returns or restarts',
      known.flat().filter(Boolean).length,
    ),
  ];
}

async function isShown(apiOrigin: string, kind: string, id: string): Promise<boolean> {
  const { status } = await fetch(`${apiOrigin}/entities/${kind}/${id}`);
  return status !== 404;
}
