import type { CommandContext } from '#cli/command/command-context.ts';
import type { CommandDeps } from '#cli/command/command-deps.ts';
import type { Deployment } from '#cli/deployment/deployment.ts';
import { readClock } from '#cli/sandbox/read-clock.ts';
import { formatPlan } from './format-register-report.ts';
import { acceptsBoth, type RegisterReport, readPlanLine } from './register-report.ts';
import { requestRegistration } from './request-registration.ts';

/** In milliseconds: a run of Register that began before the rotation has ended by then. */
const overlap = 120_000;

/** In milliseconds: between two looks at the clock, and between two attempts to retire. */
const interval = 5_000;

/** A webhook that cannot be registered keeps its old secret: the command does not wait for it for ever. */
const maxAttempts = 12;

/** Of the sandbox, whose clock its user can stop. */
const maxLooks = 60;

type Deps = Pick<CommandDeps, 'fetch' | 'now' | 'wait'> & Parameters<typeof requestRegistration>[2];

/**
 * Replaces a header secret that others know: rotates, waits and retires. Either secret of a rotation that is under way can be
 * the one that leaked, so that rotation ends first.
 *
 * @returns whether only the new secret is accepted
 * @throws {CommandError}
 */
export async function replaceLeakedSecret(
  deployment: Deployment,
  { output, confirm }: Pick<CommandContext, 'output' | 'confirm'>,
  deps: Deps,
): Promise<boolean> {
  const request = (mode: 'plan' | 'rotate' | 'retire') =>
    requestRegistration(deployment, { mode, takeOver: [], remove: [] }, deps);
  const before = await request('plan');
  const isUnderWay = acceptsBoth(before);
  output.note(
    isUnderWay
      ? 'A rotation is under way, and either of its secrets can be the one that leaked. It ends first; then the current secret is replaced.'
      : formatPlan('rotate', before),
  );
  await confirm('replace the header secret, and reject the old one two minutes later');

  async function retire(since: Date): Promise<RegisterReport> {
    const until = new Date(since.getTime() + overlap);
    output.note(`The old secret is accepted until ${until.toISOString().slice(0, 19)}Z. Waiting …`);
    for (let look = 0; look < maxLooks && (await readClock(deployment, deps)) < until; look += 1)
      await deps.wait(interval);
    for (let attempt = 1; ; attempt += 1) {
      const report = await request('retire');
      if (!acceptsBoth(report) || attempt === maxAttempts) return report;
      await deps.wait(interval);
    }
  }

  if (isUnderWay) {
    const ended = await retire(await readClock(deployment, deps));
    if (acceptsBoth(ended)) return print(ended);
  }
  const rotated = await request('rotate');
  const now = await readClock(deployment, deps);
  return print(rotated.failed.length === 0 ? await retire(now) : rotated);

  function print(report: RegisterReport): boolean {
    const isReplaced = !acceptsBoth(report);
    output.answer({ ...report, plan: report.plan.map(readPlanLine), isReplaced }, () =>
      isReplaced
        ? 'The old secret is rejected from now on. Deliveries that still carry it stay on the platform as undelivered, and Drain stores them.'
        : [
            ...report.failed.map((failure) => `failed: ${failure}`),
            'The old secret is still accepted: not every webhook has the new one.',
            'Once the failures are fixed: drawbridge webhooks retire',
          ].join('\n'),
    );
    return isReplaced;
  }
}
