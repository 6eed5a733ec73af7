import { describe, expect, it } from 'vitest';
import { listSettings } from '#cli/settings/list-settings.ts';
import { settingUnits } from '#infra/settings.ts';
import { SettingsError } from '#infra/settings-file/settings-error.ts';
import { everySetting } from '#tools/release/every-setting.ts';

const platform = { baseUrl: 'https://api.trial.internal', authUrl: 'https://auth.trial.internal' };

function list(content: Readonly<Record<string, unknown>> = {}) {
  return listSettings('trial', { platform, keepStandIns: true, ...content });
}

const rowOf = (key: string, content?: Readonly<Record<string, unknown>>) =>
  list(content).find((row) => row.key === key);

describe('listSettings', () => {
  it('returns a value of the file with its key', () => {
    expect(rowOf('eventRetentionDays', { eventRetentionDays: 21 })).toEqual({
      key: 'eventRetentionDays',
      value: 21,
      unit: 'days',
      default: 400,
      source: 'settings/trial.json:eventRetentionDays',
    });
    expect(rowOf('platform.authUrl')).toMatchObject({
      value: platform.authUrl,
      default: undefined,
      source: 'settings/trial.json:platform.authUrl',
    });
  });

  it('returns the default of a setting that the file does not have, of the onboarding and the profile too', () => {
    expect(rowOf('webhookThrottle.rate')).toMatchObject({ value: 2_000, default: 2_000, source: 'default' });
    expect(rowOf('onboarding.settle.person')).toMatchObject({ value: 5, unit: 'seconds', source: 'default' });
    expect(rowOf('platformProfile.pageSize')).toMatchObject({ value: 20, unit: 'items', source: 'default' });
  });

  it('separates the set part of a group from the rest', () => {
    const content = { onboarding: { openDays: 30 }, backup: { retentionDays: 40 } };
    expect(rowOf('onboarding.openDays', content)).toMatchObject({
      value: 30,
      default: 90,
      source: 'settings/trial.json:onboarding.openDays',
    });
    expect(rowOf('onboarding.retentionDays', content)).toMatchObject({ value: 400, source: 'default' });
    expect(rowOf('backup.hour', content)).toMatchObject({ value: 3, default: 3, source: 'default' });
  });

  it('returns one row without a value for a group that is not set', () => {
    const rows = list().filter(({ key }) => key.startsWith('backup'));
    expect(rows).toEqual([{ key: 'backup', source: 'default' }]);
  });

  it('throws a message for a refused setting and for a placeholder', () => {
    expect(() => list({ eventRetentionDay: 21 })).toThrow('Did you mean eventRetentionDays?');
    expect(() => list({ webhooksUrl: 'https://hooks.platform.example' })).toThrow(SettingsError);
    expect(() => list({ keepStandIns: false })).toThrow('- onboarding.requestor: State who acts');
  });
});

describe('the list of units', () => {
  // The laptop may have the placeholder addresses of the test.
  const rows = listSettings('laptop', { platform, ...everySetting });

  it('has a unit for every setting that is a number', () => {
    const numbers = rows.filter(({ value }) => typeof value === 'number');
    expect(numbers.filter(({ unit }) => unit === undefined).map(({ key }) => key)).toEqual([]);
  });

  it('names no setting that does not exist', () => {
    const unknown = Object.keys(settingUnits).filter(
      (name) => !rows.some(({ key }) => key === name || key.startsWith(`${name}.`)),
    );
    expect(unknown).toEqual([]);
  });
});
