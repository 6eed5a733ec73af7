import { randomBytes } from 'node:crypto';
import { getRequestListener } from '@hono/node-server';
import type { CommandDeps } from '#cli/command/command-deps.ts';
import { createActions } from '#cli/console/actions/actions.ts';
import { loadConsoleAssets } from '#cli/console/assets/console-assets.ts';
import type { ConsoleContext } from '#cli/console/console-context.ts';
import { createLiveFeed } from '#cli/console/live/live-feed.ts';
import { createOverviewSampler } from '#cli/console/live/overview-sampler.ts';
import { readOverview } from '#cli/console/overview/read-overview.ts';
import { createReads } from '#cli/console/reads/reads.ts';
import type { Deployment } from '#cli/deployment/deployment.ts';
import { commandNameOf, type TypedCommand } from '#cli/output/name-command.ts';
import { createControlClient } from '#cli/sandbox/control-client.ts';
import { watchTail } from '#cli/tail/watch-tail.ts';
import { createWatchWebhooks } from '#cli/tail/watch-webhooks.ts';
import { listen } from '#sandbox/net/server.ts';
import { createConsoleApp } from './console-app.ts';
import { createSession } from './session.ts';

export type ConsoleOptions = {
  readonly deployment: Deployment;
  /** Whether the console may write. */
  readonly isOperator: boolean;
  /** The port of this machine; a free one unless given. */
  readonly port?: number | undefined;
  /** Below it, deleted dead letters and exports are kept; the current folder unless given. */
  readonly folder?: string;
  /** The options that name the deployment in the commands that the pages show; none unless given. */
  readonly commandOptions?: TypedCommand['options'];
};

export type ConsoleDeps = Pick<CommandDeps, 'fetch' | 'now' | 'newId' | 'wait' | 'environment'>;

export type RunningConsole = {
  /** The address that opens the console in one browser, once. */
  readonly url: string;
  readonly origin: string;
  readonly close: () => Promise<void>;
};

/** In milliseconds: between two overviews. On AWS each costs some twenty requests. */
const overviewIntervals = { laptop: 3_000, aws: 30_000 };

/**
 * Serves the console on this machine.
 *
 * @throws {SandboxError} PORT_TAKEN
 */
export async function startConsole(
  { deployment, isOperator, port, folder = '.', commandOptions = {} }: ConsoleOptions,
  deps: ConsoleDeps,
): Promise<RunningConsole> {
  const control =
    deployment.control === undefined ? undefined : createControlClient(deployment.control.replace(/\/$/, ''), deps);
  const typedCommand = { name: commandNameOf(deps.environment) ?? 'drawbridge', options: commandOptions };
  const context: ConsoleContext = { deployment, control, isOperator, typedCommand, folder, reports: [], deps };
  const assets = await loadConsoleAssets();
  const session = createSession();
  const feed = createLiveFeed({ wait: deps.wait, watch: createWatch(context) });
  const sampler = createOverviewSampler({
    read: () => readOverview(context),
    wait: deps.wait,
    interval: deployment.isLaptop ? overviewIntervals.laptop : overviewIntervals.aws,
  });
  const app = createConsoleApp({
    context,
    reads: createReads(context, sampler),
    actions: createActions(context),
    assets,
    session,
    feed,
    sampler,
    runId: randomBytes(6).toString('hex'),
  });
  const server = await listen(getRequestListener(app.fetch), port);
  return {
    origin: server.origin,
    // A fragment stays in the browser: no log of a server has it.
    url: `${server.origin}/open#token=${session.token}`,
    close: async () => {
      sampler.close();
      await server.close();
      await feed.close();
    },
  };
}

/** The bus needs a rule and a queue, which only an operator makes on AWS. Without them, only webhooks are watched, once a minute. */
function createWatch({ deployment, isOperator, deps }: ConsoleContext): Parameters<typeof createLiveFeed>[0]['watch'] {
  return async ({ lines: onLines, watching: onWatching, note }, stop) => {
    if (isOperator || deployment.isLaptop) {
      const props = { deployment, command: 'console', webhookTypes: undefined, onLines, onWatching, stop } as const;
      await watchTail(props, { ...deps, note });
      return;
    }
    const watchWebhooks = createWatchWebhooks(deployment, undefined, { ...deps, note, hasBusEvent: () => false });
    await watchWebhooks(onLines, stop, () => {
      onWatching();
      note('Bus events need --operator: a rule and a queue are made to read them.');
    });
    if (!stop.aborted)
      note('Nothing comes here: webhooks need the setting listEvents, and bus events need --operator.');
  };
}
