import * as z from 'zod';
import { CommandError } from '#cli/command/command-error.ts';
import type { ConsoleContext } from '#cli/console/console-context.ts';
import type { ControlClient } from '#cli/sandbox/control-client.ts';
import { placedFault } from '#cli/sandbox/fault-command.ts';
import { delivery, request } from '#cli/sandbox/log-commands.ts';
import { reachable } from '#cli/sandbox/outage-command.ts';
import { personas } from '#cli/sandbox/persona-command.ts';
import { clock } from '#cli/sandbox/read-clock.ts';
import { lifeCycles } from '#cli/sandbox/trigger-command.ts';
import { defineRead } from './define-read.ts';

const logQuery = z.object({ contains: z.string().optional() });

const logSize = '30';

/** @throws {CommandError} on AWS */
export function requireControl({ control, deployment }: Pick<ConsoleContext, 'control' | 'deployment'>): ControlClient {
  if (control !== undefined) return control;
  throw new CommandError(
    `The environment ${deployment.environment} has no sandbox platform.`,
    'run drawbridge console without --env, beside npm start.',
  );
}

/** The sandbox platform of the laptop. */
export function createSandboxReads(context: Pick<ConsoleContext, 'control' | 'deployment'>) {
  const get = <Schema extends z.ZodType>(path: string, schema: Schema, query = {}) =>
    requireControl(context).send({ method: 'GET', path, query }, schema);
  return {
    sandbox: defineRead(z.object({}), async () => {
      const [time, faults, outage, made, cycles] = await Promise.all([
        get('/clock', clock),
        get('/faults', z.array(placedFault)),
        get('/outage', reachable),
        get('/personas', personas),
        get('/triggers', lifeCycles),
      ]);
      return { clock: time, faults, isOut: !outage.isReachable, personas: made, lifeCycles: cycles };
    }),
    requests: defineRead(logQuery, async (query) => {
      const page = await get('/requests', z.object({ data: z.array(request) }), { ...query, limit: logSize });
      return page.data.map(({ body: _, answer: __, ...shown }) => shown);
    }),
    deliveries: defineRead(logQuery, async (query) => {
      const page = await get('/deliveries', z.object({ data: z.array(delivery) }), { ...query, limit: logSize });
      return page.data.map(({ body: _, ...shown }) => shown);
    }),
  };
}
