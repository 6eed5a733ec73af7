/** `npm run platform`: the sandbox platform alone, without stacks or AWS, for the development of a client. */
import { inspect } from 'node:util';
import { InvalidArgumentError, program } from 'commander';
import * as z from 'zod';
import { BlockedPortError, requireCallablePort } from '#sandbox/net/blocked-port.ts';
import { PortTakenError } from '#sandbox/net/server.ts';
import {
  count,
  dateTime,
  interruptedCode,
  interruption,
  portNumber,
  requireNode24,
} from '#sandbox/terminal/command-line.ts';
import { eventTypeName } from '#shared/platform/profile/event-type.ts';
import { defaultCredentials, type Platform } from './app/platform.ts';
import { startPlatformServer } from './app/serve.ts';
import { exampleCommands } from './example-commands.ts';

program
  .name('npm run platform --')
  .description('Runs the platform of the specification on this machine: its API, its token service, and a control API.')
  .option('--port <number>', 'the port of the platform', portNumber, 4010)
  .option('--seed <number>', 'the seed for ids, outcomes and faults', count, 1)
  .option(
    '--frozen-at <date-time>',
    'freezes the clock at this time; by default the clock follows the real time',
    dateTime,
  )
  .option('--client-id <text>', 'the client_id that the token service accepts', defaultCredentials.clientId)
  .option('--client-secret <text>', 'the client_secret that the token service accepts', defaultCredentials.clientSecret)
  .option('--new-event-type <name>', 'an event type that is not in the specification; can be repeated', another, [])
  .parse();

const options = z
  .object({
    port: z.number(),
    seed: z.number(),
    frozenAt: z.date().optional(),
    clientId: z.string(),
    clientSecret: z.string(),
    newEventType: z.array(z.string()),
  })
  .parse(program.opts());

function another(eventType: string, others: readonly string[]): readonly string[] {
  if (!eventTypeName.safeParse(eventType).success)
    throw new InvalidArgumentError('The value must be a word in capitals such as TRANSFER_NOTIFICATION.');
  return [...others, eventType];
}

const credentials = { clientId: options.clientId, clientSecret: options.clientSecret };

function printAddresses({ profile, clock }: Platform, port: number): void {
  const origin = `http://localhost:${port}`;
  const { token, webhookPaths } = profile;
  const lines = exampleCommands({ origin, tokenPath: token.path, webhooksPath: webhookPaths.webhooks, credentials });
  process.stdout.write(
    [
      '',
      `  {base_url}  ${origin}`,
      `  {auth_url}  ${origin}, token at ${token.path}, client_id ${credentials.clientId}`,
      `  reference   ${origin}/docs`,
      `  OpenAPI     ${origin}/openapi.json`,
      `  control     ${origin}/control, OpenAPI at ${origin}/control/openapi.json`,
      `  clock       ${clock.isFrozen() ? `frozen at ${clock.now().toISOString()}` : 'running'}`,
      '',
      'To get a token, register a webhook, and make the platform send a notification, run:',
      '',
      ...lines.map((line) => `  ${line}`),
      '',
      'For more, see sandbox/platform/README.md. To end the platform, press Ctrl-C.',
      '',
    ].join('\n'),
  );
}

async function main(): Promise<number> {
  requireNode24();
  await requireCallablePort(options.port);
  const interrupted = interruption();
  const { platform, port, close } = await startPlatformServer({
    port: options.port,
    seed: options.seed,
    frozenAt: options.frozenAt,
    credentials,
    newEventTypes: options.newEventType,
    fetch,
    now: () => new Date(),
    onError: (error) => process.stderr.write(`${inspect(error)}\n`),
  });
  printAddresses(platform, port);
  await interrupted;
  await close();
  return interruptedCode;
}

main().then(
  (code) => process.exit(code),
  (error: unknown) => {
    const isExpected = error instanceof PortTakenError || error instanceof BlockedPortError;
    process.stderr.write(`${isExpected ? error.message : inspect(error)}\n`);
    process.exit(1);
  },
);
