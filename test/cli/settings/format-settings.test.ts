import { expect, it } from 'vitest';
import { settingsHints } from '#cli/settings/describe-settings.ts';
import { formatSettings } from '#cli/settings/format-settings.ts';

const unset = { value: undefined, unit: undefined, default: undefined, source: 'default' };

const names = Array.from({ length: 9 }, (_, index) => `EVENT_${index}`);
const source = 'settings/trial.json:storeConcurrency';
const storeConcurrency = { key: 'storeConcurrency', value: 7, unit: 'batches', default: 50, source };
const registered = { ...unset, key: 'registeredEventTypes', value: names, default: names };

it('aligns the columns of the settings, with a dash for no value, the whole of a long value, and a short default', () => {
  const url = `https://git.trial.internal/${'a'.repeat(40)}`;
  expect(
    formatSettings([
      storeConcurrency,
      { ...unset, key: 'network' },
      registered,
      { ...unset, key: 'runbookUrl', value: url },
    ]),
  ).toBe(
    `
setting               value                                            unit     default                   source
storeConcurrency      7                                                batches  50                        settings/trial.json:storeConcurrency
network               –                                                         –                         default
registeredEventTypes  ["EVENT_0","EVENT_1","EVENT_2","EVENT_3",                 ["EVENT_0","EVENT_1","E…  default
                      "EVENT_4","EVENT_5","EVENT_6","EVENT_7",
                      "EVENT_8"]
runbookUrl            "https://git.trial.internal/aaaaaaaaaaaaaaaaaaa           –                         default
                      aaaaaaaaaaaaaaaaaaaaa"`.trimStart(),
  );
});

it('names in a hint each setting of the notifications that is not set', () => {
  const settings = [
    { ...unset, key: 'alarmSubscribers', value: ['oncall@trial.internal'] },
    { ...unset, key: 'runbookUrl' },
    { ...unset, key: 'network' },
  ];
  expect(settingsHints(settings)).toEqual([
    'runbookUrl is not set: alarms name a command in place of a link to their section of the runbook.',
  ]);
});

it('lists the settings without a table on a terminal that is too narrow for one', () => {
  expect(formatSettings([storeConcurrency, registered], 80).split('\n')).toEqual([
    'storeConcurrency',
    '  7',
    '  batches, default 50, settings/trial.json:storeConcurrency',
    'registeredEventTypes',
    '  ["EVENT_0","EVENT_1","EVENT_2","EVENT_3",',
    '  "EVENT_4","EVENT_5","EVENT_6","EVENT_7",',
    '  "EVENT_8"]',
    '  the default',
  ]);
});
