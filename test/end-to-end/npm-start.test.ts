import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import * as z from 'zod';
import { lockDirectory } from '#sandbox/directory-lock.ts';

const root = dirname(dirname(import.meta.dirname));
let directory: string;
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'drawbridge-'));
});
afterAll(() => rmSync(directory, { recursive: true, force: true }));

type Run = {
  readonly process: ChildProcess;
  readonly printed: () => string;
  readonly exitCode: Promise<number | null>;
};

function start(...options: readonly string[]): Run {
  const child = spawn(process.execPath, ['sandbox/main.ts', '--directory', directory, ...options], { cwd: root });
  onTestFinished(() => void child.kill());
  let printed = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (printed += String(chunk)));
  return {
    process: child,
    printed: () => printed,
    exitCode: new Promise((resolve) => child.once('exit', resolve)),
  };
}

function descendantsOf({ process: { pid } }: Run): readonly number[] {
  return execFileSync('ps', ['-eo', 'pid=,ppid='])
    .toString()
    .split('\n')
    .map((line) => line.trim().split(/\s+/).map(Number))
    .flatMap(([child, parent]) => (parent === pid && child !== undefined ? [child] : []));
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

const endpoints = z.strictObject({
  webhooks: z.strictObject({ url: z.url(), headers: z.record(z.string(), z.string()) }),
  api: z.url(),
  platform: z.url(),
  control: z.url(),
  aws: z.strictObject({ dynamodb: z.url(), sqs: z.url() }),
  tables: z.record(z.string(), z.string()),
  queues: z.record(z.string(), z.url()),
});

describe('npm start -- --exit', () => {
  it('sends webhooks, prints what became of each, and exits with 0 when none was lost or doubled', async () => {
    const run = start('--exit', '--webhooks', '20');
    expect(await run.exitCode, run.printed()).toBe(0);
    expect(run.printed()).toMatch(/total +24 +24 +20 +4 +\d+\n/);
    expect(run.printed()).toContain('0 lost, 0 stored twice, 0 changed');
    expect(run.printed()).toContain('Not checked here: ');
  });

  it('says what is wrong with an option, and exits with 1', async () => {
    const run = start('--webhooks', 'many');
    expect(await run.exitCode).toBe(1);
    expect(run.printed()).toContain("'--webhooks <number>' argument 'many' is invalid");
  });
});

describe('npm start refuses at once', () => {
  it.each(['6000', '6667', '2049'])('a port that fetch does not call: %s', async (port) => {
    const run = start('--port', port);
    expect(await run.exitCode).toBe(1);
    expect(run.printed()).toContain(`Port ${port} is blocked`);
    expect(run.printed()).not.toContain('Synthesizing');
  });

  it('a directory that another sandbox uses, and leaves its files as they are', async () => {
    const unlock = lockDirectory(directory);
    const file = join(directory, 'endpoints.json');
    writeFileSync(file, '{}');
    try {
      const run = start('--exit');
      expect(await run.exitCode).toBe(1);
      expect(run.printed()).toContain(`process ${process.pid}, uses ${directory}`);
      expect(readFileSync(file, 'utf8')).toBe('{}');
    } finally {
      unlock();
      rmSync(file);
    }
  });
});

describe('npm start', () => {
  it('stays up, tells tools where everything is, takes webhooks, and ends all that it started on Ctrl-C', async () => {
    const run = start('--webhooks', '20');
    await expect.poll(run.printed, { timeout: 50_000 }).toContain('The sandbox keeps running');
    const file = join(directory, 'endpoints.json');
    const { webhooks, api, control, tables, queues } = endpoints.parse(JSON.parse(readFileSync(file, 'utf8')));
    expect(Object.keys(tables)).toEqual(['events', 'entities', 'onboardings', 'checkpoints']);
    expect(Object.keys(queues).toSorted()).toEqual([
      'missed-runs',
      'onboarding',
      'onboarding-dlq',
      'token-refreshes',
      'token-refreshes-dlq',
      'webhooks',
      'webhooks-dlq',
    ]);
    const delivered = await fetch(`${webhooks.url}/TRANSFER_NOTIFICATION`, {
      method: 'POST',
      headers: { ...webhooks.headers, 'content-type': 'application/json' },
      body: '{"transferId":"t"}',
    });
    expect(delivered.status).toBe(200);
    const query = async () => (await fetch(`${api}/entities/transfer/t`)).status;
    await expect.poll(query).toBe(200);
    const notified = await fetch(`${control}/notifications`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ eventType: 'TRANSFER_NOTIFICATION', body: '{"transferId":"u"}' }),
    });
    expect(await notified.json()).toEqual({ outcome: 'delivered', status: 200 });

    // Its credentials are put in as a partner does: from then on there is a token.
    await expect.poll(() => readFileSync(join(directory, 'functions.log'), 'utf8')).toContain('"token refreshed"');

    const invoked = await fetch(`${control}/functions/register/invocations`, {
      method: 'POST',
      body: '{"mode":"plan"}',
    });
    expect(await invoked.json()).toMatchObject({ rotation: 'No rotation is under way.' });

    const started = descendantsOf(run);
    expect(started.length).toBeGreaterThan(0);
    run.process.kill('SIGINT');
    expect(await run.exitCode, run.printed()).toBe(0);
    await expect.poll(() => started.filter(isAlive)).toEqual([]);
    expect(existsSync(file)).toBe(false);
  });
});
