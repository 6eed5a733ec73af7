import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { writeAlarms } from '#docs/generate/stacks/write-alarms.ts';
import { repositoryRoot } from '#infra/bundles/bundle.ts';
import { deployedStack } from '#test/infra/deployed-stack.ts';
import { createTrialApp, trialResources } from '#test/infra/shared-trial-apps.ts';
import type { ReadableResource } from '#test/infra/stacks/readable-stack.ts';

const scheduled = z.object({ Target: z.object({ Arn: z.string() }) });

describe('docs/reference/alarms.md', () => {
  /** With the alarms that need a setting. */
  const withBackups = { backup: { retentionDays: 40 } };
  const { declared } = createTrialApp(withBackups).service.alarms;
  const { service } = trialResources(withBackups);
  const page = writeAlarms(declared, service);
  const notifying = service.filter(
    ({ Type, Properties }) => /Alarm$/.test(Type) && Properties['AlarmActions'] !== undefined,
  );
  const nameOf = ({ name }: ReadableResource) => name.replace('Alarms/', '');

  it('has a section for each deployed alarm that notifies', () => {
    expect(notifying.map(nameOf).toSorted()).toEqual([...declared.keys()].toSorted());
  });

  it('quotes messages that the functions log', () => {
    const quoted = [...page.matchAll(/^lines_of \w+ message "([^"]+)"$/gm)].map(([, message = '']) => message);
    const sources = globSync('functions/**/*.ts', { cwd: repositoryRoot });
    const code = sources.map((path) => readFileSync(join(repositoryRoot, path), 'utf8')).join('\n');
    expect(quoted.length).toBeGreaterThan(0);
    expect(quoted.filter((message) => !code.includes(`'${message}'`))).toEqual([]);
  });

  it('is what the how-to page takes its test alarm from: one on a function that runs each minute, so that a forced state ends', () => {
    const howTo = readFileSync(join(repositoryRoot, 'docs/how-to/deploy.md'), 'utf8');
    const [, name = ''] = /set-alarm-state --alarm-name drawbridge-production-(\w+)/.exec(howTo) ?? [];
    const eachMinute = service
      .filter(({ Properties }) => Properties['ScheduleExpression'] === 'rate(1 minute)')
      .map(({ Properties }) => scheduled.parse(Properties).Target.Arn.replace('.Arn>', '>'));
    expect(notifying.find((alarm) => nameOf(alarm) === name)?.Properties).toMatchObject({
      OKActions: [expect.anything()],
      MetricName: 'Errors',
      Dimensions: [{ Name: 'FunctionName', Value: expect.toBeOneOf(eachMinute) }],
    });
  });

  it('shows no body of a webhook, which holds personal data', () => {
    expect(page).not.toContain('--reveal');
    expect(page).not.toMatch(/receive-message --queue-url "\$\(resource Webhooks/);
  });

  it('names resources of the commands that the deployed stack has', () => {
    const named = [...page.matchAll(/(?:\$\(resource |^\w+_of )(\w+)/gm)];
    expect(named).not.toEqual([]);
    expect(service.map(({ id }) => id)).toEqual(expect.arrayContaining(named.map(([, id]) => id)));
    const outputs = [...page.matchAll(/\$\(output (\w+)\)/g)].map(([, name = '']) => name);
    expect(outputs).not.toEqual([]);
    for (const name of outputs) expect(deployedStack('service').Outputs).toHaveProperty(name);
  });
});
