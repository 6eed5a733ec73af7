import type { CommandContext } from '#cli/command/command-context.ts';
import type { CommandDeps } from '#cli/command/command-deps.ts';
import { CommandError } from '#cli/command/command-error.ts';
import type { Deployment } from '#cli/deployment/deployment.ts';
import { explainError } from '#cli/deployment/explain-aws-error.ts';
import type { RecordDeployment } from '#cli/deployment/record-action.ts';
import { readClock } from '#cli/sandbox/read-clock.ts';
import { maxAgeMs } from '#shared/secrets/webhook-secret.ts';
import { formatPlan } from './format-register-report.ts';
import {
  acceptsBoth,
  isInOverlap,
  isOver,
  keepsPrevious,
  type RegisterReport,
  readPlanLine,
} from './register-report.ts';
import { requestRegistration } from './request-registration.ts';

/** In milliseconds: a run of Register that began before the rotation has ended by then. */
const overlap = 120_000;

/** In milliseconds: between two reads of the clock, and between two attempts to retire. */
const interval = 5_000;

/** A webhook that cannot be registered keeps its old secret: after so many attempts the command stops waiting. */
const maxAttempts = 12;

/** One that Register has asked for, and one more if a webhook lost the new secret meanwhile. */
const maxOverlaps = 2;

/** Of the sandbox, whose clock its user can stop. */
const maxClockReads = 60;

/** A run at the same time can take one. */
const maxRotations = 3;

type Deps = Pick<CommandDeps, 'fetch' | 'now' | 'wait'> & Parameters<typeof requestRegistration>[2];

/**
 * Replaces a header secret that others know: rotates, waits and retires. Either secret of a rotation that is under way can be
 * the one that leaked, so that rotation ends first.
 *
 * @returns whether a new secret was made, and is the only one that is stored
 * @throws {CommandError}
 */
export async function replaceLeakedSecret(
  deployment: RecordDeployment & Pick<Deployment, 'invoke'>,
  { output, confirm }: Pick<CommandContext, 'output' | 'confirm'>,
  deps: Deps,
): Promise<boolean> {
  const request = (mode: 'plan' | 'rotate' | 'retire') =>
    requestRegistration(deployment, { mode, takeOver: [], remove: [] }, deps);
  const before = await request('plan');
  const isUnderWay = keepsPrevious(before);
  output.note(
    isUnderWay
      ? 'A rotation is under way, and either of its secrets can be the one that leaked. It ends first; then the current secret is replaced.'
      : formatPlan('rotate', before),
  );
  await confirm(
    'replace the header secret, and retire the old one two minutes later: it is rejected within five more minutes, or an hour while Secrets Manager fails',
  );

  if (isUnderWay) {
    const ended = await retire(() => 'The rotation that is under way can end in two minutes. Waiting …');
    if (!isOver(ended))
      return fail(ended, [
        'Neither secret of the rotation that is under way was replaced.',
        'Once each webhook can be registered, run again: drawbridge webhooks rotate --leaked',
      ]);
  }
  const rotated = await rotate();
  if (!acceptsBoth(rotated))
    return fail(rotated, [
      'No new secret was made: the leaked one is still accepted.',
      'Run again: drawbridge webhooks rotate --leaked',
    ]);
  const isRegistered = rotated.failed.length === 0;
  const retired = isRegistered ? await retireLeaked().catch(throwUnretired) : rotated;
  if (!isOver(retired))
    return fail(retired, [
      'A new secret was made, and the old one may still be accepted.',
      'Once each webhook can be registered: drawbridge webhooks retire',
    ]);
  answer(retired, true, [
    'The old secret is rejected within five minutes (an hour while Secrets Manager fails). Deliveries that carry it then stay on the platform as undelivered, and Drain stores them.',
  ]);
  return true;

  /** A run that ends an earlier rotation, or that another run overtakes, makes no new secret. */
  async function rotate(): Promise<RegisterReport> {
    for (let attempt = 1; ; attempt += 1) {
      const report = await request('rotate');
      if (acceptsBoth(report) || attempt === maxRotations) return report;
    }
  }

  async function retireLeaked(): Promise<RegisterReport> {
    return retire(noteOfEnd, await readClock(deployment, deps));
  }

  /** @param since when the overlap began; undefined to try without a wait, since it may be over */
  async function retire(noteOf: (overlapEnd: Date) => string, since?: Date): Promise<RegisterReport> {
    let overlaps = 0;
    if (since !== undefined) await waitForOverlap(since);
    for (let attempt = 1; ; attempt += 1) {
      const report = await request('retire');
      if (isOver(report) || attempt === maxAttempts) return report;
      if (isInOverlap(report) && overlaps < maxOverlaps) await waitForOverlap(await readClock(deployment, deps));
      else await deps.wait(interval);
    }

    async function waitForOverlap(from: Date): Promise<void> {
      overlaps += 1;
      const end = new Date(from.getTime() + overlap);
      output.note(noteOf(end));
      for (let reads = 0; reads < maxClockReads && (await readClock(deployment, deps)) < end; reads += 1)
        await deps.wait(interval);
    }
  }

  function fail(report: RegisterReport, lines: readonly string[]): false {
    const failures = report.failed.map((failure) => `failed: ${failure}`);
    answer(report, false, [...failures, `Rotation: ${report.rotation}`, ...lines]);
    return false;
  }

  function answer(report: RegisterReport, isReplaced: boolean, lines: readonly string[]): void {
    output.answer({ ...report, plan: report.plan.map(readPlanLine), isReplaced }, () => lines.join('\n'));
  }
}

/** Receive uses what it has read of the secret for some minutes after the end of the overlap. */
function noteOfEnd(overlapEnd: Date): string {
  const until = new Date(overlapEnd.getTime() + maxAgeMs).toISOString().slice(0, 19);
  return `The old secret is accepted until about ${until}Z, and longer while Secrets Manager fails. Waiting for two minutes … If this command ends early, the old secret stays accepted: run drawbridge webhooks retire`;
}

/** The new secret is in use, and nothing but a later retirement rejects the leaked one before its overlap of days is over. */
function throwUnretired(cause: unknown): never {
  const { reason } = explainError(cause);
  throw new CommandError(
    `${reason}\nA new secret was made, and the old one may still be accepted.`,
    'fix the error, and run drawbridge webhooks retire',
    { cause },
  );
}
