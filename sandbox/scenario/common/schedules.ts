import { setTimeout as wait } from 'node:timers/promises';
import type { Host } from '#sandbox/aws/host.ts';
import { readQueueDepth } from '#sandbox/aws/services/sqs.ts';
import { SandboxError } from '#sandbox/errors.ts';
import type { Sandbox } from '#sandbox/sandbox.ts';

/** The interval of the schedule of the drain, in seconds: the time after which what it has listed may be marked. */
export const drainInterval = 60;

/** After this time the platform has purged what became INVALID: it does so after 48 hours (section 8). */
export const purgeSeconds = 49 * 3_600;

/** The drain must finish within this number of runs. */
const maxRuns = 100;

/**
 * Runs a schedule of the stacks now. Resolves when its target has finished, or its queue has the message.
 *
 * @throws {SandboxError} NOT_HOSTED if the stacks do not have the schedule
 */
export async function runSchedule({ schedules }: Pick<Host, 'schedules'>, name: string): Promise<void> {
  const schedule = schedules.all.find((candidate) => candidate.name === name);
  if (schedule === undefined) throw new SandboxError('NOT_HOSTED', `The stacks have no schedule ${name}.`);
  await schedule.runNow();
}

/** Runs the schedule of the token refresher and waits until its queue is empty. */
export async function refreshToken(host: Pick<Host, 'schedules' | 'blueprint' | 'clients'>): Promise<void> {
  await runSchedule(host, 'token-refresh');
  const queue = host.blueprint.queues.find(({ name }) => name === 'token-refreshes');
  for (;;) {
    const { visible, inFlight } = await readQueueDepth(host.clients.sqs, queue?.ref ?? '');
    if (visible + inFlight === 0) return;
    await wait(20);
  }
}

/**
 * Runs the drain as its schedule does, every minute of the platform's time, until no webhook is undelivered. Of the other schedules
 * only the token is refreshed, so that the length of a run is that of the drain.
 *
 * @param onRun called after each run with the number of undelivered webhooks
 * @returns the number of runs
 */
export async function drainAll(
  { host, platform }: Pick<Sandbox, 'host' | 'platform'>,
  onRun: (left: number) => void = () => undefined,
): Promise<number> {
  let runs = 0;
  while (platform.undelivered.count() > 0 && runs < maxRuns) {
    await runSchedule(host, 'drain-runs');
    runs += 1;
    onRun(platform.undelivered.count());
    await platform.clock.advance(drainInterval);
    await refreshToken(host);
  }
  return runs;
}
