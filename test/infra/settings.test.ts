import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { RootConstruct } from 'constructs';
import { describe, expect, it, onTestFinished } from 'vitest';
import { repositoryRoot } from '#infra/bundles/bundle.ts';
import { checkContext, readSettings } from '#infra/read-settings.ts';
import { SettingsError } from '#infra/settings-file/settings-error.ts';
import { readSettingsFile } from '#infra/settings-file/settings-file.ts';
import { onboardingSettings } from '#shared/onboarding/onboarding-settings.ts';

/** A folder with the texts of these files, by the name of the environment. */
function directoryOf(files: Readonly<Record<string, string>>): string {
  const directory = mkdtempSync(join(tmpdir(), 'drawbridge-settings-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(directory, `${name}.json`), text);
  return directory;
}

/** Reads the environment of a context from a folder with these files. */
function read(context: Readonly<Record<string, unknown>>, files: Readonly<Record<string, unknown>>) {
  const texts = Object.entries(files).map(([name, content]) => [name, JSON.stringify(content)] as const);
  const directory = directoryOf(Object.fromEntries(texts));
  const root = new RootConstruct();
  for (const [name, value] of Object.entries(context)) root.node.setContext(name, value);
  return readSettings(root.node, directory);
}

/** The root of an app with this context. */
function nodeWith(key: string, value: unknown): RootConstruct['node'] {
  const { node } = new RootConstruct();
  node.setContext(key, value);
  return node;
}

const platform = { baseUrl: 'https://api.trial.internal/v1', authUrl: 'https://auth.trial.internal' };

const domain = {
  name: 'webhooks.trial.example',
  certificateArn: 'arn:aws:acm:eu-central-1:111122223333:certificate/1f0c',
};

/** Reads an environment with these settings and a platform. */
const readEnvironment = (settings: Readonly<Record<string, unknown>> | null, more: Record<string, unknown> = {}) =>
  read({ environment: 'trial', ...more }, { trial: settings && { platform, keepStandIns: true, ...settings } });

/** The errors of refused settings; empty for valid ones. */
function refusal(action: () => unknown): string {
  try {
    action();
  } catch (error) {
    if (error instanceof SettingsError) return error.message;
    throw error;
  }
  return '';
}

describe('the environment', () => {
  const files = {
    laptop: { platform },
    production: { platform, storeConcurrency: 7, keepStandIns: true },
    example: { platform },
  };

  it('is the one that the context names, with the settings of its file', () => {
    expect(read({ environment: 'production' }, files)).toMatchObject({
      name: 'production',
      settings: { platform, storeConcurrency: 7 },
    });
  });

  it('is required, and the refusal lists the environments that have a file', () => {
    expect(refusal(() => read({}, files))).toBe(
      'Name the environment: --context environment=NAME.\nThe folder settings has: laptop, production.',
    );
  });

  it('is required in a fresh clone, and the refusal says how to begin', () => {
    const reason = refusal(() => read({}, { laptop: { platform }, example: { platform } }));
    expect(reason).toContain('Copy settings/example.json to settings/production.json, and set platform.baseUrl');
    expect(reason).toContain('--context environment=laptop');
  });

  it.each(['staging', 'constructor'])('is refused as %s without a file', (environment) => {
    expect(refusal(() => read({ environment }, files))).toBe(
      `settings/${environment}.json does not exist. The folder has: laptop, production.\nCopy settings/production.json to settings/${environment}.json, and set platform.baseUrl, platform.authUrl, runbookUrl and what the operator of your platform says of onboarding and platformProfile (see docs/how-to/deploy.md of Drawbridge).`,
    );
  });

  it.each(['Production', '-sandbox', 'my_sandbox', '../laptop', 'a'.repeat(32), ''])(
    'is refused with the invalid name "%s"',
    (environment) => {
      expect(refusal(() => read({ environment }, files))).toContain(
        `"${environment}" is not the name of an environment`,
      );
    },
  );

  it('is refused while cdk.json has settings, and the refusal names the file to move each to', () => {
    const environments = { sandbox: { platform }, production: { platform } };
    const reason = refusal(() => checkContext(nodeWith('environments', environments)));
    expect(reason).toContain('"sandbox" to settings/sandbox.json\n  - "production" to settings/production.json');
    expect(reason).toContain('remove "environments" and "environment" from cdk.json');
  });
});

describe('the settings file of an environment', () => {
  it('may name the JSON Schema for editors', () => {
    expect(readEnvironment({ $schema: './settings.schema.json' }).settings).not.toHaveProperty('$schema');
  });

  it('is refused with the line of the fault when it holds no JSON', () => {
    const directory = directoryOf({ trial: '{\n  "platform": {},\n}' });
    const reason = refusal(() => readSettingsFile(directory, 'trial'));
    expect(reason).toMatch(/^settings\/trial\.json is not valid JSON: .*line 3/);
  });

  it.each([
    ['its platform', { platform: { ...platform, baseUrl: 'https://api.platform.example' } }, 'platform.baseUrl'],
    ['any other URL', { formerWebhooksUrls: ['https://former.test'] }, 'formerWebhooksUrls[0]'],
  ])('is refused with a placeholder address as %s', (_, settings, name) => {
    expect(refusal(() => readEnvironment(settings))).toContain(
      `settings/trial.json is not ready to deploy:\n  - ${name}: `,
    );
  });

  it('is refused with a placeholder address in the context "platform" too, and the refusal names the context', () => {
    const context = { platform: { ...platform, authUrl: 'http://localhost:4010' } };
    expect(refusal(() => readEnvironment({}, context))).toContain(
      'The context "platform" is not ready to deploy:\n  - platform.authUrl: http://localhost:4010 is',
    );
  });

  it('may have placeholder addresses of a platform that the context replaces', () => {
    const placeholders = { baseUrl: 'https://api.platform.example', authUrl: 'https://auth.platform.example' };
    expect(readEnvironment({ platform: placeholders }, { platform }).settings.platform).toEqual(platform);
  });

  it('may begin with a byte order mark', () => {
    const directory = directoryOf({ trial: '\u{feff}{ "storeConcurrency": 7 }' });
    expect(readSettingsFile(directory, 'trial')).toEqual({ storeConcurrency: 7 });
  });

  it.each([
    ['capitals', 'https://API.Platform.COM/v1', 'has capitals before its path: write https://api.platform.com/v1'],
    ['a slash at its end', 'https://api.platform.com/', 'must have no slash at its end'],
    ['no scheme', 'api.platform.com', 'must be a whole URL'],
    ['no TLS', 'http://api.platform.com', 'must begin with https://'],
    ['a query', 'https://api.platform.com?v=1', 'must have no query'],
    ['a password', 'https://a:b@api.platform.com', 'must have no user and no password'],
    [
      'a port that says nothing',
      'https://api.platform.com:443',
      'is not in the plain form of a URL: write https://api.platform.com',
    ],
  ])('is refused with the cause when an address of the platform has %s', (_, baseUrl, cause) => {
    expect(refusal(() => readEnvironment({ platform: { ...platform, baseUrl } }))).toContain(
      `platform.baseUrl: ${cause}`,
    );
  });

  it('may have addresses of this machine, and stand-ins, on the laptop', () => {
    const local = { baseUrl: 'http://localhost:4010', authUrl: 'http://localhost:4010' };
    expect(read({ environment: 'laptop' }, { laptop: { platform: local } }).settings.platform).toEqual(local);
  });
});

describe('a refusal of settings', () => {
  it('covers a permissions boundary that is no managed policy', () => {
    const named = (permissionsBoundary: string) => refusal(() => readEnvironment({ permissionsBoundary }));
    expect(named('arn:aws:iam::111122223333:role/administrators')).toContain(
      'permissionsBoundary: must be the name or the ARN of a managed policy',
    );
    expect(named('arn:aws-cn:iam::111122223333:policy/security/boundary')).toBe('');
  });
});

describe('a setting that an environment must state', () => {
  const stated = {
    onboarding: { requestor: 'self', externalVerifier: 'A_VENDOR' },
    platformProfile: { exAnteEventType: 'none' },
    keepStandIns: false,
  };
  const refusalOf = (changed: Readonly<Record<string, unknown>>) =>
    refusal(() => readEnvironment({ ...stated, ...changed }));

  const [requestor, verifier] = ['onboarding.requestor', 'onboarding.externalVerifier'] as const;
  const exAnte = 'platformProfile.exAnteEventType';
  const ofExample = { requestor: '00000000-0000-0000-0000-000000000000' };
  const standIn = { exAnteEventType: 'VENDOR_EX_ANTE_DOCUMENT_READY_NOTIFICATION' };
  const ofVendor = { externalVerifier: 'EXTERNAL_VERIFIER_ID' };
  const others = ['PROXY_NOTIFICATION'];

  it.each<[string, Readonly<Record<string, unknown>>, readonly string[]]>([
    ['all are stated', {}, []],
    ['none is stated', { onboarding: undefined, platformProfile: undefined }, [requestor, verifier, exAnte]],
    ['the requestor is not', { onboarding: { externalVerifier: 'A_VENDOR' } }, [requestor]],
    ['the requestor is that of the example', { onboarding: { ...stated.onboarding, ...ofExample } }, [requestor]],
    ['the vendor is the stand-in', { onboarding: { ...stated.onboarding, ...ofVendor } }, [verifier]],
    ['the event type is the stand-in', { platformProfile: standIn }, [exAnte]],
    ['the stand-in is no event type', { platformProfile: { eventTypes: others } }, []],
    ['the stand-in is not registered', { platformProfile: {}, registeredEventTypes: others }, []],
    ['an earlier release was deployed', { onboarding: {}, platformProfile: {}, keepStandIns: true }, []],
    ['the example was copied over an earlier release', { onboarding: ofExample, keepStandIns: true }, [requestor]],
  ])('is refused by name when %s', (_, changed, named) => {
    const lines = refusalOf(changed)
      .split('\n')
      .filter((line) => line.startsWith('  - '));
    expect(lines.map((line) => line.slice(4, line.indexOf(':')))).toEqual(named);
  });

  it('is refused with its value, whom to ask, and the line that keeps the default of an earlier release', () => {
    const reason = refusalOf({ onboarding: undefined, platformProfile: undefined });
    expect(reason).toMatch(/^settings\/trial\.json is not ready to deploy:\n/);
    expect(reason).toMatch(/onboarding\.requestor: .*"self" .*id of a natural person.* Ask the operator/);
    expect(reason).toMatch(/onboarding\.externalVerifier: .*EXTERNAL_VERIFIER_ID.* Ask the operator/);
    expect(reason).toMatch(/platformProfile\.exAnteEventType: .*"none".* Ask the operator/);
    expect(reason).toContain('add the line "keepStandIns": true');
  });

  it('may be stated in a context', () => {
    const { platformProfile, onboarding } = stated;
    expect(refusal(() => readEnvironment({ keepStandIns: false }, { platformProfile, onboarding }))).toBe('');
  });
});

describe('an onboarding setting of an environment', () => {
  it('has a default where it need not be stated', () => {
    const stated = { requestor: '3f1a86a8-58a2-4a3a-8a7c-3f6f2f1f0c11', deadlines: { AWAITING_VIDEO_CALL: 60 } };
    const { settings } = readEnvironment({ onboarding: stated });
    const { externalVerifier: _, ...others } = onboardingSettings.parse(stated);
    expect(settings.onboarding).toEqual(others);
  });
});

it('accepts registered event types that are a subset of those in the platform profile (section 2.1)', () => {
  const eventTypes = ['NEW_NOTIFICATION', 'PROXY_NOTIFICATION'];
  const registeredEventTypes = ['NEW_NOTIFICATION'];
  const { settings } = readEnvironment({ registeredEventTypes, platformProfile: { eventTypes } });
  expect(settings).toMatchObject({ registeredEventTypes });
});

it('gives the platform URLs no default, because a wrong platform would receive the credentials (section 5.5)', () => {
  expect(refusal(() => readEnvironment({ platform: undefined }))).toContain('  - platform: is required.');
  const half = { platform: { baseUrl: platform.baseUrl } };
  expect(refusal(() => readEnvironment(half))).toContain('platform.authUrl: is required.');
});

describe('a status that an environment declares in its platform profile', () => {
  const partly = { status: 'PARTLY', after: 'PENDING', final: false, from: ['PENDING'], to: ['FILLED'] };

  it('is accepted when it fits into the tables of section 3', () => {
    const { settings } = readEnvironment({ platformProfile: { statuses: { order: [partly] } } });
    expect(settings.platformProfile?.statuses).toEqual({ order: [partly] });
  });

  it.each([
    ['a status of section 3', { ...partly, status: 'FILLED' }, 'FILLED is a status of section 3.3', 'status'],
    ['an unknown place', { ...partly, after: 'NOWHERE' }, 'NOWHERE is not a status', 'after'],
    ['a cycle', { ...partly, to: ['PENDING'] }, 'PARTLY and PENDING lead to each other', 'to'],
    ['a word that is none', { ...partly, status: 'PARTLY FILLED' }, 'status', 'status'],
  ])('is refused with the field for %s', (_, order, message, field) => {
    const profile = { statuses: { order: [order] } };
    for (const refused of [
      refusal(() => readEnvironment({ platformProfile: profile })),
      refusal(() => readEnvironment({}, { platformProfile: JSON.stringify(profile) })),
    ]) {
      expect(refused).toContain(message);
      expect(refused).toContain(`statuses.order[0].${field}`);
    }
  });

  it('is accepted as in the example of docs/how-to/declare-statuses.md', () => {
    const page = readFileSync(join(repositoryRoot, 'docs/how-to/declare-statuses.md'), 'utf8');
    const example = JSON.parse(page.split('```json\n')[1]?.split('```')[0] ?? '');
    const { settings } = readEnvironment(example);
    expect(settings.platformProfile?.statuses?.order).toMatchObject(example.platformProfile.statuses.order);
  });

  it('is refused when the statuses exceed the environment variables of a function', () => {
    const meaning = 'x'.repeat(100);
    const many = Array.from({ length: 20 }, (_, index) => ({ ...partly, status: `PARTLY_${index}`, meaning }));
    expect(refusal(() => readEnvironment({ platformProfile: { statuses: { order: many } } }))).toMatch(
      /- platformProfile: takes \d+ bytes, of 3000: shorten what is declared/,
    );
  });
});

describe('a context with the name of a setting', () => {
  const other = { baseUrl: 'https://api.other.internal', authUrl: 'https://auth.other.internal' };
  const requestor = '0b7f0d8a-4c1e-4b7e-9a51-0d6c5a2f3e11';
  const replaced = [
    ['platform', other, other],
    ['platformProfile', { pageSize: 500 }, { pageSize: 500 }],
    ['onboarding', { requestor }, { requestor, openDays: 90 }],
    ['webhookSources', ['203.0.113.0/24'], ['203.0.113.0/24']],
  ] as const;

  it.each(replaced)('replaces %s of the file, when a program or the command line gives it', (key, value, expected) => {
    const ofFile = { storeConcurrency: 7, onboarding: { openDays: 7 }, platformProfile: { pageSize: 7 } };
    for (const given of [value, JSON.stringify(value)]) {
      const { settings } = readEnvironment(ofFile, { [key]: given });
      expect(settings).toMatchObject({ storeConcurrency: 7, [key]: expected });
    }
  });

  it.each([
    ['platform', { baseUrl: other.baseUrl }, 'authUrl'],
    ['platform', 'http://127.0.0.1', 'must be an object'],
    ['platform', { ...other, path: '/' }, 'path'],
    ['platformProfile', { pageSize: 0 }, 'pageSize'],
    ['onboarding', { requestor: 'nobody' }, 'requestor'],
  ])('is refused as %s with the value %j', (key, value, named) => {
    const reason = refusal(() => readEnvironment({}, { [key]: value }));
    expect(reason).toContain(`The context "${key}" is invalid`);
    expect(reason).toContain(named);
  });
});

describe('any other context', () => {
  it.each([
    ['webhookSource', 'webhookSource: unknown. Did you mean webhookSources?'],
    ['enviroment', 'enviroment: unknown. Did you mean environment?'],
    ['storeConcurrency', 'storeConcurrency: only the settings file sets it.'],
  ])('is refused by the app of Drawbridge as %s, which would be ignored', (key, message) => {
    expect(refusal(() => checkContext(nodeWith(key, '7')))).toContain(`  - ${message}`);
  });

  it.each(['@aws-cdk/core:bootstrapQualifier', 'aws:cdk:enable-path-metadata', 'vpc-provider:account=1', 'owner'])(
    'is accepted by the app of Drawbridge as %s, which is no setting',
    (key) => {
      expect(refusal(() => checkContext(nodeWith(key, '7')))).toBe('');
    },
  );

  it.each(['environments', 'account', 'accounts', 'region', 'regions'])(
    'is accepted as %s in the app of a partner, whose own context it is',
    (key) => {
      expect(readEnvironment({}, { [key]: { production: '111122223333' } }).name).toBe('trial');
    },
  );
});

describe('an invalid setting', () => {
  const ofIam = 'arn:aws:iam::111122223333:server-certificate/ours';
  const mutualTls = { truststore: 'https://ours.example/truststore.pem' };
  const pinned = { account: '111122223333', region: 'eu-west-1' };
  const keyArn = 'arn:aws:kms:eu-west-1:111122223333:key/1234abcd-12ab-34cd-56ef-1234567890ab';
  const replica = { region: 'eu-west-1', keyArn };
  const network = { subnetIds: ['subnet-0a1b2c3d'], securityGroupIds: ['sg-8c9d0e1f'] };

  // docs/reference/settings.md has the range and the form of every setting.
  it.each([
    ['events kept for less than a dead letter', { eventRetentionDays: 13 }, 'eventRetentionDays'],
    ['events kept for part of a day', { eventRetentionDays: 30.5 }, 'eventRetentionDays'],
    ['a number in quotes', { eventRetentionDays: '90' }, 'eventRetentionDays'],
    ['a retention that CloudWatch does not offer', { logRetentionDays: 31 }, 'logRetentionDays'],
    ['an alarm for a name', { alarmSubscribers: ['oncall'] }, 'alarmSubscribers[0]'],
    ['an alarm without TLS', { alarmSubscribers: ['http://oncall.example'] }, 'alarmSubscribers[0]'],
    ['an alarm for no one', { alarmSubscribers: [] }, 'alarmSubscribers'],
    ['a runbook without TLS', { runbookUrl: 'http://git.trial.example/alarms.md' }, 'runbookUrl'],
    ['a runbook at one of its sections', { runbookUrl: 'https://git.trial.example/alarms.md#a' }, 'runbookUrl'],
    ['a runbook that fills the descriptions', { runbookUrl: `https://a.example/${'b'.repeat(300)}` }, 'runbookUrl'],
    ['a header name with a line break', { secretHeader: 'X-Secret\n' }, 'secretHeader'],
    [
      'a source without a range',
      { webhookSources: ['203.0.113.7'] },
      'webhookSources[0]: must be a range such as 203.0.113.0/24 or 2001:db8::/32; write a single address with /32 or /128',
    ],
    ['no source', { webhookSources: [] }, 'webhookSources: must name a range: leave it out to accept every address'],
    ['a source range of IPv4 that is too long', { webhookSources: ['203.0.113.0/33'] }, 'webhookSources[0]'],
    ['a source range of IPv6 that is too long', { webhookSources: ['0.0.0.0/0', '::/129'] }, 'webhookSources[1]'],
    ['a source that is a name', { webhookSources: ['platform.example/24'] }, 'webhookSources[0]'],
    ['a path key with a slash', { webhookPathKey: 'a/b' }, 'webhookPathKey'],
    ['half a throttle', { webhookThrottle: { rate: 10 } }, 'webhookThrottle.burst'],
    ['a concurrency that SQS refuses', { storeConcurrency: 1 }, 'storeConcurrency'],
    ['more concurrency than SQS offers', { storeConcurrency: 1_001 }, 'storeConcurrency'],
    ['FIPS endpoints in any region', { fipsEndpoints: true }, 'fipsEndpoints: needs the setting region'],
    [
      'a backup that outlives the list of erasures',
      { backup: { retentionDays: 366 } },
      'logRetentionDays: must be as long as backup.retentionDays',
    ],
    [
      'a copy that outlives the list of erasures',
      {
        backup: {
          retentionDays: 30,
          copies: [{ vaultArn: 'arn:aws:backup:eu-west-1:111122223333:backup-vault:far', retentionDays: 366 }],
        },
      },
      'logRetentionDays: must be as long as',
    ],
    [
      'a copy into the account and the region of the environment',
      {
        ...pinned,
        backup: {
          retentionDays: 30,
          copies: [{ vaultArn: 'arn:aws:backup:eu-west-1:111122223333:backup-vault:near', retentionDays: 30 }],
        },
      },
      'backup.copies: must name vaults in another account or region',
    ],
    [
      'a lock in compliance mode without a confirmation',
      { backup: { retentionDays: 30, lock: 'compliance' } },
      'backup.isLockPermanent: must be true where lock is "compliance"',
    ],
    [
      'a replica in its own region',
      { ...pinned, secretReplicas: [replica] },
      'secretReplicas: must name other regions',
    ],
    ['a replica twice', { secretReplicas: [replica, replica] }, 'secretReplicas: must name each region once'],
    [
      'a replica with a key of another region',
      { secretReplicas: [{ ...replica, region: 'eu-west-2' }] },
      'secretReplicas[0].keyArn: must be the ARN of a key in the region of the replica',
    ],
    ['nothing to read back', { reconciliation: { staleAfterHours: 6 } }, 'reconciliation.readBackAfterHours'],
    ['an unknown requestor', { onboarding: { requestor: 'me' } }, 'onboarding.requestor'],
    ['a deadline of no step', { onboarding: { deadlines: { CALLING: 60 } } }, 'CALLING'],
    ['an event type that no URL can name', { platformProfile: { eventTypes: ['a/b'] } }, 'eventTypes[0]'],
    ['a domain with a scheme', { webhookDomain: { ...domain, name: 'https://ours.example' } }, 'webhookDomain.name'],
    ['a domain without a certificate', { webhookDomain: { name: domain.name } }, 'webhookDomain.certificateArn'],
    ['a certificate of another service', { webhookDomain: { ...domain, certificateArn: ofIam } }, 'certificateArn'],
    ['a truststore that is not in S3', { webhookDomain: { ...domain, mutualTls } }, 'mutualTls.truststore'],
    ['a network without subnets', { network: { ...network, subnetIds: [] } }, 'network.subnetIds'],
    [
      'a security group by its name',
      { network: { ...network, securityGroupIds: ['egress'] } },
      'network.securityGroupIds[0]',
    ],
    ['backups at an hour of no day', { backup: { retentionDays: 40, hour: 24 } }, 'backup.hour'],
    ['webhooks without TLS', { webhooksUrl: 'http://ours.example/webhooks' }, 'webhooksUrl'],
    ['a former URL without TLS', { formerWebhooksUrls: ['http://former.example/webhooks'] }, 'formerWebhooksUrls'],
    ['an event type to register that no URL can name', { registeredEventTypes: ['a/b'] }, 'registeredEventTypes[0]'],
    [
      'an unknown event type to register',
      { registeredEventTypes: ['NEW_NOTIFICATION'] },
      'registeredEventTypes: must be event types that the platform profile knows',
    ],
    ['half a rotation', { webhookSecretRotation: { everyDays: 90 } }, 'webhookSecretRotation.overlapHours'],
    ['no settings', null, 'trial'],
  ])('is refused with its name: %s', (_, settings, name) => {
    const reason = refusal(() => readEnvironment(settings));
    expect(reason).toContain(name);
    expect(reason).not.toMatch(/Invalid|expected|received|Too (small|big)/);
  });

  it('is refused with the name of its file, and together with every other invalid setting', () => {
    const reason = refusal(() => readEnvironment({ eventRetentionDays: 1, storeConcurrency: 1, retention: 3 }));
    expect(reason).toContain('settings/trial.json is invalid:');
    expect(reason).toMatch(/- eventRetentionDays: .*- storeConcurrency: .*- retention: unknown/s);
  });
});
