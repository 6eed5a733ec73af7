import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { WriteStream } from 'node:tty';
import type { Command } from 'commander';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { printFindings } from '#cli/doctor/print-findings.ts';
import { loadProgram } from '#cli/load-program.ts';
import { commandNames } from '#cli/output/name-command.ts';
import { createOutput, createStyle } from '#cli/output/output.ts';
import { lockDirectory } from '#sandbox/directory-lock.ts';
import { version } from '#shared/version.ts';
import { depsForTests, programForTests, runForTests } from './program-for-tests.ts';

/** Without a sandbox and without a CDK app. */
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'drawbridge-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe('drawbridge without a deployment', () => {
  it.each([
    ['npm start does not run', 'status --directory /nowhere', 'Next: npm start'],
    ['a command is misspelt', 'statu', 'Did you mean status?'],
    ['tail filters by a misspelt type', 'tail --type OrderStatusChangd', 'Did you mean OrderStatusChanged?'],
    ['tail filters by a word that is no type', 'tail --type Foo', 'Foo is not a known event type or detail-type.'],
    ['an environment has capitals', 'status --env Production', 'An environment is lower-case letters'],
    ['an option is no number', 'events ls --limit abc', 'Next: drawbridge events ls --help.'],
    ['a port is too high', 'platform --port 70000', 'The highest port is 65535.'],
    ['a seed is no number', 'platform --seed many', 'The value must be a whole number above 0.'],
    ['a time is no date-time', 'platform --frozen-at yesterday', 'a date-time such as 2026-11-21T08:00:00Z.'],
    ['an event type is no word in capitals', 'platform --new-event-type weather', 'such as TRANSFER_NOTIFICATION.'],
    ['an argument is missing', 'events show', 'Next: drawbridge events ls, or drawbridge events show --help.'],
    ['a tour is of a deployment', 'tour --env production', 'without --env'],
    ['a folder has no CDK app', 'tour --app FOLDER --directory FOLDER/sandbox', 'Next: npx --no -- drawbridge init'],
  ])('exits with 2, and names what to do, when %s', async (_, commandLine, said) => {
    expect(await runForTests(commandLine.replaceAll('FOLDER', folder).split(' '))).toMatchObject({
      exit: 2,
      stderr: expect.stringContaining(said),
    });
  });

  it('says on Windows that Drawbridge needs WSL, before init writes anything', async () => {
    const { stderr } = await runForTests(['init', join(folder, 'my-bank')], { platform: 'win32' });
    expect(stderr).toContain('Windows needs WSL');
  });

  it.each([
    ['--version', `${version}\n`],
    ['status --help', expect.stringContaining('Examples:')],
  ])('exits with 0 for %s', async (commandLine, printed) => {
    expect(await runForTests(commandLine.split(' '))).toMatchObject({ exit: 0, stdout: printed });
  });
});

it('writes all of its output to a pipe that takes it slowly, and then exits', async () => {
  const drawbridge = spawn(process.execPath, ['cli/main.ts', '\u0007'.repeat(100_000)]);
  const exit = new Promise((resolve) => drawbridge.on('exit', resolve));
  expect((await text(drawbridge.stderr)).slice(-40)).toContain("\\u0007'\nNext: drawbridge --help.\n");
  expect(await exit).toBe(2);
});

describe('npm start, before it synthesizes', () => {
  beforeEach(() => {
    // What it prints before it ends.
    vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  });
  afterEach(() => vi.restoreAllMocks());

  const start = (...options: readonly string[]) => runForTests(['start', '--directory', folder, ...options]);

  it('exits with 2 when the folder of --app has no CDK app, or fetch blocks the port', async () => {
    const none = join(folder, 'none');
    expect(await start('--app', none)).toMatchObject({
      exit: 2,
      stderr: expect.stringContaining(`There is no cdk.json in ${none}`),
    });
    expect(await start('--port', '6000')).toMatchObject({
      exit: 2,
      stderr: expect.stringContaining('Port 6000 is blocked'),
    });
  });

  it('exits with 2 when another sandbox uses the directory, and leaves the files of that sandbox unchanged', async () => {
    const unlock = lockDirectory(folder);
    const file = join(folder, 'endpoints.json');
    writeFileSync(file, '{}');
    const { exit, stderr } = await start('--exit');
    unlock();
    expect({ exit, stderr }).toEqual({
      exit: 2,
      stderr: expect.stringContaining(`process ${process.pid}, uses ${folder}`),
    });
    expect(readFileSync(file, 'utf8')).toBe('{}');
  });
});

describe('an option that would have no effect', () => {
  it.each([
    ['start --env production', 'hosts the stacks on this machine, not in production'],
    ['doctor --env production --file credentials.json', '--file and --app go with --platform'],
  ])('ends the command with 2: %s', async (commandLine, reason) => {
    expect(await runForTests(commandLine.split(' '))).toMatchObject({
      exit: 2,
      stdout: '',
      stderr: expect.stringContaining(reason),
    });
  });
});

describe('the program that loads one command', () => {
  it('knows the name of every command, so that each hint names what the user types', () => {
    expect(commandNames).toEqual(programForTests().commands.map((command) => command.name()));
  });

  it.each([
    'status',
    'doctor',
    'dlq',
    'persons',
    'quarantine',
    'onboardings',
    'tail',
    'webhooks',
    'token',
    'logs',
    'trigger',
  ])('has the same help for %s as the whole program', async (name) => {
    const alone = await loadProgram([name], depsForTests());
    const find = (program: Command) => program.commands.find((command) => command.name() === name);
    expect(alone.commands).toHaveLength(1);
    expect(find(alone)?.helpInformation()).toBe(find(programForTests())?.helpInformation());
  });
});

describe('a colour on the command line', () => {
  const { getColorDepth } = WriteStream.prototype;
  const terminal = Object.assign(new PassThrough(), { isTTY: true, getColorDepth });
  const none = {
    NO_COLOR: undefined,
    FORCE_COLOR: undefined,
    NODE_DISABLE_COLORS: undefined,
    CI: undefined,
    TERM: 'xterm-256color',
  };

  it.each([
    ['comes to a terminal', terminal, {}, true],
    ['does not come to a pipe', new PassThrough(), {}, false],
    ['obeys NO_COLOR', terminal, { NO_COLOR: '1' }, false],
    ['obeys FORCE_COLOR', new PassThrough(), { FORCE_COLOR: '1' }, true],
  ])('%s', (_, stream, environment, isColoured) => {
    for (const [name, value] of Object.entries({ ...none, ...environment })) vi.stubEnv(name, value);
    const text = createStyle(stream)('bad', 'text');
    vi.unstubAllEnvs();
    expect(text).toBe(isColoured ? '\u001b[31mtext\u001b[39m' : 'text');
  });

  it('marks what needs an operator, and cannot come from a text of others', () => {
    const written: string[] = [];
    const output = createOutput({
      isJson: false,
      stdout: (text) => written.push(text),
      stderr: () => undefined,
      terminalWidth: () => 80,
      style: (tone, text) => `<${tone}>${text}</${tone}>`,
    });
    const findings = [
      { check: 'alarms', result: 'problem', detail: 'the alarm \u001b[32mA is on', remedy: 'drawbridge alarms' },
      { check: 'clock', result: 'good', detail: 'the clock is right' },
    ] as const;
    printFindings(findings, output);
    expect(written.join('')).toBe(
      '<bad>problem  alarms: the alarm \\u001b[32mA is on</bad>\n         → drawbridge alarms\n<good>good     clock: the clock is right</good>\n',
    );
  });
});
