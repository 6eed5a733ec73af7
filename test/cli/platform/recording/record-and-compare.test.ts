import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { startPlatformServer } from '#sandbox/platform/app/serve.ts';
import { makeReadyPerson } from '#sandbox/platform/persons/ready-person.ts';
import { createAppForTests, runForTests } from '#test/cli/program-for-tests.ts';

const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

const credentials = { clientId: 'client', clientSecret: 'the-client-secret' };

async function startSandbox() {
  const { platform, origin, close } = await startPlatformServer({
    fetch: () => Promise.reject(new Error('No webhook is taken.')),
    now: () => new Date(),
    onError: (error) => expect.fail(String(error)),
    credentials,
  });
  closers.push(close);
  platform.registrations.register({ eventType: 'NATURAL_PERSON_NOTIFICATION', url: 'https://partner.example/persons' });
  const persons = (['ACTIVE', 'CREATED'] as const).map((status) =>
    makeReadyPerson(platform, { externalId: `partner-${status}` }, status),
  );
  const [person] = persons;
  const webhook = platform.registrations.get('NATURAL_PERSON_NOTIFICATION');
  if (person === undefined || webhook === undefined) return expect.fail('The sandbox has no person.');
  const { naturalPersonId, lastName, modifiedOn } = person;
  const validationError = { errorType: 'ADDRESS_INVALID', description: `Unknown: ${lastName}` };
  const body = JSON.stringify({ naturalPersonId, status: 'ACTIVE', modifiedOn, validationError, [lastName]: lastName });
  platform.undelivered.add({ webhook, body, errorMessage: `No answer about ${lastName}.` });
  return { origin, persons };
}

function createApp(origin: string): string {
  const app = createAppForTests(origin, 'self');
  closers.push(() => rmSync(app, { recursive: true }));
  return app;
}

const run = (...commandLine: readonly string[]) =>
  runForTests([...commandLine, '--env', 'test'], {
    readFile: (path) => (path === '-' ? JSON.stringify(credentials) : readFileSync(path, 'utf8')),
  });

/** Every text and number in a value. */
function valuesIn(value: unknown): readonly (string | number)[] {
  if (typeof value === 'string' || typeof value === 'number') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(valuesIn) : [];
}

describe('drawbridge platform record and compare', () => {
  it('records no value of a person of the sandbox, and finds nothing to do', async () => {
    const { origin, persons } = await startSandbox();
    const app = createApp(origin);
    const file = join(app, 'recording.json');
    const recorded = await run('platform', 'record', '--app', app, '--file', '-', '--out', file);
    expect(recorded).toMatchObject({
      exit: 0,
      stderr: '',
      stdout: expect.stringContaining(`${file} has the shapes of`),
    });
    const content = readFileSync(file, 'utf8');
    for (const value of valuesIn(persons.map(({ naturalPersonStatus, ...data }) => data)))
      expect(content).not.toMatch(String(value).length > 3 ? String(value) : `"${value}"`);
    for (const secret of Object.values(credentials)) expect(content).not.toContain(secret);
    for (const word of ['ACTIVE', 'CREATED', 'ADDRESS_INVALID', 'NATURAL_PERSON_NOTIFICATION'])
      expect(content).toContain(word);

    const compared = await run('platform', 'compare', file, '--app', app, '--json');
    const lines = compared.stdout.trimEnd().split('\n');
    expect(lines.filter((line) => line.includes('"problem"'))).toEqual([]);
    expect(compared.exit).toBe(0);
    expect(lines.at(-1)).toBe('{"platformProfile":{}}');
  });

  it('replaces a recording only with --force, and no file without a token', async () => {
    const { origin } = await startSandbox();
    const app = createApp(origin);
    const file = join(app, 'recording.json');
    writeFileSync(file, '{}');
    const record = ['platform', 'record', '--app', app, '--file', '-', '--out', file] as const;
    expect(await run(...record)).toMatchObject({ exit: 2, stderr: expect.stringContaining('add --force') });
    writeFileSync(
      join(app, 'settings', 'test.json'),
      JSON.stringify({ platform: { baseUrl: origin, authUrl: `${origin}/no` } }),
    );
    expect(await run(...record, '--force')).toMatchObject({
      exit: 2,
      stderr: expect.stringContaining('gave no token'),
    });
    expect(readFileSync(file, 'utf8')).toBe('{}');
    const deep = `{"operations":${'{"items":'.repeat(20_000)}{}${'}'.repeat(20_000)}}`;
    for (const content of ['{}', deep]) {
      writeFileSync(file, content);
      expect(await run('platform', 'compare', file, '--app', app)).toMatchObject({
        exit: 2,
        stderr: expect.stringContaining('is not a recording of this release'),
      });
    }
  });
});
