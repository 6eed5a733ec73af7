import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { deadLetterQueues } from '#cli/dlq/dead-letter-queues.ts';
import { repositoryRoot } from '#infra/bundles/bundle.ts';
import { alarmsPage } from '#infra/parts/alarms.ts';
import { deployedStack } from '#test/infra/deployed-stack.ts';
import type { ReadableResource } from '#test/infra/readable-stack.ts';
import { createTrialApp, trialResources } from '#test/infra/trial-app.ts';
import { writeAlarms } from './write-alarms.ts';

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

  it('is what the stack deploys, with the texts that the constructs declare: run npx vitest run test/infra/reference -u', async () => {
    await expect(page).toMatchFileSnapshot(join(repositoryRoot, alarmsPage));
  });

  it('has a section for each deployed alarm that notifies', () => {
    expect(notifying.map(nameOf).toSorted()).toEqual([...declared.keys()].toSorted());
  });

  it('quotes messages that the functions log', () => {
    const quoted = [...page.matchAll(/\$\.message = "([^"]+)"/g)].map(([, message = '']) => message);
    const sources = globSync('functions/**/*.ts', { cwd: repositoryRoot });
    const code = sources.map((path) => readFileSync(join(repositoryRoot, path), 'utf8')).join('\n');
    expect(quoted.length).toBeGreaterThan(0);
    expect(quoted.filter((message) => !code.includes(`'${message}'`))).toEqual([]);
  });

  it('has commands for each alarm on a queue that count its messages and leave them in the queue', () => {
    const onQueues = notifying.filter(({ Properties }) => Properties['Namespace'] === 'AWS/SQS');
    expect(onQueues.length).toBeGreaterThan(5);
    const known: readonly string[] = deadLetterQueues;
    for (const { name, Properties } of onQueues) {
      const alarm = name.replace('Alarms/', '');
      const shells = declared.get(alarm)?.commands.map(({ shell }) => shell) ?? [];
      if (Properties['MetricName'] !== 'ApproximateNumberOfMessagesVisible')
        expect(shells, alarm).toContain('npx drawbridge status --env production');
      else if (known.includes(alarm)) {
        const ends = ['redrive', 'purge'].map((end) => `npx drawbridge dlq ${end} ${alarm} --env production`);
        expect(shells.slice(0, 2)).toEqual([
          'npx drawbridge dlq ls --env production',
          `npx drawbridge dlq show ${alarm} --env production`,
        ]);
        expect(ends).toContain(shells.at(-1));
      } else {
        const watched = service.filter((one) =>
          JSON.stringify(Properties['Dimensions']).includes(`<${one.name}.QueueName>`),
        );
        const [queue] = watched.map(({ id }) => id);
        expect(shells[0]).toContain(`aws sqs get-queue-attributes --queue-url "$(resource ${queue})"`);
        expect(shells[1]).toContain('--visibility-timeout 0');
        expect(shells.at(-1)).toBe(`aws sqs purge-queue --queue-url "$(resource ${queue})"`);
      }
    }
  });

  it('is what the how-to page takes its test alarm from', () => {
    const howTo = readFileSync(join(repositoryRoot, 'docs/how-to/deploy.md'), 'utf8');
    const [, name = ''] = /set-alarm-state --alarm-name drawbridge-production-(\w+)/.exec(howTo) ?? [];
    expect(notifying.map(nameOf)).toContain(name);
  });

  it('shows no body of a webhook, which holds personal data', () => {
    expect(page).not.toContain('--reveal');
    expect(page).not.toMatch(/receive-message --queue-url "\$\(resource Webhooks/);
  });

  it('names resources of the commands that the deployed stack has', () => {
    const named = [...page.matchAll(/\$\(resource (\w+)\)/g)];
    expect(named).not.toEqual([]);
    expect(service.map(({ id }) => id)).toEqual(expect.arrayContaining(named.map(([, id]) => id)));
    const outputs = [...page.matchAll(/\$\(output (\w+)\)/g)].map(([, name = '']) => name);
    expect(outputs).not.toEqual([]);
    for (const name of outputs) expect(deployedStack('service').Outputs).toHaveProperty(name);
  });
});
