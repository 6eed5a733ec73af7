import type { Command } from 'commander';
import * as z from 'zod';
import { createContext } from '#cli/command/command-context.ts';
import type { CommandDeps } from '#cli/command/command-deps.ts';
import { CommandError } from '#cli/command/command-error.ts';
import { type CommandDocument, documentCommand } from '#cli/command/document-command.ts';
import { exitCodes } from '#cli/command/exit-codes.ts';
import { hintAt } from '#cli/command/known-word.ts';
import { countOf } from '#cli/output/count-of.ts';

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

const webhookOptions = z.object({ takeOver: z.array(z.string()), remove: z.array(z.string()) });

const another = (value: string, others: readonly string[]): readonly string[] => [...others, value];

type Mode = 'plan' | 'apply' | 'rotate' | 'retire';

const modes: Readonly<
  Record<Mode, { readonly description: string; readonly action?: string } & Pick<CommandDocument, 'found' | 'writes'>>
> = {
  plan: {
    description: 'Shows what apply would change on the platform, and the state of the rotation.',
    found: 'a webhook differs from what is configured',
  },
  apply: {
    description: 'Registers each configured event type at this deployment.',
    action: 'change the webhooks on the platform as planned',
    found: 'a webhook could not be registered',
    writes: 'registers webhooks on the platform',
  },
  rotate: {
    description: 'Replaces the header secret of all webhooks. No delivery is rejected meanwhile.',
    action: 'begin a rotation of the header secret',
    found: 'a webhook could not be registered',
    writes: 'stores a new header secret, and registers it with each webhook',
  },
  retire: {
    description:
      'Ends a rotation before its overlap is over: deliveries with the previous secret are rejected. Possible two minutes after every webhook has the new secret.',
    action: 'end the rotation, so that the previous secret is rejected',
    found: 'a webhook could not be registered, or both secrets are still accepted',
    writes: 'removes the previous header secret',
  },
};

/** Adds `webhooks plan`, `apply`, `rotate` and `retire`. */
export function addWebhooksCommand(program: Command, deps: CommandDeps): void {
  const group = program.command('webhooks').description('The webhooks that are registered on the platform.');
  for (const mode of ['plan', 'apply', 'rotate', 'retire'] as const) {
    const { description, action, ...document } = modes[mode];
    const command = group
      .command(mode)
      .description(description)
      .option('--take-over <event type>', 'replace the webhook of another system; can be repeated', another, [])
      .option(
        '--remove <event type>',
        'remove our webhook of a type that is not configured; can be repeated',
        another,
        [],
      )
      .action(async (given: unknown) => {
        const { output, connect, confirm } = createContext(command, deps);
        const { invoke } = await connect();
        const request = { mode, ...webhookOptions.parse(given) };
        if (action !== undefined) {
          const plan = readRegisterReport(await invoke('Register', { ...request, mode: 'plan' }));
          output.note(formatPlan(plan));
          for (const hint of hintsAt(request, plan)) output.note(hint);
          await confirm(action);
        }
        const report = readRegisterReport(await invoke('Register', request));
        output.answer(report, () => (mode === 'plan' ? formatPlan(report) : formatDone(report)));
        if (mode === 'plan') for (const hint of hintsAt(request, report)) output.note(hint);
        const isUnfinished = mode === 'retire' && acceptsBoth(report);
        if (isUnfinished) output.note(tooEarly);
        const isFound = mode === 'plan' ? pendingLines(report).length > 0 : report.failed.length > 0;
        if (isFound || isUnfinished) deps.exit(exitCodes.found);
      });
    documentCommand(command, {
      examples: [`drawbridge webhooks ${mode} --env production`],
      json: '`plan` (a line for each webhook), `failed` and `rotation`, as [`Register`](api.md#register) answers',
      ...document,
    });
  }
}

/** A run of Register that began before the rotation, and knows nothing of it, has ended by then. */
const tooEarly =
  'Not ended yet: a rotation can end two minutes after every webhook has the new secret. Then: drawbridge webhooks retire';

function acceptsBoth({ rotation }: RegisterReport): boolean {
  return rotation.startsWith('Both secrets are accepted');
}

/** As `cdk diff` writes: what changes has a mark in front, and the rest is a number. */
function formatPlan(report: RegisterReport): string {
  const lines = pendingLines(report).flatMap((line) => {
    const next = nextOf(line);
    return next === undefined ? [line] : [line, `    → ${next}`];
  });
  return [...(lines.length === 0 ? ['Nothing to change.'] : lines), ...formatRest(report)].join('\n');
}

/** What Register has done: its report has the plan that it began with. */
function formatDone(report: RegisterReport): string {
  const failures = report.failed.map((failure) => `failed: ${failure}`);
  const hasFailed = (line: string) =>
    report.failed.some((failure) => failure.startsWith(line.slice(2, line.indexOf(':') + 1)));
  const done = pendingLines(report)
    .filter((line) => !hasFailed(line))
    .map((line) => pastTenses.reduce((text, [verb, past]) => text.replace(verb, past), line));
  const changes = [...done, ...failures];
  return [...(changes.length === 0 ? ['Nothing was changed.'] : changes), ...formatRest(report)].join('\n');
}

const pastTenses = [
  [/: create\b/, ': created'],
  [/: update\b/, ': updated'],
  [/: take over\b/, ': taken over'],
  [/: remove$/, ': removed'],
] as const;

function formatRest(report: RegisterReport): readonly string[] {
  const unchanged = report.plan.length - pendingLines(report).length;
  return [`${countOf(unchanged, 'webhook')} unchanged or not configured.`, '', `Rotation: ${report.rotation}`];
}

/** The command that acts on a line of a plan. Undefined for what apply does without an option. */
export function nextOf(line: string): string | undefined {
  const [, eventType = '', finding = ''] = /^! ([A-Z0-9_]+): (ours|leads)/.exec(line) ?? [];
  if (finding === '') return undefined;
  return `drawbridge webhooks apply ${finding === 'ours' ? '--remove' : '--take-over'} ${eventType}`;
}

/** An event type that no line of the plan names has no webhook to replace or remove, and may be a typo. */
function hintsAt({ takeOver, remove }: z.infer<typeof webhookOptions>, { plan }: RegisterReport): readonly string[] {
  const words = plan.map((line) => line.slice(2, line.indexOf(':')));
  return [...takeOver, ...remove].flatMap((one) => hintAt(one, { what: 'event type of the plan', words }) ?? []);
}
