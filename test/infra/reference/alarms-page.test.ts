import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { repositoryRoot } from '#infra/bundles/bundle.ts';
import { alarmsPage } from '#infra/parts/alarms.ts';
import { readPage } from '#test/docs/markdown-pages.ts';
import { deployedStack, pathOf, resourcesOf } from '#test/infra/deployed-stack.ts';
import { createTrialApp } from '#test/infra/trial-app.ts';
import { writeAlarms } from './write-alarms.ts';

describe('docs/reference/alarms.md', () => {
  const writePage = () => writeAlarms(createTrialApp().service);
  const deployed = ['AWS::CloudWatch::Alarm', 'AWS::CloudWatch::CompositeAlarm']
    .flatMap((type) => resourcesOf(deployedStack('service'), type))
    .filter(({ Properties }) => Properties.AlarmActions !== undefined);

  it('is what the constructs declare: run npx vitest run test/infra/reference -u', async () => {
    await expect(writePage()).toMatchFileSnapshot(join(repositoryRoot, alarmsPage));
  });

  it('has a section for each deployed alarm, under the anchor that the notification names', () => {
    const { anchors } = readPage(writePage());
    expect(deployed.length).toBeGreaterThan(0);
    for (const alarm of deployed) {
      const [, anchor = ''] = String(alarm.Properties.AlarmDescription).split(`Runbook: ${alarmsPage}#`);
      expect(anchor).toBe(String(pathOf(alarm).at(-2)).toLowerCase());
      expect(anchors).toContain(anchor);
    }
  });

  it('quotes messages that the functions log', () => {
    const quoted = [...writePage().matchAll(/\$\.message = "([^"]+)"/g)].map(([, message = '']) => message);
    const sources = globSync('functions/**/*.ts', { cwd: repositoryRoot });
    const code = sources.map((path) => readFileSync(join(repositoryRoot, path), 'utf8')).join('\n');
    expect(quoted.length).toBeGreaterThan(0);
    expect(quoted.filter((message) => !code.includes(`'${message}'`))).toEqual([]);
  });

  it('names resources of the commands that the deployed stack has', () => {
    const resourcesIn = { service: deployedStack('service').Resources, data: deployedStack('data').Resources };
    const named = [...writePage().matchAll(/\$\((?:resource|queue_arn) (\w+)( data)?\)/g)];
    expect(named.filter(([, , data]) => data !== undefined)).not.toEqual([]);
    for (const [text, id = '', data] of named)
      expect(resourcesIn[data === undefined ? 'service' : 'data'], text).toHaveProperty(id);
    expect(deployedStack('service').Outputs).toHaveProperty('ApiUrl');
  });
});
