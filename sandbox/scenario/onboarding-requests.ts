import { sideBySide } from '#shared/side-by-side.ts';
import { externalIdCanary } from './canary.ts';
import type { Partner } from './onboarding-partner.ts';
import type { PlannedOnboarding } from './onboarding-plan.ts';

/** Requests under way at once. */
const concurrency = 8;

/** Requests onboardings, each as it is planned. Those of the API are taken in when it resolves. */
export async function requestOnboardings(partner: Partner, planned: readonly PlannedOnboarding[]): Promise<void> {
  await sideBySide(planned, concurrency, async ({ request, isByEvent }) => {
    if (isByEvent) await partner.publish(request);
    else await partner.post(request);
  });
}

/** What was asked for otherwise than it should be, and answered with another status than it must be. */
export type MisusesAnswered = { readonly asked: number; readonly wrong: number };

/** Asks again for what is onboarded already, as it was and with other data; and for what cannot be. */
export async function misuse(partner: Partner, planned: readonly PlannedOnboarding[]): Promise<MisusesAnswered> {
  const statuses = await sideBySide(planned, concurrency, async ({ request }) => {
    const { person, externalId } = request;
    const differing = { ...request, person: { ...person, lastName: `${person.lastName}-Beispiel` } };
    const broken = {
      ...request,
      externalId: externalId.replace(externalIdCanary, `${externalIdCanary}-broken`),
      person: { ...person, firstName: `${person.firstName}  `, [person.lastName]: person.lastName },
    };
    await partner.publish(broken);
    await partner.publish(differing);
    return [
      { expected: 202, found: await partner.post(request) },
      { expected: 409, found: await partner.post(differing) },
      { expected: 400, found: await partner.post(broken) },
    ];
  });
  const answers = statuses.flat();
  return { asked: answers.length, wrong: answers.filter(({ expected, found }) => expected !== found).length };
}
