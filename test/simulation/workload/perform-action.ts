import type { Flaw } from '#sandbox/platform/webhooks/undelivered-webhooks.ts';
import type { NotifiedEvent } from '#test/simulation/promises/promise.ts';
import type { SimulatedSystem } from '#test/simulation/system/simulated-system.ts';
import { operate, performPersonAction } from './operate.ts';
import { type ForeignRecordAction, foreignDelivery } from './plan-foreign-records.ts';
import type { Action, Disturbance } from './plan-workload.ts';

/**
 * Performs a planned action.
 *
 * @param onNotified receives each event of a registered event type
 */
export async function performAction(
  system: SimulatedSystem,
  action: Action,
  onNotified: (event: Omit<NotifiedEvent, 'number'>) => void,
): Promise<void> {
  const { platform, scheduler, trace } = system;
  trace('history', action.what);
  if (action.type === 'notify') {
    const { eventType, body } = action;
    if (platform.core.registrations.get(eventType) === undefined) return;
    onNotified({ eventType, body });
    await scheduler.runAs(platform.owner, () => notify(system, eventType, body));
  } else if (action.type === 'person') await performPersonAction(system, action);
  else if (action.type === 'operate') operate(system, action);
  else if (action.type === 'onboard') void system.partner.onboard(action.person);
  else if (action.type === 'erase') void system.partner.eraseUnknown(action);
  else if (action.type === 'report') await system.report(action.externalId);
  else if (action.type === 'roll back') rollBack(system);
  else if (action.type === 'restore') restore(system, action.eventType);
  else if (action.type === 'fail elsewhere') failElsewhere(system, action);
  else if (action.type === 'forge') forge(system, action.secret, action.body);
  else await disturb(system, action.disturbance, action.duration);
}

function notify({ platform }: SimulatedSystem, eventType: string, body: string): void {
  const { deliveries, settings } = platform.core;
  const resource = parse(body);
  // A body that JSON does not preserve is delivered byte for byte.
  if (resource === undefined || JSON.stringify(resource) !== body)
    return void deliveries.deliver(eventType, Buffer.from(body));
  // The checks expect every planned webhook, so that its delivery must not be lost.
  const { deliveriesLost } = settings.read();
  if (deliveriesLost > 0) settings.change({ deliveriesLost: 0 });
  deliveries.notify(eventType, resource);
  if (deliveriesLost > 0) settings.change({ deliveriesLost });
}

function parse(body: string): Readonly<Record<string, unknown>> | undefined {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}

function forge({ gateway, environment }: SimulatedSystem, secret: 'none' | 'wrong', body: string): void {
  const forger = { name: 'forger', isAwake: () => true };
  const header = environment.secretHeader.toLowerCase();
  const headers = secret === 'none' ? {} : { [header]: 'wrong'.padEnd(64, '.') };
  gateway
    .deliver(forger, { eventType: 'TRANSFER_NOTIFICATION', headers, body: Buffer.from(body) })
    .catch(() => undefined);
}

/** Restores the registration from before the latest one. */
function restore({ platform, environment }: SimulatedSystem, eventType: string): void {
  const [before, current] = platform.registered.filter((one) => one.eventType === eventType).slice(-2);
  if (before === undefined || current === undefined) return;
  const headers = before.headers.map(({ name, value }) => ({ name, value }));
  platform.core.registrations.register({ eventType, url: `${environment.webhooksUrl}/${eventType}`, headers });
}

function rollBack({ cloud: { secretsManager }, platform }: SimulatedSystem): void {
  const [first] = secretsManager.versions('platform-token');
  if (first === undefined) return;
  const { accessToken } = JSON.parse(first.text);
  // Callers have a later token in their caches: none uses a revoked one until then, and reports it.
  const isRevoked = platform.tokens.get(accessToken)?.revokedAt !== undefined;
  if (!isRevoked) secretsManager.rollBack('platform-token', first.id);
}

function failElsewhere({ platform, scheduler, newId }: SimulatedSystem, action: ForeignRecordAction): void {
  const createdOn = new Date(scheduler.now()).toISOString();
  platform.core.undelivered.add(foreignDelivery(action, { createdOn, id: newId() }));
}

/** Invalid Unicode, which UTF-8 cannot encode. The text is part of the histories. */
const halfPair = 'half a pair \ud800';

/** Histories with these rotate the secret. */
export const rotationKinds = ['secret rotation', 'registration restored during a rotation'] as const;

async function disturb(system: SimulatedSystem, disturbance: Disturbance, duration: number): Promise<void> {
  const { gateway, platform, scheduler, environment, lambda } = system;
  const { core } = platform;
  const eventType = 'TRANSFER_NOTIFICATION';
  switch (disturbance) {
    case 'endpoint down':
      // So that deliveries are repeated with a secret that is already retired.
      if (rotationKinds.some((kind) => system.faults.isEnabled(kind)))
        core.settings.change({ deliveryRetriesAfter: [1, 5, 30] });
      return gateway.goDown(scheduler.now() + duration);
    case 'token service down':
      return platform.endTokens(scheduler.now() + duration);
    case 'revoked token':
      return core.tokens.revoke();
    case 'secret rotation':
      return void lambda('register').invoke({ mode: 'rotate' });
    case 'registration changed by another system':
      return core.registrations.register({ eventType, url: `${environment.webhooksUrl}/${eventType}` });
    case 'AWS slow for minutes':
      return system.slowDown(scheduler.now() + duration);
    case 'malformed record':
      if (system.faults.happens('lone surrogate in a record')) addHalfPair(system, eventType);
      return void core.madeUpDeliveries.add({
        count: 3 + Math.floor(system.random() * 10),
        malformed: 1,
        eventType,
        status: 'PENDING',
      });
  }
}

/** Adds a record that a table only accepts as bytes. Only the mark of a newer record marks it. */
function addHalfPair({ platform: { core }, faults, trace }: SimulatedSystem, eventType: string): void {
  const webhook = core.registrations.get(eventType);
  if (webhook === undefined) return;
  const isInId = faults.draw('lone surrogate in a record') < 0.5;
  trace('history', `the ${isInId ? 'id' : 'event type'} of an undelivered record has a lone surrogate`);
  const flaw: Flaw = isInId
    ? (record) => ({ ...record, id: halfPair })
    : (record) => ({ ...record, webhook: { ...webhook, eventType: halfPair } });
  core.undelivered.add(
    { webhook, body: '{"transferId":"half-pair","status":"PENDING"}', errorMessage: 'Made up.' },
    flaw,
  );
}
