import { countOf } from '#cli/output/count-of.ts';
import { acceptsBoth, pendingLines, type RegisterReport, readPlanRow } from './register-report.ts';

export type RegisterMode = 'plan' | 'apply' | 'rotate' | 'retire';

/** As `cdk diff` writes: what changes has a mark in front, and the rest is a number. */
export function formatPlan(mode: RegisterMode, report: RegisterReport): string {
  const lines = pendingLines(report).flatMap((line) => {
    const next = nextOf(line);
    return next === undefined ? [line] : [line, `    → ${next}`];
  });
  const secret = planOfSecret(mode, report);
  const none = secret === undefined ? ['Nothing to change.'] : [];
  const changes = [...(lines.length === 0 ? none : lines), ...(secret === undefined ? [] : [secret])];
  return [...changes, ...formatRest(report, mode === 'rotate' && !acceptsBoth(report))].join('\n');
}

/** What `rotate` and `retire` do with the header secret. */
function planOfSecret(mode: RegisterMode, report: RegisterReport): string | undefined {
  if (mode === 'rotate')
    return acceptsBoth(report)
      ? 'No new header secret: a rotation is under way. Another one can start once it has ended: to end it, drawbridge webhooks retire.'
      : `This stores a new header secret, and registers it with ${countOf(ownLines(report).length, 'webhook')}.`;
  if (mode !== 'retire') return undefined;
  return acceptsBoth(report) ? 'This ends the rotation.' : 'There is no rotation to end.';
}

/** What Register has done: its report has the plan that it began with. @param before the plan that the operator has seen */
export function formatDone(
  mode: RegisterMode,
  { before, report }: { readonly before: RegisterReport; readonly report: RegisterReport },
): string {
  const failures = report.failed.map((failure) => `failed: ${failure}`);
  const hasFailed = (line: string) => report.failed.some((failure) => failure.startsWith(`${eventTypeOf(line)}:`));
  const done = pendingLines(report)
    .filter((line) => !hasFailed(line))
    .map((line) => pastTenses.reduce((text, [verb, past]) => text.replace(verb, past), line));
  const isStarted = mode === 'rotate' && !acceptsBoth(before) && acceptsBoth(report);
  const rotated = ownLines(report).filter((line) => !hasFailed(line)).length;
  const secret = isStarted ? [`${countOf(rotated, 'webhook has', 'webhooks have')} the new secret.`] : [];
  const isEnded = acceptsBoth(before) && !acceptsBoth(report);
  const changes = [...done, ...failures, ...secret];
  const none = isEnded ? [] : ['Nothing was changed.'];
  return [...(changes.length === 0 ? none : changes), ...formatRest(report, isStarted)].join('\n');
}

const pastTenses = [
  [/: create\b/, ': created'],
  [/: update\b/, ': updated'],
  [/: take over\b/, ': taken over'],
  [/: remove$/, ': removed'],
] as const;

/** A rotation changes each webhook: none is unchanged then. */
function formatRest(report: RegisterReport, isRotated: boolean): readonly string[] {
  const unchanged = report.plan.length - pendingLines(report).length;
  const rest = isRotated ? [] : [`${countOf(unchanged, 'webhook')} unchanged or not configured.`];
  return [...rest, '', `Rotation: ${report.rotation}`];
}

/** The lines of the webhooks that have our header secret once the plan is done. */
export function ownLines({ plan }: RegisterReport): readonly string[] {
  return plan.filter((line) => !/^(- |! \w+: leads)|: not configured, left alone$/.test(line));
}

/** The event type that a line of a plan is about. */
export function eventTypeOf(line: string): string {
  return line.slice(2, line.indexOf(':'));
}

/** The command that acts on a line of a plan. Undefined for what apply does without an option. */
export function nextOf(line: string): string | undefined {
  const { decision, eventType } = readPlanRow(line);
  if (decision === undefined) return undefined;
  return `drawbridge webhooks apply ${decision === 'remove' ? '--remove' : '--take-over'} ${eventType}`;
}
