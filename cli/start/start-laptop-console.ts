import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { type RunningConsole, startConsole } from '#cli/console/server/start-console.ts';
import { connect } from '#cli/deployment/connect.ts';
import { local } from '#cli/deployment/deployment.ts';

/** Serves the console for the laptop, with writes: nothing there is anyone's money. @param directory where `endpoints.json` is */
export async function startLaptopConsole(directory: string): Promise<RunningConsole> {
  const deps = {
    fetch,
    now: () => new Date(),
    newId: () => randomUUID().slice(0, 8),
    wait: (milliseconds: number, signal?: AbortSignal) =>
      wait(milliseconds, undefined, signal === undefined ? {} : { signal }).catch(() => undefined),
  };
  return startConsole({ deployment: await connect({ env: local, directory }, deps), isOperator: true }, deps);
}
