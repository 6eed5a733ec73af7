import { describe, expect, it } from 'vitest';
import { findVariablesFaults } from '#infra/parts/variables-limit.ts';
import { createTrialAppOf } from '#test/infra/shared-trial-apps.ts';

describe('the limit of the environment variables of a function', () => {
  const partly = { after: 'PENDING', final: false, from: ['PENDING'], to: ['FILLED'], meaning: 'x'.repeat(100) };
  const order = Array.from({ length: 3 }, (_, index) => ({ ...partly, status: `PARTLY_${index}` }));
  const formerWebhooksUrls = Array.from(
    { length: 10 },
    (_, index) => `https://hooks-${index}.trial.example/platform/production/webhooks`,
  );
  const synthesize = (settings: Readonly<Record<string, unknown>>) => () =>
    createTrialAppOf('trial', settings).app.synth();

  it('stops the synthesis of more than Lambda takes, although each setting is valid', () => {
    const refused = synthesize({ platformProfile: { statuses: { order } }, formerWebhooksUrls });
    expect(refused).toThrow(
      /RetryUndelivered\/Drain\] The environment variables take up to \d+ bytes, and Lambda takes 4096: shorten the settings behind the longest, PLATFORM_PROFILE \(\d+\) and FORMER_WEBHOOKS_URLS \(\d+\)/,
    );
  });

  it('leaves room for ten former URLs, or for a long profile', () => {
    expect(synthesize({ formerWebhooksUrls })).not.toThrow();
    expect(synthesize({ platformProfile: { statuses: { order } } })).not.toThrow();
  });

  it('counts as Lambda does: JSON, with their names, quotes and escapes', () => {
    const variables = (length: number) => new Map([['N', `"${'é'.repeat(length)}`]]);
    expect(findVariablesFaults(variables(2_043))).toEqual([]);
    expect(findVariablesFaults(variables(2_044))).toEqual([expect.stringContaining('up to 4098 bytes')]);
  });
});
