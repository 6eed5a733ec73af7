import type { Sandbox } from '#sandbox/sandbox.ts';
import { countByQueue } from '#sandbox/scenario/common/queues.ts';
import type { PlannedOnboarding } from '#sandbox/scenario/onboarding/plan.ts';
import { readOnboardingRows } from '#sandbox/scenario/onboarding/read-tables.ts';
import { onboardingIdOf } from '#shared/onboarding/onboarding-keys.ts';
import { stepRow } from '#shared/onboarding/onboarding-steps.ts';
import type { Figures } from './meter.ts';

/** Counts the webhooks that wait on the platform, and the messages that wait in each queue. */
export async function countWaiting({ host, platform }: Pick<Sandbox, 'host' | 'platform'>): Promise<Figures> {
  const queues = await countByQueue(host, 'work');
  return {
    'undelivered webhooks': platform.undelivered.count(),
    'deliveries on their way': platform.deliveries.waiting(),
    ...Object.fromEntries(queues.map(({ name, messages }) => [`messages of ${name}`, messages])),
  };
}

/** Counts the onboardings that are open at each step, and the planned ones that do not exist. */
export async function countOpenOnboardings(
  host: Sandbox['host'],
  plan: readonly PlannedOnboarding[],
): Promise<Figures> {
  const { rows, erased } = await readOnboardingRows(host);
  const open = rows.map(({ state }) => state.step).filter((step) => !stepRow(step).final && step !== 'STOPPED');
  const known = new Set([...rows.map(({ onboardingId }) => onboardingId), ...erased]);
  const missing = plan.filter(({ request }) => !known.has(onboardingIdOf(request.externalId)));
  const byStep = [...Map.groupBy(open, (step) => `onboardings at ${step}`)].map(([name, ones]) => [name, ones.length]);
  return { ...Object.fromEntries(byStep), 'requested onboardings without a row': missing.length };
}

export function sumOf(figures: Figures): number {
  return Object.values(figures).reduce((sum, count) => sum + count, 0);
}
