import type { Command } from 'commander';
import * as z from 'zod';
import { createContext, deploymentOptions } from '#cli/command/command-context.ts';
import type { CommandDeps } from '#cli/command/command-deps.ts';
import { CommandError } from '#cli/command/command-error.ts';
import { documentCommand } from '#cli/command/document-command.ts';
import { SandboxError } from '#sandbox/errors.ts';
import { portNumber } from '#sandbox/terminal/command-line.ts';

const consoleOptions = z.object({ operator: z.boolean(), port: z.number().optional() });

/** Adds `console`: pages in the browser, served on this machine. */
export function addConsoleCommand(program: Command, deps: CommandDeps): void {
  const command = program
    .command('console')
    .description('Serves pages that show webhooks, entities and onboardings, and act on them, until Ctrl-C.')
    .option('--operator', 'allow writes: each shows what it will do, and asks', false)
    .option('--port <number>', 'the port on this machine (default: a free port)', portNumber)
    .action(async (given: unknown) => {
      const { operator: isOperator, port } = consoleOptions.parse(given);
      const { output, connect } = createContext(command, deps);
      const deployment = await connect();
      const interrupted = deps.untilInterrupted();
      // The server and the diagrams are loaded only for this command.
      const { startConsole } = await import('./server/start-console.ts');
      const running = await startConsole(
        { deployment, isOperator, port, commandOptions: deploymentOptions(program) },
        deps,
      ).catch((error: unknown) => {
        if (error instanceof SandboxError && error.code === 'PORT_TAKEN')
          throw new CommandError(error.message, 'drawbridge console, for a free port', { cause: error });
        throw error;
      });
      try {
        output.answer({ url: running.url }, () => running.url);
        output.note('The address opens one browser, once. To end, press Ctrl-C.');
        await new Promise<void>((resolve) => {
          if (interrupted.aborted) return resolve();
          interrupted.addEventListener('abort', () => resolve(), { once: true });
        });
      } finally {
        await running.close();
      }
    });
  documentCommand(command, {
    examples: [
      'drawbridge console',
      'drawbridge console --env production',
      'drawbridge console --env production --operator',
    ],
    json: '`url`: the address with the one-time token',
    writes:
      'nothing by itself; with `--operator`, what you confirm in the browser. On AWS, `--operator` also creates a rule on the bus and a queue while a window is open, and removes both',
  });
}
