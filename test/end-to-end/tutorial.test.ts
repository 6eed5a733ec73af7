import { execFile, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';

const root = dirname(dirname(import.meta.dirname));
const page = readFileSync(join(root, 'docs/tutorial.md'), 'utf8');

/** A block of commands, with the output that the page shows right after it. */
type Lesson = { readonly commands: string; readonly shown: string | undefined };

const lessons: readonly Lesson[] = [...page.matchAll(/```(\w+)\n(.*?)```/gs)].flatMap(
  ([, kind, text = ''], index, all) => {
    const [, nextKind, shown] = all[index + 1] ?? [];
    return kind === 'sh' ? [{ commands: text, shown: nextKind === 'sh' ? undefined : shown }] : [];
  },
);

/** What a reader types into the first terminal: `git clone` and `npm ci` need no test, `npm start` is started below. */
const isForFirstTerminal = ({ commands }: Lesson) => /^(git|npm) /.test(commands);
const [start] = lessons.filter(({ commands }) => commands.startsWith('npm start'));
const typed = lessons.filter((lesson) => !isForFirstTerminal(lesson));

/** Without what differs on each machine. */
function normalized(output: string): string {
  return output
    .replaceAll(/[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}/g, 'id')
    .replaceAll(/\b[\da-f]{64}\b/g, 'hash')
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'time');
}

/** As JSON where it is JSON: the page has white space that the answers have not. */
function comparable(output: string): unknown {
  const text = normalized(output).trim();
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

let directory: string;
let printed: string;
let close: () => Promise<number | null>;

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'drawbridge-'));
  const options = /--webhooks \d+/.exec(start?.commands ?? '')?.[0].split(' ') ?? [];
  const sandbox = spawn(process.execPath, ['sandbox/main.ts', '--directory', directory, ...options], { cwd: root });
  const exitCode = new Promise<number | null>((resolve) => sandbox.once('exit', resolve));
  printed = '';
  const isUp = new Promise<void>((resolve) => {
    const collect = (chunk: unknown) => {
      printed += String(chunk);
      if (printed.includes('The sandbox keeps running')) resolve();
    };
    for (const stream of [sandbox.stdout, sandbox.stderr]) stream.on('data', collect);
  });
  close = () => {
    sandbox.kill('SIGINT');
    return exitCode;
  };
  expect(await Promise.race([isUp, exitCode]), printed).toBeUndefined();
}, 180_000);

afterAll(async () => {
  expect(await close(), printed).toBe(0);
  rmSync(directory, { recursive: true, force: true });
});

it('prints what the tutorial shows for npm start', () => {
  const lines = start?.shown?.trim().split('\n') ?? [];
  expect(lines).toHaveLength(3);
  const words = (text: string) => text.replaceAll(/ +/g, ' ');
  for (const line of lines) expect(words(printed)).toContain(words(line));
});

it('answers each command of the tutorial as the page shows', async () => {
  const separator = '--- next lesson ---';
  const script = typed.map(({ commands }) => `${commands}\necho '${separator}'`).join('\n');
  const { stdout } = await promisify(execFile)(
    'bash',
    ['-c', `set -u\n${script.replaceAll('.sandbox/', `${directory}/`)}`],
    { timeout: 150_000 },
  );
  const outputs = stdout.split(`${separator}\n`);
  expect(typed.length).toBeGreaterThan(10);
  for (const [index, { commands, shown }] of typed.entries())
    expect(comparable(outputs[index] ?? ''), commands).toEqual(comparable(shown ?? ''));
}, 180_000);
