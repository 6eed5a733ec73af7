import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'vitest';
import * as z from 'zod';

/** Of a terminal of the partner: Node 24 as in their `node_modules`, and nothing of the vitest that runs this. */
const ofTerminal = Object.entries(process.env).filter(([name]) => !name.startsWith('VITEST') && name !== 'NODE_ENV');
export const terminal = {
  ...Object.fromEntries(ofTerminal),
  PATH: `${dirname(process.execPath)}:${process.env['PATH']}`,
};

/** Runs a command in a folder, and returns what it prints. @throws when its exit code is not 0 */
export async function runIn(folder: string, command: string, ...options: readonly string[]): Promise<string> {
  const { stdout } = await promisify(execFile)(command, options, { cwd: folder, env: terminal });
  return stdout;
}

const endpoints = z.object({ control: z.string() });

/**
 * Runs `npm start` in a repository until the sandbox platform has sent an order, and the function of the repository has handled it. Then
 * `doctor` finds no problem.
 *
 * @returns when the order was handled, by `performance.now()`
 */
export async function expectStartToHandleAnOrder(folder: string): Promise<number> {
  const child = spawn('npm', ['start'], { cwd: folder, env: terminal, detached: true });
  let printed = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (printed += String(chunk)));
  // Not `exit`: npm can be gone before the laptop is.
  const ended = once(child, 'close');
  try {
    const file = join(folder, '.sandbox/endpoints.json');
    const isUp = () => existsSync(file) || child.exitCode !== null;
    await expect.poll(isUp, { timeout: 120_000 }).toBe(true);
    expect(existsSync(file), printed).toBe(true);
    const { control } = endpoints.parse(JSON.parse(readFileSync(file, 'utf8')));
    const notification = {
      eventType: 'TRADITIONAL_ASSET_ORDER_NOTIFICATION',
      body: '{"orderId":"order-of-test","status":"FILLED"}',
    };
    const sent = await fetch(`${control}/notifications`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(notification),
    });
    expect(await sent.json()).toEqual({ outcome: 'delivered', status: 200 });
    const handled = /^keep-orders .*"outcome":"handled","key":"order#order-of-test"/m;
    const isHandled = () => handled.test(readFileSync(join(folder, '.sandbox/functions.log'), 'utf8'));
    // A busy machine can cut the first run. The message comes again once its claim has ended.
    await expect.poll(isHandled, { timeout: 300_000 }).toBe(true);
    const handledOn = performance.now();
    // Its exit code is 0 only if no check finds a problem. On a busy machine the first runs of the schedules are late.
    const examine = () => runIn(folder, 'npx', '--no', '--', 'drawbridge', 'doctor').then(() => 'good', String);
    await expect.poll(examine, { timeout: 300_000, interval: 5_000 }).toBe('good');
    return handledOn;
  } finally {
    // npm and the laptop, as Ctrl-C ends them.
    if (child.exitCode === null && child.pid !== undefined) process.kill(-child.pid, 'SIGINT');
    await ended;
  }
}
