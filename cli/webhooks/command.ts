import { type Command, Option } from 'commander';
import * as z from 'zod';
import { createContext } from '#cli/command/command-context.ts';
import type { CommandDeps } from '#cli/command/command-deps.ts';
import { CommandError } from '#cli/command/command-error.ts';
import { type CommandDocument, documentCommand } from '#cli/command/document-command.ts';
import { exitCodes } from '#cli/command/exit-codes.ts';
import { hintAt } from '#cli/command/known-word.ts';
import { eventTypeOf, formatDone, formatPlan, type RegisterMode } from './format-register-report.ts';
import { acceptsBoth, pendingLines, type RegisterReport, readPlanLine, tooEarly } from './register-report.ts';
import { replaceLeakedSecret } from './replace-leaked-secret.ts';
import { requestRegistration } from './request-registration.ts';

const webhookOptions = z.object({ takeOver: z.array(z.string()), remove: z.array(z.string()) });
const rotateOptions = z.object({ leaked: z.boolean().default(false) });

const another = (value: string, others: readonly string[]): readonly string[] => [...others, value];

const modes: Readonly<
  Record<
    RegisterMode,
    { readonly description: string; readonly action?: string } & Pick<CommandDocument, 'found' | 'writes'>
  >
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
    found:
      'a webhook could not be registered, or a rotation is under way, so that no other was begun. With `--leaked`, the old secret may still be accepted',
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
        const deployment = await connect();
        if (rotateOptions.parse(given).leaked) {
          const isEnded = await replaceLeakedSecret(deployment, { output, confirm }, deps);
          if (!isEnded) deps.exit(exitCodes.found);
          return;
        }
        const request = { mode, ...webhookOptions.parse(given) };
        const before =
          action === undefined ? undefined : await requestRegistration(deployment, { ...request, mode: 'plan' }, deps);
        if (action !== undefined && before !== undefined) {
          output.note(formatPlan(mode, before));
          const [hint] = hintsAt(request, before);
          if (hint !== undefined)
            throw new CommandError(`${hint} Nothing was done.`, 'drawbridge webhooks plan --json lists them.');
          if (mode === 'rotate' && acceptsBoth(before)) {
            output.answer({ ...before, plan: before.plan.map(readPlanLine) }, () => 'Nothing was changed.');
            deps.exit(exitCodes.found);
            return;
          }
          await confirm(action);
        }
        const report = await requestRegistration(deployment, request, deps);
        output.answer({ ...report, plan: report.plan.map(readPlanLine) }, () =>
          before === undefined ? formatPlan(mode, report) : formatDone(mode, { before, report }),
        );
        if (mode === 'plan') for (const hint of hintsAt(request, report)) output.note(hint);
        const isUnfinished = mode === 'retire' && acceptsBoth(report);
        if (isUnfinished) output.note(tooEarly);
        const isFound = mode === 'plan' ? pendingLines(report).length > 0 : report.failed.length > 0;
        if (isFound || isUnfinished) deps.exit(exitCodes.found);
      });
    if (mode === 'rotate')
      command.addOption(
        new Option('--leaked', 'the secret is known to others: rotate, wait two minutes, and retire the old secret')
          .default(false)
          // What it does to webhooks is fixed. An option that it ignored would look done.
          .conflicts(['takeOver', 'remove']),
      );
    documentCommand(command, {
      examples: [
        `drawbridge webhooks ${mode} --env production`,
        ...(mode === 'rotate' ? ['drawbridge webhooks rotate --leaked --env production'] : []),
      ],
      json: '`plan` (`eventType`, `action` and `reason` of each webhook), `failed` and `rotation`, as [`Register`](../reference/api.md#register) says them. An `action` is `create`, `update`, `take over`, `remove`, `not ours`, `obsolete`, `unchanged` or `not configured`',
      ...document,
    });
  }
}

/** An event type that no line of the plan names has no webhook to replace or remove, and may be a typo. */
function hintsAt({ takeOver, remove }: z.infer<typeof webhookOptions>, { plan }: RegisterReport): readonly string[] {
  const words = plan.map(eventTypeOf);
  return [...takeOver, ...remove].flatMap((one) => hintAt(one, { what: 'event type of the plan', words }) ?? []);
}
