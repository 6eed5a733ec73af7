import * as z from 'zod';
import { CommandError } from '#cli/command/command-error.ts';

/** What `Register` answers: no secret. */
const registerReport = z.object({ plan: z.array(z.string()), failed: z.array(z.string()), rotation: z.string() });

export type RegisterReport = z.infer<typeof registerReport>;

const skipped = z.object({ skipped: z.string() });

/** Before the first token, what an operator does to get one; undefined from then on. */
export function skippedReason(answer: unknown): string | undefined {
  return skipped.safeParse(answer).data?.skipped;
}

/** @throws {CommandError} before the first token */
export function readRegisterReport(answer: unknown): RegisterReport {
  const reason = skippedReason(answer);
  if (reason !== undefined) throw new CommandError(reason, 'drawbridge credentials set');
  return registerReport.parse(answer);
}

/** The lines of a plan that need an apply or a decision. The others begin with a space. */
export function pendingLines({ plan }: RegisterReport): readonly string[] {
  return plan.filter((line) => /^[+~!-]/.test(line));
}

/** Whether Apply changes what a pending line says. Others wait for a decision. */
export function isChange(line: string): boolean {
  return !line.startsWith('!');
}

/** Whether a rotation is under way. */
export function acceptsBoth({ rotation }: Pick<RegisterReport, 'rotation'>): boolean {
  return rotation.startsWith('Both secrets are accepted');
}

const retired = 'The previous secret is accepted no longer.';

/**
 * Whether a plan is of a secret with a previous one. That is so too if the overlap is over, and no run has retired the previous
 * secret yet: the plan then says what the next run does.
 */
export function keepsPrevious(plan: Pick<RegisterReport, 'rotation'>): boolean {
  return acceptsBoth(plan) || plan.rotation === retired;
}

/** Whether a run has left only the current secret. Not so if another run has changed the secret, in whatever way. */
export function isOver({ rotation }: Pick<RegisterReport, 'rotation'>): boolean {
  return rotation === retired || rotation === 'No rotation is under way.';
}

/** Whether only time is missing until the previous secret can be retired. */
export function isInOverlap({ rotation }: Pick<RegisterReport, 'rotation'>): boolean {
  return rotation.startsWith('Both secrets are accepted: every webhook has');
}

/** A run of Register that began before the rotation, and knows nothing of it, has ended by then. */
export const tooEarly =
  'Not ended yet: a rotation can end two minutes after every webhook has the new secret. Then: drawbridge webhooks retire';

/** What a line of a plan says, for a script. */
export type PlanLine = {
  readonly eventType: string;
  /** Such as `create`. */
  readonly action: string;
  /** The text of the line, if it says more than the action. */
  readonly reason: string | undefined;
};

const actionsByText = [
  [/^create/, 'create'],
  [/^update/, 'update'],
  [/^take over/, 'take over'],
  [/^remove$/, 'remove'],
  [/^leads to/, 'not ours'],
  // A release before 0.3.0 says "ours".
  [/^(?:ours|registered by Drawbridge), but no longer configured/, 'obsolete'],
  [/^not configured/, 'not configured'],
  [/^not registered/, 'undecided'],
] as const;

/** Undefined for a text of a later release. */
function actionOf(text: string) {
  return actionsByText.find(([pattern]) => pattern.test(text))?.[1];
}

export function readPlanLine(line: string): PlanLine {
  const end = line.indexOf(':');
  const text = line.slice(end + 2);
  const action = actionOf(text) ?? text;
  return { eventType: line.slice(2, end), action, reason: text === action ? undefined : text };
}

/** What `Register` says of one webhook. */
type PlanRow = {
  /** `+` is added, `~` changed, `-` removed, `!` needs a decision; a space is unchanged. */
  readonly mark: string;
  readonly eventType: string;
  readonly what: string;
  /** What an operator can ask for: to replace the webhook of another system, or to remove ours. */
  readonly decision: 'take over' | 'remove' | undefined;
};

/** Reads a line of a plan. A line of another form, of a later release, is shown as it is. */
export function readPlanRow(line: string): PlanRow {
  const [, mark = ' ', eventType = '', what = line.trim()] = /^([-+~! ]) ([A-Z0-9_]+): (.*)$/.exec(line) ?? [];
  return { mark, eventType, what, decision: mark === '!' ? decisionOf(what) : undefined };
}

function decisionOf(what: string): PlanRow['decision'] {
  const action = actionOf(what);
  if (action === 'obsolete') return 'remove';
  return action === 'not ours' ? 'take over' : undefined;
}
