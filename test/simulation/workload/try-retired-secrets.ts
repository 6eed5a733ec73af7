import type { SimulatedSystem } from '#test/simulation/system/simulated-system.ts';

/** In milliseconds: longer than a process may accept a secret that is retired already. */
const maxAcceptedMs = 7 * 60_000;

/** In milliseconds: until each has been answered. */
const answerTime = 30_000;

/**
 * Somebody sends webhooks with the secrets that were retired, once no process may accept them any more. What becomes of them is
 * judged as that of any webhook is (promise 8).
 */
export async function tryRetiredSecrets(system: SimulatedSystem): Promise<void> {
  const { scheduler, gateway, environment, trace } = system;
  const retired = retiredSecrets(system);
  if (retired.length === 0) return;
  await scheduler.run(scheduler.now() + maxAcceptedMs);
  const forger = { name: 'forger', isAwake: () => true };
  for (const secret of retired) {
    trace('history', 'somebody sends a webhook with a secret that is retired');
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
