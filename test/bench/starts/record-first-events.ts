import { setTimeout as wait } from 'node:timers/promises';
import type { Sandbox } from '#sandbox/sandbox.ts';
import { waitUntilStored } from '#sandbox/scenario/common/event-store.ts';
import { createPartner, OnboardingApiError, onboardingView } from '#sandbox/scenario/onboarding/partner.ts';
import { orderBody, orderType } from '#test/bench/webhooks.ts';
import { sampleIdentification, samplePerson } from '#test/shared/platform/resources/sample-persons.ts';

/** The first event of each function, as JSON, by its name. */
export type FirstEvents = Map<string, string>;

/** How long a function may take to get an event. */
const deadlineMs = 60_000;

const orderId = 'bench-first-event';
const externalId = 'bench-first-event';

/**
 * Lets each function of the laptop do what it is for, so that `events` has an event of each. Every event can be handled again: the
 * functions are idempotent.
 *
 * @throws {RangeError} when a function of the stacks gets no event
 */
export async function recordFirstEvents(
  { host, platform }: Pick<Sandbox, 'host' | 'platform'>,
  events: FirstEvents,
): Promise<void> {
  const partner = createPartner({ host, onAnswer: () => undefined });
  const { externalId: _, ...person } = samplePerson;

  await platform.deliveries.deliver(orderType, Buffer.from(orderBody(orderId, 0)));
  await waitUntilStored(host);
  expectStatus(200, (await fetch(`${host.place.apiOrigin}/entities/order/${orderId}`)).status);

  expectStatus(202, await partner.post({ externalId, person, identification: { mode: 'video' } }));
  // The platform refuses an update of a person that is not ACTIVE yet.
  const active = { externalId: `${externalId}-active`, person };
  await partner.publish({ ...active, identification: { ...sampleIdentification, mode: 'supplied' } });
  await until(
    async () => onboardingView.safeParse(await partner.read(active.externalId)).data?.step === 'COMPLETED',
    () => 'an onboarding to be COMPLETED',
  );
  const update = { naturalPersonUpdateData: { contact: { phone: '+4930123456' } } };
  expectStatus(202, (await partner.update(active.externalId, update)).status);
  const stranger = `${externalId}-unknown?naturalPersonId=00000000-0000-4000-9000-000000000000`;
  expectStatus(204, (await fetch(`${host.place.apiOrigin}/persons/${stranger}`, { method: 'DELETE' })).status);

  for (const { runNow } of host.schedules.all) await runNow();
  await host.functions.find('replay')?.invoke('{"mode":"count"}');

  const missing = () => host.functions.functions.map(({ name }) => name).filter((name) => !events.has(name));
  await until(
    () => Promise.resolve(missing().length === 0),
    () => `an event for ${missing().join(', ')}`,
  );
  await waitUntilStored(host);
}

function expectStatus(expected: number, status: number): void {
  if (status !== expected)
    throw new OnboardingApiError(`The laptop answered ${status} and not ${expected}. Read the log of the functions.`);
}

async function until(isDone: () => Promise<boolean>, what: () => string): Promise<void> {
  const giveUpAt = Date.now() + deadlineMs;
  while (!(await isDone())) {
    if (Date.now() > giveUpAt) throw new RangeError(`The laptop took too long: the bench waits for ${what()}.`);
    await wait(50);
  }
}
