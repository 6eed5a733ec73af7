import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { DrawbridgeError } from '#shared/drawbridge-error.ts';
import { jsonVariable, readEnvironment } from '#shared/lambda/lambda-process.ts';

const text = z.string().check(z.minLength(1));
const settings = z.object({
  QUEUE_URL: text,
  RETENTION_DAYS: z.coerce.number().check(z.int(), z.positive()),
  PROFILE: z._default(jsonVariable(z.strictObject({ words: z.array(text) })), { words: ['default'] }),
});
const valid = { QUEUE_URL: 'https://queue', RETENTION_DAYS: '30', PROFILE: '{"words":["a"]}' };

function refusal(variables: Readonly<Record<string, string | undefined>>): Error {
  try {
    readEnvironment(settings, variables);
  } catch (error) {
    if (error instanceof DrawbridgeError) return error;
    throw error;
  }
  throw new Error('The environment was taken.');
}

it('gives a process the settings that it asks for, with their defaults, and no others', () => {
  const secrets = { AWS_SECRET_ACCESS_KEY: 'x' };
  const read = { QUEUE_URL: 'https://queue', RETENTION_DAYS: 30 };
  expect(readEnvironment(settings, { ...valid, ...secrets })).toEqual({ ...read, PROFILE: { words: ['a'] } });
  const unset = { ...valid, PROFILE: undefined };
  expect(readEnvironment(settings, unset)).toEqual({ ...read, PROFILE: { words: ['default'] } });
});

describe('failure modes: allow-list what is logged. An EnvironmentError names variables, never values', () => {
  const canary = 'Erika Mustermann';

  it.each([
    ['QUEUE_URL', undefined],
    ['QUEUE_URL', ''],
    ['RETENTION_DAYS', undefined],
    ['RETENTION_DAYS', ''],
    ['RETENTION_DAYS', canary],
    ['RETENTION_DAYS', '1.5'],
    ['RETENTION_DAYS', '-1'],
    ['RETENTION_DAYS', 'Infinity'],
    ['PROFILE', ''],
    ['PROFILE', canary],
    ['PROFILE', `{"words":["${canary}"`],
    ['PROFILE', `{"words":"${canary}"}`],
    ['PROFILE', `{"words":["${canary}",7]}`],
    ['PROFILE', `{"words":["${canary}"],"more":"${canary}"}`],
    ['PROFILE', `"${canary}"`],
    ['PROFILE', 'null'],
  ])('names %s and not its value %j', (name, value) => {
    const error = refusal({ ...valid, [name]: value });
    expect(error.message).toContain(name);
    for (const other of Object.keys(valid).filter((key) => key !== name)) expect(error.message).not.toContain(other);
    expect(error.cause).toBeUndefined();
    expect(inspect(error, { showHidden: true })).not.toMatch(/Erika|Mustermann/);
  });

  it('names all that is wrong, each once', () => {
    const { message } = refusal({});
    expect(message).toMatch(/QUEUE_URL, RETENTION_DAYS\./);
    const { message: once } = refusal({ ...valid, PROFILE: canary });
    expect(once.match(/PROFILE/g)).toHaveLength(1);
  });

  it('says where in a JSON variable', () => {
    expect(refusal({ ...valid, PROFILE: '{"words":["a",7]}' }).message).toContain('PROFILE.words.1');
  });
});
