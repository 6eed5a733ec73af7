/** `npm run platform`: the sandbox platform alone, without stacks or AWS, for whoever writes a client of it. */
import { inspect } from 'node:util';
import { InvalidArgumentError, program } from 'commander';
import * as z from 'zod';
import { BlockedPortError, requireCallablePort } from '#sandbox/blocked-port.ts';
import { count, dateTime, interruptedCode, interruption, portNumber, requireNode24 } from '#sandbox/command-line.ts';
import { PortTakenError } from '#sandbox/server.ts';
import { eventTypeName } from '#shared/platform/event-type.ts';
import { startPlatformServer } from './http/serve.ts';
import { invitation } from './invitation.ts';
import { defaultCredentials, type Platform } from './platform.ts';

program
  .name('npm run platform --')
  .description(
    'Plays the platform of the specification on this machine: its API, its token service, and a control API.',
  )
  .option('--port <number>', 'where it listens', portNumber, 4010)
  .option('--seed <number>', 'what decides on ids, outcomes and faults', count, 1)
  .option(
    '--frozen-at <date-time>',
    'where its clock stands until it is moved on; it runs with the real time unless given',
    dateTime,
  )
  .option('--client-id <text>', 'whom its token service knows', defaultCredentials.clientId)
  .option('--client-secret <text>', 'and by what', defaultCredentials.clientSecret)
  .option(
    '--new-event-type <name>',
    'an event type that it knows beyond the specification; can be repeated',
    another,
    [],
  )
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
    throw new InvalidArgumentError('It must be a word in capitals such as TRANSFER_NOTIFICATION.');
  return [...others, eventType];
}

const credentials = { clientId: options.clientId, clientSecret: options.clientSecret };

function printAddresses({ profile, clock }: Platform, port: number): void {
  const origin = `http://localhost:${port}`;
  const { token, webhookPaths } = profile;
  const lines = invitation({ origin, tokenPath: token.path, webhooksPath: webhookPaths.webhooks, credentials });
  process.stdout.write(
    [
      '',
      `  {base_url}  ${origin}`,
      `  {auth_url}  ${origin}, token at ${token.path}, client_id ${credentials.clientId}`,
      `  OpenAPI     ${origin}/openapi.json`,
      `  control     ${origin}/control, OpenAPI at ${origin}/control/openapi.json`,
      `  the clock   ${clock.isFrozen() ? `stands at ${clock.now().toISOString()}` : 'runs'}`,
      '',
      'Get a token, register a webhook, and let the platform send a notification to it:',
      '',
      ...lines.map((line) => `  ${line}`),
      '',
      'sandbox/platform/README.md tells the rest. Ctrl-C ends it.',
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
