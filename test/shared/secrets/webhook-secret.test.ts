import { inspect } from 'node:util';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createWebhookSecret, type WebhookSecret, WebhookSecretError } from '#shared/secrets/webhook-secret.ts';
import { isFullSize } from '#test/full-size.ts';
import { type Emulators, startEmulators } from '#test/shared/aws/emulators.ts';
import { failureOf } from '#test/shared/platform/client/test-client.ts';

const [first, second, third] = ['1', '2', '3'].map((digit) => digit.repeat(64)) as [string, string, string];
const fiveMinutes = 5 * 60_000;
const fiveSeconds = 5_000;
const hour = 60 * 60_000;
let emulators: Emulators;
let time: number;
let reads: number;
let secret: WebhookSecret;

beforeAll(async () => {
  emulators = await startEmulators({ isOverHttp: isFullSize });
});
afterAll(() => emulators.close());
beforeEach(async () => {
  time = Date.parse('2026-01-02T03:04:05.678Z');
  await put({ current: second, previous: first });
  const { secretsManager, secretId } = emulators;
  secret = createWebhookSecret({ secretsManager, secretId, now: () => new Date(time) });
  reads = 0;
  emulators.watch(({ when, operation }) => {
    if (when === 'before' && operation === 'GetSecretValue') reads += 1;
  });
});
afterEach(() => emulators.unwatch());

function put(value: unknown): Promise<void> {
  return emulators.putSecret(JSON.stringify(value));
}

/** Lets every call fail, and counts the tries. */
function breakSecretsManager(): () => number {
  let tries = 0;
  emulators.watch(({ when }) => {
    if (when !== 'before') return;
    tries += 1;
    throw new Error('Secrets Manager is down.');
  });
  return () => tries;
}

describe('comparing the secret of a delivery', () => {
  it.each([
    ['the current one', second],
    ['the previous one', first],
  ])('accepts a delivery with %s', async (_, candidate) => {
    expect(await secret.matches(candidate)).toBe(true);
  });

  it.each([
    ['another of the same length', third],
    ['nothing', ''],
    ['the beginning', second.slice(0, -1)],
    ['white space around it', ` ${second} `],
    ['both together', `${second},${first}`],
    ['multibyte characters, as many', 'é'.repeat(64)],
    ['half a surrogate pair', '\ud800'.repeat(64)],
    ['the word undefined', 'undefined'],
  ])('refuses a delivery with %s', async (_, candidate) => {
    expect(await secret.matches(candidate)).toBe(false);
  });

  it('accepts only the current secret when there is no previous one', async () => {
    await put({ current: second });
    expect(await secret.matches(second)).toBe(true);
    expect(await secret.matches(first)).toBe(false);
    expect(await secret.matches('undefined')).toBe(false);
  });

  it('distinguishes secrets of multibyte characters', async () => {
    await put({ current: 'é'.repeat(32) });
    expect(await secret.matches('é'.repeat(32))).toBe(true);
    expect(await secret.matches('e\u0301'.repeat(32))).toBe(false);
  });
});

describe('a secret that cannot be read or is too old', () => {
  it('throws when there is no such secret', async () => {
    const { secretsManager } = emulators;
    const missing = createWebhookSecret({ secretsManager, secretId: 'missing', now: () => new Date(time) });
    await expect(missing.matches(second)).rejects.toThrow(
      expect.objectContaining({
        name: 'WebhookSecretError',
        cause: expect.objectContaining({ name: 'ResourceNotFoundException' }),
      }),
    );
  });

  it.each([
    ['no JSON', `${third} Erika`],
    ['nothing but the secret', JSON.stringify(`${third} Erika`)],
    ['an object without current', JSON.stringify({ previous: `${third} Erika` })],
    ['a current one that is too short', JSON.stringify({ current: 'Erika', previous: third })],
    ['an empty previous one', JSON.stringify({ current: `${third} Erika`, previous: '' })],
    ['a current one that is no text', JSON.stringify({ current: [`${third} Erika`] })],
    ['null', 'null'],
  ])('throws, and says nothing of it, when the secret is %s', async (_, text) => {
    await emulators.putSecret(text);
    const error = await failureOf(secret.matches(third));
    expect(error).toBeInstanceOf(WebhookSecretError);
    expect(inspect(error, { showHidden: true, depth: null })).not.toMatch(/3333|Erika/);
    await expect(secret.matches('')).rejects.toThrow(WebhookSecretError);
  });
});

describe('the cache of the secret', () => {
  it('reads the secret once in five minutes while it matches', async () => {
    for (let count = 0; count < 20; count += 1) {
      await secret.matches(second);
      await secret.matches(first);
      time += 14_999;
    }
    expect(reads).toBe(1);
  });

  it('reads the secret again after five minutes', async () => {
    await secret.matches(second);
    time += fiveMinutes;
    await secret.matches(second);
    expect(reads).toBe(2);
  });

  it('reads the secret once in five seconds for any number of wrong guesses', async () => {
    for (let count = 0; count < 100; count += 1) expect(await secret.matches(`guess ${count}`)).toBe(false);
    expect(reads).toBe(1);
    time += fiveSeconds;
    for (let count = 0; count < 100; count += 1) expect(await secret.matches(`guess ${count}`)).toBe(false);
    expect(reads).toBe(2);
  });
});

describe('a read that takes long', () => {
  /** Secrets Manager, of which each answer waits until it is released. */
  function slowSecret() {
    const answers: PromiseWithResolvers<void>[] = [];
    const send = async () => {
      const SecretString = JSON.stringify({ current: answers.length === 0 ? second : third });
      const answer = Promise.withResolvers<void>();
      answers.push(answer);
      await answer.promise;
      return { SecretString };
    };
    const secretsManager = { send } as unknown as Emulators['secretsManager'];
    return { answers, slow: createWebhookSecret({ secretsManager, secretId: 's', now: () => new Date(time) }) };
  }

  it('is shared by concurrent deliveries, and not repeated when it ends', async () => {
    const { answers, slow } = slowSecret();
    const matching = [second, third, first].map((candidate) => slow.matches(candidate));
    time += fiveSeconds;
    answers[0]?.resolve();
    expect(await Promise.all(matching)).toEqual([true, false, false]);
    expect(answers).toHaveLength(1);
  });

  it('is not awaited by a delivery after a freeze, and its old answer is not used', async () => {
    const { answers, slow } = slowSecret();
    const frozen = slow.matches(second);
    time += hour;
    const delivery = slow.matches(second);
    for (const { resolve } of answers) resolve();
    expect([await frozen, await delivery, await slow.matches(second)]).toEqual([true, false, false]);
    expect(await slow.matches(third)).toBe(true);
  });

  it.each([
    ['an answer', (frozen: PromiseWithResolvers<void> | undefined) => frozen?.resolve()],
    [
      'a failure',
      (frozen: PromiseWithResolvers<void> | undefined) => frozen?.reject(new Error('Frozen for too long.')),
    ],
  ])('leaves the newer secret in the cache when %s comes after the answer of a newer read', async (_, end) => {
    const { answers, slow } = slowSecret();
    const frozen = slow.matches(third);
    time += hour;
    const delivery = slow.matches(third);
    answers[1]?.resolve();
    expect(await delivery).toBe(true);
    end(answers[0]);
    expect([await frozen, await slow.matches(second), await slow.matches(third)]).toEqual([true, false, true]);
    expect(answers).toHaveLength(2);
  });
});

describe('while Secrets Manager fails', () => {
  it.each([
    ['was never read', undefined],
    ['was read less than five minutes ago', fiveMinutes - 1],
    ['was read five minutes ago', fiveMinutes],
    ['was read an hour ago', hour],
  ])('reads the secret once in five seconds, however many wrong secrets come, when it %s', async (_, age) => {
    if (age !== undefined) await secret.matches(second);
    time += age ?? 0;
    const tries = breakSecretsManager();
    const guess = async () => expect(await failureOf(secret.matches(third))).toBeInstanceOf(Error);
    await guess();
    const triesOfOne = tries();
    for (let count = 0; count < 50; count += 1) await guess();
    expect(tries()).toBe(triesOfOne);
    time += fiveSeconds;
    await guess();
    expect(tries()).toBe(2 * triesOfOne);
    emulators.unwatch();
    time += fiveSeconds;
    expect(await secret.matches(third)).toBe(false);
  });

  it('accepts the secrets of the cache for an hour after the last successful read', async () => {
    await secret.matches(second);
    breakSecretsManager();
    for (const age of [fiveMinutes, fiveSeconds, hour - fiveMinutes - fiveSeconds - 1]) {
      time += age;
      expect([await secret.matches(second), await secret.matches(first)]).toEqual([true, true]);
    }
    time += 1;
    expect(await failureOf(secret.matches(second))).toBeInstanceOf(Error);
  });

  it('refuses a retired secret five seconds after the last failure', async () => {
    await secret.matches(first);
    await put({ current: third, previous: second });
    breakSecretsManager();
    time += fiveMinutes;
    expect(await secret.matches(first)).toBe(true);
    emulators.unwatch();
    time += fiveSeconds - 1;
    expect(await secret.matches(first)).toBe(true);
    time += 1;
    expect(await secret.matches(first)).toBe(false);
  });

  it('accepts nothing from the cache once Secrets Manager gives no secret', async () => {
    await secret.matches(second);
    await emulators.putSecret('{}');
    time += fiveMinutes;
    expect(await failureOf(secret.matches(second))).toBeInstanceOf(WebhookSecretError);
    expect(await failureOf(secret.matches(second))).toBeInstanceOf(WebhookSecretError);
  });

  it('reports each failed read once', async () => {
    const errors: unknown[] = [];
    const { secretsManager, secretId } = emulators;
    const now = () => new Date(time);
    const watched = createWebhookSecret({ secretsManager, secretId, now, onReadFailed: (error) => errors.push(error) });
    await watched.matches(second);
    expect(errors).toEqual([]);
    breakSecretsManager();
    time += fiveMinutes;
    for (const candidate of [second, third, second]) await Promise.allSettled([watched.matches(candidate)]);
    expect(errors).toHaveLength(1);
  });
});

describe('rotating the secret', () => {
  it('accepts the new secret without waiting for five minutes', async () => {
    expect(await secret.matches(second)).toBe(true);
    await put({ current: third, previous: second });
    time += fiveSeconds;
    expect(await secret.matches(third)).toBe(true);
    expect(await secret.matches(second)).toBe(true);
    expect(await secret.matches(first)).toBe(false);
    expect(reads).toBe(2);
  });

  it('accepts a retired secret for five minutes at most', async () => {
    expect(await secret.matches(first)).toBe(true);
    await put({ current: third, previous: second });
    time += fiveMinutes - 1;
    expect(await secret.matches(first)).toBe(true);
    time += 1;
    expect(await secret.matches(first)).toBe(false);
  });

  it('refuses the retired secret once the new one was seen', async () => {
    expect(await secret.matches(first)).toBe(true);
    await put({ current: third });
    time += fiveSeconds;
    expect(await secret.matches(third)).toBe(true);
    expect(await secret.matches(first)).toBe(false);
    expect(await secret.matches(second)).toBe(false);
  });
});

describe('rotating the secret: see deliveries with the new one', () => {
  it('reports the deliveries that still have the previous secret, and no other', async () => {
    let count = 0;
    const { secretsManager, secretId } = emulators;
    const onPrevious = () => {
      count += 1;
    };
    const watched = createWebhookSecret({ secretsManager, secretId, now: () => new Date(time), onPrevious });
    for (const candidate of [second, third, '', first, second]) await watched.matches(candidate);
    expect(count).toBe(1);
    await put({ current: third, previous: second });
    time += fiveMinutes;
    expect(await watched.matches(second)).toBe(true);
    expect(count).toBe(2);
  });
});
