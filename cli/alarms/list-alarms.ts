import { docsPage } from '#cli/command/docs-page.ts';
import type { Deployment } from '#cli/deployment/deployment.ts';
import { type NotifyingAlarm, readAlarms } from '#cli/status/read-alarms.ts';
import { type AlarmText, readAlarmText } from '#shared/alarm-text.ts';
import { commandsIn } from '#shared/remedy.ts';

/** An alarm with what it means and what to do, as the deployed alarm says it. */
export type ListedAlarm = Omit<NotifyingAlarm, 'description'> & AlarmText;

/** The alarms of the stacks that send notifications: those that are on first, the latest of them first. The names are those of the documentation. */
export async function listAlarms(
  deployment: Pick<Deployment, 'clients' | 'resources' | 'isLaptop' | 'environment'>,
): Promise<readonly ListedAlarm[]> {
  const environment = deployment.isLaptop ? undefined : deployment.environment;
  const alarms = (await readAlarms(deployment)).map(({ name, description, ...alarm }) => {
    const text = readAlarmText(description);
    const short = shortName(name);
    const runbook = runbookOf(short, text);
    return { name: short, ...alarm, ...text, commands: commandsIn(environment, text), runbook };
  });
  const rank = ({ state }: ListedAlarm) => (state === 'ALARM' ? 0 : 1);
  return alarms.toSorted(
    (one, other) =>
      rank(one) - rank(other) ||
      (rank(one) === 0 ? other.since.localeCompare(one.since) : one.name.localeCompare(other.name)),
  );
}

/** Without the setting `runbookUrl` an alarm names a command of this program: the page that is here says more. */
function runbookOf(name: string, { runbook }: AlarmText): string {
  if (runbook === '' || runbook.startsWith('https:')) return runbook;
  return `${docsPage('docs/reference/alarms.md')}#${name.toLowerCase()}`;
}

/** `WebhooksDlq` of `drawbridge-production-WebhooksDlq`. */
export function shortName(alarm: string): string {
  return alarm.slice(alarm.lastIndexOf('-') + 1);
}
