import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { RootConstruct } from 'constructs';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { repositoryRoot } from '#infra/bundles/bundle.ts';
import { readSettings, SettingsError } from '#infra/read-settings.ts';
import { onboardingSettings } from '#shared/onboarding/onboarding-settings.ts';

const { context } = z
  .object({ context: z.object({ environment: z.string(), environments: z.record(z.string(), z.unknown()) }) })
  .parse(JSON.parse(readFileSync(join(repositoryRoot, 'cdk.json'), 'utf8')));

function read(settingsContext: Record<string, unknown>) {
  const root = new RootConstruct();
  for (const [name, value] of Object.entries(settingsContext)) root.node.setContext(name, value);
  return readSettings(root.node);
}

const platform = { baseUrl: 'https://api.trial.example/v1', authUrl: 'https://auth.trial.example' };

/** Reads an environment of these settings, and of a platform. */
const readEnvironment = (settings: Readonly<Record<string, unknown>> | null, more: Record<string, unknown> = {}) =>
  read({ environment: 'trial', environments: { trial: settings && { platform, ...settings } }, ...more });

/** Why they are refused; empty where they are not. */
function refusal(action: () => unknown): string {
  try {
    action();
  } catch (error) {
    if (error instanceof SettingsError) return error.message;
    throw error;
  }
  return '';
}

describe('design: environments come from cdk.json', () => {
  it('has the sandbox and production', () => {
    expect(Object.keys(context.environments)).toEqual(['sandbox', 'production']);
  });

  it.each(Object.keys(context.environments))('%s is valid', (environment) => {
    const { name, settings } = read({ ...context, environment });
    expect(name).toBe(environment);
    expect(settings).toMatchObject(z.record(z.string(), z.unknown()).parse(context.environments[environment]));
  });

  it('names one to deploy where nobody does', () => {
    expect(Object.keys(context.environments)).toContain(context.environment);
  });

  it.each(['staging', 'constructor'])('refuses the unknown environment %s, and says which there are', (environment) => {
    expect(refusal(() => read({ ...context, environment }))).toBe(
      `cdk.json has no environment "${environment}". It has: sandbox, production.`,
    );
  });

  it.each(['Production', '-sandbox', 'my_sandbox', 'a'.repeat(32), ''])('refuses the name "%s"', (environment) => {
    const reason = refusal(() => read({ environment, environments: { [environment]: {} } }));
    expect(reason).toContain('at environment');
  });

  it.each(['environment', 'environments'])('refuses a context without %s, and names it', (missing) => {
    const rest = Object.entries(context).filter(([name]) => name !== missing);
    expect(refusal(() => read(Object.fromEntries(rest)))).toContain(`at ${missing}`);
  });
});

describe('design: each setting but the platform has a default', () => {
  it('so that where the platform is, is a whole environment', () => {
    expect(readEnvironment({}).settings).toEqual({
      platform,
      eventRetentionDays: 400,
      logRetentionDays: 365,
      secretHeader: 'X-Drawbridge-Secret',
      webhookThrottle: { rate: 2_000, burst: 4_000 },
      queryThrottle: { rate: 100, burst: 200 },
      onboardingThrottle: { rate: 50, burst: 100 },
      webhookSecretRotation: { everyDays: 90, overlapHours: 72 },
      storeConcurrency: 50,
      reconciliation: {
        everyHours: 1,
        callsPerSecond: 5,
        graceMinutes: 15,
        readBackAfterHours: 6,
        staleAfterHours: 168,
      },
      onboardingConcurrency: 10,
    });
  });

  it('that an environment overrides, one by one', () => {
    const { settings } = readEnvironment({ storeConcurrency: 7 });
    expect(settings).toMatchObject({ storeConcurrency: 7, eventRetentionDays: 400 });
    const { reconciliation } = readEnvironment({ reconciliation: { callsPerSecond: 0.5 } }).settings;
    expect(reconciliation).toMatchObject({ callsPerSecond: 0.5, everyHours: 1 });
  });

  it('names what a source range looks like where one is wrong', () => {
    expect(refusal(() => readEnvironment({ webhookSources: ['203.0.113.7'] }))).toContain(
      'must be a range such as 203.0.113.0/24 or 2001:db8::/32; write a single address with /32 or /128',
    );
    expect(refusal(() => readEnvironment({ webhookSources: [] }))).toContain('leave it out to accept every address');
  });

  it('of the platform profile too', () => {
    const { settings } = readEnvironment({ platformProfile: { eventTypes: ['PROXY_NOTIFICATION'] } });
    expect(settings.platformProfile).toMatchObject({ eventTypes: ['PROXY_NOTIFICATION'] });
  });
});

describe('issue 6: how persons are onboarded is a setting', () => {
  it('of which each has a default', () => {
    const requestor = '3f1a86a8-58a2-4a3a-8a7c-3f6f2f1f0c11';
    const { settings } = readEnvironment({ onboarding: { requestor, deadlines: { AWAITING_VIDEO_CALL: 60 } } });
    expect(settings.onboarding).toEqual(
      onboardingSettings.parse({ requestor, deadlines: { AWAITING_VIDEO_CALL: 60 } }),
    );
  });
});

describe('section 2.1: which event types are registered', () => {
  it('may be some of those that the platform profile knows', () => {
    const eventTypes = ['NEW_NOTIFICATION', 'PROXY_NOTIFICATION'];
    const { settings } = readEnvironment({
      registeredEventTypes: ['NEW_NOTIFICATION'],
      platformProfile: { eventTypes },
    });
    expect(settings).toMatchObject({ registeredEventTypes: ['NEW_NOTIFICATION'] });
    expect(readEnvironment({ registeredEventTypes: ['USER_NOTIFICATION'] }).settings).toMatchObject({
      registeredEventTypes: ['USER_NOTIFICATION'],
    });
  });
});

describe('section 5.5: each environment has its own {base_url} and {auth_url}', () => {
  const urls = z.object({ platform: z.object({ baseUrl: z.string(), authUrl: z.string() }) });

  it('which no other environment of cdk.json has', () => {
    const all = Object.values(context.environments).flatMap((one) => Object.values(urls.parse(one).platform));
    expect(new Set(all).size).toBe(2 * Object.keys(context.environments).length);
  });

  it('and no default: a wrong platform would get the credentials', () => {
    expect(refusal(() => readEnvironment({ platform: undefined }))).toContain('at platform');
    expect(refusal(() => readEnvironment({ platform: { baseUrl: platform.baseUrl } }))).toContain('platform.authUrl');
  });
});

describe('design: so does the context "platformProfile"', () => {
  it.each([
    ['given by a program', { pageSize: 500 }],
    ['given as text', '{"pageSize":500}'],
  ])('%s', (_, value) => {
    const { settings } = readEnvironment({ platformProfile: { pageSize: 7 } }, { platformProfile: value });
    expect(settings).toMatchObject({ platform, platformProfile: { pageSize: 500 } });
  });

  it('and it is refused where it is wrong', () => {
    expect(refusal(() => readEnvironment({}, { platformProfile: { pageSize: 0 } }))).toContain('pageSize');
  });
});

describe('an environment declares statuses of entities in its platform profile', () => {
  const partly = { status: 'PARTLY', after: 'PENDING', final: false, from: ['PENDING'], to: ['FILLED'] };

  it('takes statuses that the tables of section 3 have room for', () => {
    const { settings } = readEnvironment({ platformProfile: { statuses: { order: [partly] } } });
    expect(settings.platformProfile?.statuses).toEqual({ order: [partly] });
  });

  it.each([
    ['a status of section 3', { ...partly, status: 'FILLED' }, 'FILLED is a status of section 3.3', 'status'],
    ['an unknown place', { ...partly, after: 'NOWHERE' }, 'NOWHERE is no status', 'after'],
    ['a cycle', { ...partly, to: ['PENDING'] }, 'PARTLY and PENDING lead to each other', 'to'],
    ['a word that is none', { ...partly, status: 'PARTLY FILLED' }, 'status', 'status'],
  ])('refuses %s, and names the field', (_, order, message, field) => {
    const profile = { statuses: { order: [order] } };
    for (const refused of [
      refusal(() => readEnvironment({ platformProfile: profile })),
      refusal(() => readEnvironment({}, { platformProfile: JSON.stringify(profile) })),
    ]) {
      expect(refused).toContain(message);
      expect(refused).toContain(`statuses.order[0].${field}`);
    }
  });

  it.each([
    ['docs/how-to/declare-statuses.md', '# Declare a status'],
    ['docs/reference/states.md', '## Statuses that an environment declares'],
  ])('takes the example of %s', (file, heading) => {
    const section = readFileSync(join(repositoryRoot, file), 'utf8').split(heading)[1] ?? '';
    const example = JSON.parse(section.split('```json\n')[1]?.split('```')[0] ?? '');
    const { settings } = readEnvironment(example);
    expect(settings.platformProfile?.statuses?.order).toMatchObject(example.platformProfile.statuses.order);
  });

  it('refuses more than the variables of a function take', () => {
    const meaning = 'x'.repeat(100);
    const many = Array.from({ length: 20 }, (_, index) => ({ ...partly, status: `PARTLY_${index}`, meaning }));
    expect(refusal(() => readEnvironment({ platformProfile: { statuses: { order: many } } }))).toContain(
      'bytes, of 3000: shorten what is declared',
    );
  });
});

describe('design: so does the context "onboarding"', () => {
  const requestor = '0b7f0d8a-4c1e-4b7e-9a51-0d6c5a2f3e11';

  it.each([
    ['given by a program', { requestor }],
    ['given as text', JSON.stringify({ requestor })],
  ])('%s', (_, value) => {
    const { settings } = readEnvironment({ onboarding: { openDays: 7 } }, { onboarding: value });
    expect(settings.onboarding).toMatchObject({ requestor, openDays: 90 });
  });

  it('and it is refused where it is wrong', () => {
    expect(refusal(() => readEnvironment({}, { onboarding: { requestor: 'nobody' } }))).toContain('requestor');
  });
});

describe('design: the context "platform" takes the place of the environment\'s, so that a laptop runs the same stacks', () => {
  const other = { baseUrl: 'http://127.0.0.1:4000/api', authUrl: 'http://localhost:4000/auth' };

  it.each([
    ['an object', other],
    ['JSON, as the command line has it', JSON.stringify(other)],
  ])('as %s', (_, value) => {
    const { settings } = readEnvironment({ storeConcurrency: 7 }, { platform: value });
    expect(settings).toMatchObject({ platform: other, storeConcurrency: 7 });
  });

  it.each([
    ['half of it', { baseUrl: other.baseUrl }, 'authUrl'],
    ['no JSON', 'http://127.0.0.1', 'expected object'],
    ['more than it', { ...other, path: '/' }, 'path'],
  ])('and %s is refused', (_, value, name) => {
    const reason = refusal(() => readEnvironment({}, { platform: value }));
    expect(reason).toContain('Correct the context "platform"');
    expect(reason).toContain(name);
  });
});

describe('design: a wrong setting stops the deployment, and is named', () => {
  it.each([
    ['an unknown setting', { retention: 3 }, 'retention'],
    ['events kept for less than a dead letter', { eventRetentionDays: 13 }, 'eventRetentionDays'],
    ['events kept for ever', { eventRetentionDays: 3_654 }, 'eventRetentionDays'],
    ['events kept for part of a day', { eventRetentionDays: 30.5 }, 'eventRetentionDays'],
    ['a number in quotes', { eventRetentionDays: '90' }, 'eventRetentionDays'],
    ['a retention that CloudWatch does not offer', { logRetentionDays: 31 }, 'logRetentionDays'],
    ['a header name with a space', { secretHeader: 'X Secret' }, 'secretHeader'],
    ['a header name with a line break', { secretHeader: 'X-Secret\n' }, 'secretHeader'],
    ['a header without a name', { secretHeader: '' }, 'secretHeader'],
    ['a route that takes nothing', { webhookThrottle: { rate: 0, burst: 1 } }, 'webhookThrottle.rate'],
    ['a source that is no range', { webhookSources: ['203.0.113.7'] }, 'webhookSources[0]'],
    ['a source range of IPv4 that is too long', { webhookSources: ['203.0.113.0/33'] }, 'webhookSources[0]'],
    ['a source range of IPv6 that is too long', { webhookSources: ['0.0.0.0/0', '::/129'] }, 'webhookSources[1]'],
    ['a source that is a name', { webhookSources: ['platform.example/24'] }, 'webhookSources[0]'],
    ['no source at all', { webhookSources: [] }, 'webhookSources'],
    ['a path key with a slash', { webhookPathKey: 'a/b' }, 'webhookPathKey'],
    ['no executions of receive', { receiveConcurrency: 0 }, 'receiveConcurrency'],
    ['half a throttle', { webhookThrottle: { rate: 10 } }, 'webhookThrottle.burst'],
    ['a concurrency that SQS refuses', { storeConcurrency: 1 }, 'storeConcurrency'],
    ['more concurrency than SQS offers', { storeConcurrency: 1_001 }, 'storeConcurrency'],
    ['calls without end', { reconciliation: { callsPerSecond: 0 } }, 'reconciliation.callsPerSecond'],
    ['a walk once a day', { reconciliation: { everyHours: 24 } }, 'reconciliation.everyHours'],
    ['nothing to read back', { reconciliation: { staleAfterHours: 6 } }, 'reconciliation.readBackAfterHours'],
    ['no onboardings side by side', { onboardingConcurrency: 1 }, 'onboardingConcurrency'],
    ['half a throttle of onboardings', { onboardingThrottle: { burst: 1 } }, 'onboardingThrottle.rate'],
    ['a requestor that is nobody', { onboarding: { requestor: 'me' } }, 'onboarding.requestor'],
    ['a deadline of no step', { onboarding: { deadlines: { CALLING: 60 } } }, 'CALLING'],
    ['a platform without event types', { platformProfile: { eventTypes: [] } }, 'platformProfile.eventTypes'],
    [
      'an event type that no URL can name',
      { platformProfile: { eventTypes: ['a/b'] } },
      'platformProfile.eventTypes[0]',
    ],
    ['an unknown word in the profile', { platformProfile: { pages: 5 } }, 'pages'],
    ['webhooks without TLS', { webhooksUrl: 'http://ours.example/webhooks' }, 'webhooksUrl'],
    ['a former URL without TLS', { formerWebhooksUrls: ['http://former.example/webhooks'] }, 'formerWebhooksUrls'],
    ['webhooks at a URL that ends', { webhooksUrl: 'https://ours.example/webhooks/' }, 'webhooksUrl'],
    ['nothing to register', { registeredEventTypes: [] }, 'registeredEventTypes'],
    ['an event type to register that no URL can name', { registeredEventTypes: ['a/b'] }, 'registeredEventTypes[0]'],
    ['one that nobody knows', { registeredEventTypes: ['NEW_NOTIFICATION'] }, 'registeredEventTypes'],
    [
      'one that the profile does not know',
      { registeredEventTypes: ['USER_NOTIFICATION'], platformProfile: { eventTypes: ['PROXY_NOTIFICATION'] } },
      'registeredEventTypes',
    ],
    ['half a rotation', { webhookSecretRotation: { everyDays: 90 } }, 'webhookSecretRotation.overlapHours'],
    ['no overlap', { webhookSecretRotation: { everyDays: 90, overlapHours: 0 } }, 'webhookSecretRotation.overlapHours'],
    ['no rotation', { webhookSecretRotation: { everyDays: 0, overlapHours: 1 } }, 'webhookSecretRotation.everyDays'],
    ['a platform without TLS', { platform: { ...platform, baseUrl: 'http://api.example' } }, 'platform.baseUrl'],
    ['a slash at the end', { platform: { ...platform, authUrl: `${platform.authUrl}/` } }, 'platform.authUrl'],
    ['a platform of more URLs', { platform: { ...platform, url: platform.baseUrl } }, 'url'],
    ['no settings', null, 'trial'],
  ])('%s', (_, settings, name) => {
    expect(refusal(() => readEnvironment(settings))).toContain(name);
  });

  it('with every other wrong setting', () => {
    const reason = refusal(() => readEnvironment({ eventRetentionDays: 1, storeConcurrency: 1 }));
    expect(reason).toMatch(/at eventRetentionDays.*at storeConcurrency/s);
  });

  it('with its environment', () => {
    expect(refusal(() => readEnvironment({ retention: 3 }))).toContain('environment "trial" of cdk.json');
  });
});
