import { execFile, execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, inject, it, vi } from 'vitest';
import * as z from 'zod';
import { root } from '#docs/generate/markdown-pages.ts';
import { cachedEnvironment } from './cached-environment.ts';
import { createCopyingApp } from './copy-assembly.ts';
import { quickStep, quickSteps } from './quick-steps.ts';
import { runDrawbridge } from './run-drawbridge.ts';
import { type Spawned, spawnProcess } from './spawn-process.ts';
import {
  comparable,
  definition,
  furtherLessons,
  idsOfRun,
  type Lesson,
  startLesson,
  tailLesson,
  withIds,
} from './tutorial-lessons.ts';

let directory: string;
let runs: Spawned[];
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'drawbridge-'));
  runs = [];
});
afterAll(async () => {
  for (const run of runs) run.process.kill();
  await Promise.all(runs.map(({ exit }) => exit));
  rmSync(directory, { recursive: true, force: true });
});

function start(...options: readonly string[]): Spawned {
  const run = spawnProcess(process.execPath, ['cli/main.ts', 'start', '--directory', directory, ...options]);
  runs.push(run);
  return run;
}

describe('npm start -- --exit', () => {
  it('hosts the CDK app of a folder, sends webhooks, prints a table of them, and exits with 0 when none is lost, stored twice or changed', async () => {
    const run = start(
      '--exit',
      '--watch',
      '--webhooks',
      '20',
      '--app',
      createCopyingApp(join(directory, 'app'), inject('assembly')),
    );
    expect(await run.exit, run.printed()).toMatchObject({ code: 0 });
    expect(run.printed()).toMatch(/total +24 +24 +20 +[4-9] +\d+\n/);
    expect(run.printed()).toContain('0 lost, 0 stored twice, 0 changed');
    expect(run.printed()).toContain('Not checked here: ');
    expect(run.printed()).toContain('Watching the code of advance, ');
  }, 400_000);
});

const endpoints = z.strictObject({
  webhooks: z.strictObject({ url: z.url(), headers: z.record(z.string(), z.string()) }),
  api: z.url(),
  platform: z.url(),
  control: z.url(),
  aws: z.strictObject({ dynamodb: z.url(), sqs: z.url() }),
  tables: z.record(z.string(), z.string()),
  queues: z.record(z.string(), z.url()),
});

function childrenOf({ process: { pid } }: Spawned): readonly number[] {
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

describe('npm start, as the tutorial starts it', () => {
  let run: Spawned;
  const endpointsFile = () => join(directory, 'endpoints.json');
  const readEndpoints = () => endpoints.parse(JSON.parse(readFileSync(endpointsFile(), 'utf8')));

  beforeAll(async () => {
    run = start(...(/--webhooks \d+/.exec(startLesson?.commands ?? '')?.[0].split(' ') ?? []));
    const isUp = new Promise<string>((resolve) =>
      run.process.stdout?.on('data', () => run.printed().includes('The sandbox keeps running') && resolve('up')),
    );
    expect(await Promise.race([isUp, run.exit]), run.printed()).toBe('up');
  }, 400_000);

  it('prints the lines that the tutorial shows', () => {
    const lines = startLesson?.shown?.trim().split('\n') ?? [];
    expect(lines).toHaveLength(3);
    const words = (text: string) => text.replaceAll(/ +/g, ' ');
    for (const line of lines) expect(words(run.printed())).toContain(words(line));
  });

  it('writes a file of endpoints, at which tools deliver webhooks, query entities and invoke functions', async () => {
    const { webhooks, api, control, tables, queues } = readEndpoints();
    expect(Object.keys(tables)).toEqual(['events', 'entities', 'onboardings', 'checkpoints', 'persons']);
    expect(Object.keys(queues).toSorted()).toEqual([
      'key-events',
      'missed-runs',
      'onboarding',
      'onboarding-dlq',
      'requests',
      'requests-dlq',
      'token-refreshes',
      'token-refreshes-dlq',
      'webhooks',
      'webhooks-dlq',
    ]);
    const delivered = await fetch(`${webhooks.url}/TRANSFER_NOTIFICATION`, {
      method: 'POST',
      headers: { ...webhooks.headers, 'content-type': 'application/json' },
      body: '{"transferId":"t","status":"PROCESSED"}',
    });
    expect(delivered.status).toBe(200);
    const query = async () => (await fetch(`${api}/entities/transfer/t`)).status;
    await expect.poll(query).toBe(200);
    await expect.poll(() => run.printed()).toMatch(/ decision +store {2}event applied {2}stored {2}[0-9a-f]{64}\n/);
    await expect.poll(() => run.printed()).toMatch(/ bus +TransferStatusChanged {2}PROCESSED {2}transfer {2}t\n/);
    const invoked = await fetch(`${control}/functions/register/invocations`, {
      method: 'POST',
      body: '{"mode":"plan"}',
    });
    expect(await invoked.json()).toMatchObject({ rotation: 'No rotation is under way.' });
  });

  it('fetches a token with the credentials of the sandbox platform', () => {
    expect(readFileSync(join(directory, 'functions.log'), 'utf8')).toContain('"token refreshed"');
  });

  describe('drawbridge tour', () => {
    beforeAll(async () => {
      // By default the platform takes seconds for its steps, for which the tour and the tutorial would only wait.
      const settings = { ...quickSteps, videoCallsAfter: quickStep };
      const answer = await fetch(`${readEndpoints().control}/settings`, {
        method: 'PATCH',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(settings),
      });
      expect(answer.status).toBe(200);
    });

    it('runs every step with --yes, and prints what was recorded', async () => {
      const { exit, stdout, stderr } = await runDrawbridge({ endpointsFile: endpointsFile() }, ['tour', '--yes']);
      expect(exit, stderr).toBe(0);
      await expect(recordingOf(stdout)).toMatchFileSnapshot('tour-recording.txt');
    }, 120_000);

    it('asks before each step, and ends when the user does not continue', async () => {
      const answers = [true, false];
      const { exit, stdout } = await runDrawbridge({ endpointsFile: endpointsFile() }, ['tour'], {
        askToContinue: async () => answers.shift() === true,
      });
      expect(exit).toBe(0);
      expect(stdout).toContain('step            COMPLETED');
      expect(stdout).toContain('2/6');
      expect(stdout).not.toContain('drawbridge trigger');
    }, 60_000);
  });

  it('answers each command of the tutorial with the output that the page shows', async () => {
    /** A script of the reader: the definition of the page, or the same without npm, which takes most of the time of a command. */
    const script = (define: string, commands: string) =>
      `${define.replace('"$@"', `"$@" --directory '${directory}'`)}\n${commands}`;
    const byNpm = 'npm_command=exec';
    const withoutNpm = `drawbridge() { ${byNpm} '${process.execPath}' cli/main.ts "$@"; }`;
    const options = { cwd: root, env: cachedEnvironment() };
    const { process: tail, printed: tailed } = spawnProcess('bash', ['-c', script(definition, tailLesson.commands)], {
      detached: true,
    });
    await expect.poll(tailed, { timeout: 60_000 }).toContain('Waiting for webhooks');

    const known = new Map<string, string>();
    const perform = async ({ commands, shown = '' }: Lesson) => {
      const { stdout } = await promisify(execFile)(
        'bash',
        ['-c', script(withoutNpm, withIds(commands, known))],
        options,
      );
      if (shown !== '')
        expect(comparable(stdout.replaceAll(` --directory ${directory}`, '')), commands).toBe(comparable(shown));
      for (const [ofPage, ofRun] of idsOfRun(shown, stdout)) known.set(ofPage, ofRun);
    };
    try {
      expect(furtherLessons.length).toBeGreaterThan(8);
      for (const lesson of furtherLessons)
        if (/^drawbridge \w+ (show|ls)/.test(lesson.commands))
          await vi.waitFor(() => perform(lesson), { timeout: 60_000 });
        else await perform(lesson);
      expect(tailLesson.lines).not.toEqual([]);
      for (const line of tailLesson.lines) expect(comparable(tailed())).toContain(comparable(withIds(line, known)));
    } finally {
      if (tail.exitCode === null && tail.pid !== undefined) process.kill(-tail.pid, 'SIGINT');
    }
  }, 400_000);

  it('ends every process that it has started, removes the file of endpoints, and exits with 0 on Ctrl-C', async () => {
    const started = childrenOf(run);
    expect(started.length).toBeGreaterThan(0);
    run.process.kill('SIGINT');
    expect(await run.exit, run.printed()).toMatchObject({ code: 0 });
    await expect.poll(() => started.filter(isAlive)).toEqual([]);
    expect(existsSync(endpointsFile())).toBe(false);
  });
});

/** Replaces what differs in each run of the tour: ids, times, and the steps that a watching command happens to see. */
function recordingOf(output: string): string {
  const id = namesFor((number) => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`);
  const hash = namesFor((number) => String(number).padStart(64, '0'));
  const delivery = namesFor((number) => `dlv-${number}`);
  return (
    output
      .replaceAll(/[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}/g, id)
      .replaceAll(/\b[\da-f]{64}\b/g, hash)
      .replaceAll(/\bdlv-\d+/g, delivery)
      .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '2026-01-02T08:00:00Z')
      .replaceAll(/(?:^2026-01-02T08:00:00Z +[A-Z_]+\n)+/gm, '…\n')
      .replaceAll(/^(sequence) +\d+$/gm, '$1  …')
      // A run of the schedule may have stored them first.
      .replaceAll(/(\d+) undelivered webhooks found, \d+ stored/g, '$1 undelivered webhooks found, $1 stored')
      .replaceAll(/ {3,}/g, '  ')
      .replaceAll(/ +$/gm, '')
  );
}

/** The same name for the same text, and the next one for another. */
function namesFor(nameOf: (number: number) => string): (text: string) => string {
  const names = new Map<string, string>();
  return (text) => {
    const name = names.get(text) ?? nameOf(names.size + 1);
    names.set(text, name);
    return name;
  };
}
