import { docsPage } from '#cli/command/docs-page.ts';
import type { Deployment } from '#cli/deployment/deployment.ts';
import { type NotifyingAlarm, readAlarms } from '#cli/status/read-alarms.ts';
import { commandsIn } from '#shared/remedy.ts';

/** The alarms of the stacks that send notifications: those that are on first, the latest of them first. The names are those of the documentation. */
export async function listAlarms(
  deployment: Pick<Deployment, 'clients' | 'resources' | 'isLaptop' | 'environment'>,
): Promise<readonly NotifyingAlarm[]> {
  const environment = deployment.isLaptop ? undefined : deployment.environment;
  const alarms = (await readAlarms(deployment)).map((alarm) => {
    const name = shortName(alarm.name);
    return { ...alarm, name, commands: commandsIn(environment, alarm), runbook: runbookOf(name, alarm) };
  });
  const rank = ({ state }: NotifyingAlarm) => (state === 'ALARM' ? 0 : 1);
  return alarms.toSorted(
    (one, other) =>
      rank(one) - rank(other) ||
      (rank(one) === 0 ? other.since.localeCompare(one.since) : one.name.localeCompare(other.name)),
  );
}

/** Without the setting `runbookUrl` an alarm names a command of this program: the page that is here says more. */
function runbookOf(name: string, { runbook }: NotifyingAlarm): string {
  if (runbook === '' || runbook.startsWith('https:')) return runbook;
  return `${docsPage('docs/reference/alarms.md')}#${name.toLowerCase()}`;
}

/** `WebhooksDlq` of `drawbridge-production-WebhooksDlq`. */
export function shortName(alarm: string): string {
  return alarm.slice(alarm.lastIndexOf('-') + 1);
}
