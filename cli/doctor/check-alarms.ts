import { docsPage } from '#cli/command/docs-page.ts';
import type { Deployment } from '#cli/deployment/deployment.ts';
import { readAlarmsThatAreOn } from '#cli/status/read-alarms.ts';
import { type Found, good } from './findings.ts';

/** The alarms of the stacks that are on. */
export async function checkAlarms(deployment: Deployment): Promise<Found> {
  const found = await readAlarmsThatAreOn(deployment);
  if (found.length === 0) return good('no alarm is on');
  return found.map(({ name, since }) => ({
    result: 'problem',
    detail: `the alarm ${name} is on since ${since}`,
    remedy: `Follow ${docsPage('docs/reference/alarms.md')}#${name.split('-').at(-1)?.toLowerCase()}.`,
  }));
}
