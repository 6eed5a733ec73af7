import { expect, it } from 'vitest';
import { formatSettings } from '#infra/settings-command/format-settings.ts';

it('the table of settings has aligned columns, a dash for no value, and shortens a long value', () => {
  const names = Array.from({ length: 9 }, (_, index) => `EVENT_${index}`);
  expect(
    formatSettings([
      {
        key: 'storeConcurrency',
        value: 7,
        unit: 'batches',
        default: 50,
        source: 'settings/trial.json:storeConcurrency',
      },
      { key: 'network', value: undefined, unit: undefined, default: undefined, source: 'default' },
      { key: 'registeredEventTypes', value: names, unit: undefined, default: undefined, source: 'default' },
    ]),
  ).toBe(
    `
setting               value                                 unit     default  source
storeConcurrency      7                                     batches  50       settings/trial.json:storeConcurrency
network               –                                              –        default
registeredEventTypes  ["EVENT_0","EVENT_1","EVENT_2","EVE…           –        default`.trimStart(),
  );
});
