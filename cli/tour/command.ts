import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Command } from 'commander';
import * as z from 'zod';
import type { CommandDeps } from '#cli/command/command-deps.ts';
import { CommandError } from '#cli/command/command-error.ts';
import { documentCommand } from '#cli/command/document-command.ts';
import { isLaptop } from '#cli/deployment/deployment.ts';
import { SandboxError } from '#sandbox/errors.ts';
import { createGuide, type RunCommand } from './guide.ts';
import { type Tour, tourSteps } from './steps.ts';

const tourOptions = z.object({ env: z.string(), directory: z.string(), yes: z.boolean(), app: z.string() });

/** Adds `tour`: the tutorial, step by step, with the commands that each step uses. */
export function addTourCommand(program: Command, deps: CommandDeps, run: RunCommand): void {
  const command = program
    .command('tour')
    .description(
      'Shows Drawbridge in six steps, and the command that each step uses. Starts the laptop, unless npm start runs.',
    )
    .option('--app <path>', 'the CDK app to host, if npm start does not run', '.')
    .action(async () => {
      const { env, directory, yes, app } = tourOptions.parse(command.optsWithGlobals());
      if (!isLaptop(env))
        throw new CommandError(
          'The tour creates test persons and an outage, so it runs on this machine only.',
          'run drawbridge tour without --env.',
        );
      const print = (text: string) => deps.stdout(`${text}\n`);
      const laptop = existsSync(join(directory, 'endpoints.json'))
        ? undefined
        : await startLaptop({ app: resolve(app), directory: resolve(directory), environment: deps.environment, print });
      const guide = createGuide({ run, print, deps: { ...deps, defaultDirectory: directory } });
      const mayContinue = async () => {
        if (yes || deps.askToContinue === undefined) return true;
        const answer: Promise<boolean> = deps.askToContinue('Continue?');
        return answer;
      };
      try {
        const tour: Tour = { guide, externalId: '', naturalPersonId: '', orderId: '' };
        for (const [index, { title, text, act }] of tourSteps.entries()) {
          print(`${index + 1}/${tourSteps.length}  ${title}\n\n${text}\n`);
          if (!(await mayContinue())) return;
          await act(tour);
        }
        print('That was the tour. Try drawbridge --help, or drawbridge trigger --list.');
      } finally {
        // A tour that ends early must not leave the endpoint of npm start down.
        await guide.list('outage', 'stop').catch(() => undefined);
        await laptop?.close();
      }
    });
  documentCommand(command, {
    examples: ['drawbridge tour', 'drawbridge tour --yes'],
    json: 'nothing: the tour prints only text',
    writes: 'the laptop. It asks before each step, unless `--yes` is given',
  });
}

type LaptopProps = {
  readonly app: string;
  readonly directory: string;
  readonly environment: CommandDeps['environment'];
  readonly print: (text: string) => void;
};

/** In seconds: how soon a failed message comes back, and how long a video call takes. */
const redeliveryDelay = 1;
const videoCallsAfter = 2;

async function startLaptop({ app, directory, environment, print }: LaptopProps) {
  // The laptop is loaded only for this case: it is most of the code.
  const { startSandbox } = await import('#sandbox/sandbox.ts');
  return startSandbox({
    root: app,
    directory,
    environment,
    redeliveryDelay,
    platform: { settings: { videoCallsAfter } },
    onStep: (step) => print(`${step} …`),
  }).catch((cause: unknown) => {
    if (!(cause instanceof SandboxError)) throw cause;
    const isFolder = cause.message.includes('cdk.json');
    const next = isFolder
      ? 'npx --no -- drawbridge init makes such a folder; --app names another one.'
      : 'drawbridge tour again.';
    throw new CommandError(cause.message, next, { cause });
  });
}
