import { type Command, InvalidArgumentError } from 'commander';
import * as z from 'zod';
import type { CommandDeps } from '#cli/command/command-deps.ts';
import { documentCommand } from '#cli/command/document-command.ts';
import { defaultCredentials } from '#sandbox/platform/access/tokens.ts';
import { count, dateTime, portNumber, requireNode24 } from '#sandbox/terminal/command-line.ts';
import { eventTypeName } from '#shared/platform/profile/event-place.ts';
import { addCompareCommand } from './compare-command.ts';
import { addRecordCommand } from './record-command.ts';

const platformOptions = z.object({
  port: z.number(),
  containers: z.boolean(),
  seed: z.number(),
  frozenAt: z.date().optional(),
  clientId: z.string(),
  clientSecret: z.string(),
  newEventType: z.array(z.string()),
  settings: z.string().optional(),
});

/**
 * Adds `platform`: only the sandbox platform, without stacks and AWS, for the development of a client in any language. Its subcommands are
 * about the platform of an environment.
 */
export function addPlatformCommand(program: Command, deps: CommandDeps): void {
  const command = program
    .command('platform')
    .description(
      'Runs the platform of the specification on this machine: its API, its token service, and a control API.',
    )
    .option('--port <number>', 'the port of the platform', portNumber, 4010)
    .option(
      '--containers',
      'answer containers as well, which call this machine host.docker.internal (Docker Desktop)',
      false,
    )
    .option('--seed <number>', 'the seed for ids, outcomes and faults', count, 1)
    .option(
      '--frozen-at <date-time>',
      'freezes the clock at this time; by default the clock follows the real time',
      dateTime,
    )
    .option('--client-id <text>', 'the client_id that the token service accepts', defaultCredentials.clientId)
    .option(
      '--client-secret <text>',
      'the client_secret that the token service accepts',
      defaultCredentials.clientSecret,
    )
    .option('--new-event-type <name>', 'an event type that is not in the specification; can be repeated', another, [])
    .option(
      '--settings <file>',
      'a settings file: the platform does as its platformProfile and onboarding.externalVerifier say',
    )
    .action(async (given: unknown) => {
      requireNode24();
      const {
        clientId,
        clientSecret,
        newEventType: newEventTypes,
        containers: answersContainers,
        settings: settingsFile,
        ...options
      } = platformOptions.parse(given);
      // The platform is loaded only for this command: it is much of the code.
      const { runPlatform } = await import('./run-platform.ts');
      const credentials = { clientId, clientSecret };
      deps.exit(await runPlatform({ ...options, answersContainers, newEventTypes, settingsFile, credentials }));
    });
  documentCommand(command, {
    examples: [
      'npx --no -- drawbridge platform',
      'npx --no -- drawbridge platform --port 4020 --frozen-at 2026-01-31T08:00:00Z',
      'npx --no -- drawbridge platform --settings settings/production.json',
    ],
    json: 'nothing: the command prints text until Ctrl-C',
  });
  addRecordCommand(command, deps);
  addCompareCommand(command, deps);
}

function another(eventType: string, others: readonly string[]): readonly string[] {
  if (!eventTypeName.safeParse(eventType).success)
    throw new InvalidArgumentError('The value must be a word in capitals such as TRANSFER_NOTIFICATION.');
  return [...others, eventType];
}
