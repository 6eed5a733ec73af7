import { resolve } from 'node:path';
import type { Command } from 'commander';
import * as z from 'zod';
import { deploymentOptions } from '#cli/command/command-context.ts';
import type { CommandDeps } from '#cli/command/command-deps.ts';
import { CommandError } from '#cli/command/command-error.ts';
import { documentCommand } from '#cli/command/document-command.ts';
import { isLaptop } from '#cli/deployment/deployment.ts';
import { count, countOrNone, perSecond, portNumber, requireNode24 } from '#sandbox/terminal/command-line.ts';

const startOptions = z.object({
  env: z.string(),
  app: z.string(),
  exit: z.boolean(),
  port: z.number().optional(),
  containers: z.boolean(),
  webhooks: z.number(),
  seed: z.number(),
  quiet: z.boolean(),
  traffic: z.number().optional(),
  watch: z.boolean(),
  directory: z.string(),
});

/** Adds `start`: hosts a CDK app with Drawbridge on this machine, with a sandbox of the platform. */
export function addStartCommand(program: Command, { environment, exit }: CommandDeps): void {
  const command = program
    .command('start')
    .description(
      'Hosts the stacks on this machine beside a sandbox of the platform, and shows what they do until Ctrl-C.',
    )
    .option('--app <path>', 'the CDK app to host, a folder with a cdk.json: Drawbridge, and stacks of yours', '.')
    .option('--exit', 'exit after the webhooks; exit code 1 if one was lost or stored twice', false)
    .option('--port <number>', 'the port of the HTTP API (default: a free port)', portNumber)
    .option(
      '--containers',
      'answer containers as well, which call this machine host.docker.internal (Docker Desktop)',
      false,
    )
    .option(
      '--watch',
      'replace the code of a function when its sources change; tables, queues and the platform keep their state',
      false,
    )
    .option(
      '--webhooks <number>',
      'demo traffic: the number of different webhooks to send, some malformed',
      countOrNone,
      0,
    )
    .option('--seed <number>', 'the seed for the webhooks and their order', count, 1)
    .option('--quiet', 'print no line per webhook, decision and bus event', false)
    .option('--traffic <rate>', 'onboard, trade and settle in the background, such as 5/s', perSecond)
    .action(async () => {
      requireNode24();
      const { env, app, directory, ...options } = startOptions.parse(command.optsWithGlobals());
      if (!isLaptop(env))
        throw new CommandError(
          `This command hosts the stacks on this machine, not in ${env}.`,
          'run drawbridge start without --env, or deploy with npx cdk deploy --all.',
        );
      // The laptop is loaded only for this command: it is most of the code.
      const { start } = await import('./start.ts');
      exit(
        await start({
          ...options,
          app: resolve(app),
          directory: resolve(directory),
          commandOptions: deploymentOptions(program),
          environment,
        }),
      );
    });
  documentCommand(command, {
    examples: [
      'npx --no -- drawbridge start',
      'npx --no -- drawbridge start --watch',
      'npx --no -- drawbridge start --webhooks 500',
      'npx --no -- drawbridge start --traffic 5/s --quiet',
    ],
    json: 'nothing: the command prints text until Ctrl-C',
    found: 'a webhook was lost or stored twice',
  });
}
