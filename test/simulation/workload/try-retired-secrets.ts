import type { SimulatedSystem } from '#test/simulation/system/simulated-system.ts';

/** In milliseconds: longer than a process may accept a retired secret. */
const maxAcceptedMs = 7 * 60_000;

/** In milliseconds: the time until each webhook is answered. */
const answerTime = 30_000;

/**
 * Sends webhooks with retired secrets after the time in which a process may accept them. The checks treat these webhooks like
 * any others (promise 8).
 */
export async function tryRetiredSecrets(system: SimulatedSystem): Promise<void> {
  const { scheduler, gateway, environment, trace } = system;
  const retired = retiredSecrets(system);
  if (retired.length === 0) return;
  await scheduler.run(scheduler.now() + maxAcceptedMs);
  const forger = { name: 'forger', isAwake: () => true };
  for (const secret of retired) {
    trace('history', 'a forger sends a webhook with a retired secret');
    const headers = { [environment.secretHeader.toLowerCase()]: secret };
    const body = Buffer.from('{"transferId": "forged"}');
    gateway.deliver(forger, { eventType: 'TRANSFER_NOTIFICATION', headers, body }).catch(() => undefined);
  }
  await scheduler.run(scheduler.now() + answerTime);
}

function retiredSecrets({ cloud }: SimulatedSystem): readonly string[] {
  const versions = cloud.secretsManager.versions('webhook-secret').map(({ text }) => JSON.parse(text));
  const { current, previous } = versions.at(-1) ?? {};
  const all = new Set<string>(versions.map((version) => version.current));
  return [...all].filter((secret) => secret !== current && secret !== previous);
}
