import { describe, expect, it } from 'vitest';
import { checkEqual, checkNone } from '#sandbox/scenario/common/checks.ts';
import { type ScenarioRun, writeScenarioReport } from '#sandbox/scenario/report/write-scenario-report.ts';

const run: ScenarioRun = {
  name: 'outage',
  description: 'The endpoint is down.',
  promises: [2, 5],
  options: { webhooks: 500, directory: '/home/developer' },
  checks: [checkNone('lost', 0)],
  story: [[3, 'Delivers 50 webhooks']],
  seconds: 9,
  depths: undefined,
  flows: [],
};

describe('the report of a scenario', () => {
  it('says what happened, with what options, and whether every check holds', async () => {
    const page = await writeScenarioReport(run);
    expect(page).toContain('Every check holds.');
    for (const text of [
      'Delivers 50 webhooks',
      '500',
      'an event has its effect once',
      'every marked record is committed',
    ])
      expect(page).toContain(text);
    expect(page).not.toContain('/home/developer');
    // A narrow column would put the unit below the number.
    expect(page).toContain('<td>3\u00a0s</td>');
  });

  it('says which check does not hold', async () => {
    const checks = [...run.checks, checkEqual('stored', 5, 4)];
    const page = await writeScenarioReport({ ...run, checks });
    expect(page).toContain('FAILED: 1 of 2 checks do not hold.');
    expect(page).toMatch(/<tr class="fails"><td>stored/);
  });
});
