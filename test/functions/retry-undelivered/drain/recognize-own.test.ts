import { describe, expect, it } from 'vitest';
import { createRecognizeOwn } from '#functions/retry-undelivered/drain/undelivered-record.ts';

const webhooksUrl = 'https://ours.example/webhooks';
const [first, second] = ['1'.repeat(32), '2'.repeat(32)];
const withSecret = (value: string) => ({ url: 'https://other.example/A', headers: [{ name: 'X', value }] });

function recognizer() {
  const state = { time: 0, reads: 0, secret: first };
  const recognizeOwn = createRecognizeOwn({
    webhooksUrl,
    readSecret: async () => {
      state.reads += 1;
      return { current: state.secret };
    },
    now: () => new Date(state.time),
  });
  return { state, recognizeOwn };
}

describe('createRecognizeOwn', () => {
  it('does not read the secret for a webhook at our URL', async () => {
    const { state, recognizeOwn } = recognizer();
    expect(await recognizeOwn({ url: `${webhooksUrl}/A`, headers: undefined })).toBe(true);
    expect(state.reads).toBe(0);
  });

  it('reads the secret once for the webhooks of a run at other URLs', async () => {
    const { state, recognizeOwn } = recognizer();
    expect(await recognizeOwn(withSecret(first))).toBe(true);
    expect(await recognizeOwn(withSecret(second))).toBe(false);
    expect(state.reads).toBe(1);
  });

  it('recognizes the secret of a rotation in the next run', async () => {
    const { state, recognizeOwn } = recognizer();
    expect(await recognizeOwn(withSecret(second))).toBe(false);
    state.secret = second;
    state.time += 5 * 60_000;
    expect(await recognizeOwn(withSecret(second))).toBe(true);
  });
});
