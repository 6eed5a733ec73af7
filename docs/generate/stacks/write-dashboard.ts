import { writeTable } from '#docs/generate/write-table.ts';
import type { DashboardWidget } from '#test/infra/stacks/dashboard-widgets.ts';

const preface = `# Dashboard

*For operators.* Each environment has the CloudWatch dashboard \`drawbridge-ENVIRONMENT-REGION\`, whose address is the output \`DashboardUrl\`. One
screen answers three questions: is Drawbridge healthy, where is the backlog, and what does the platform do?

Read the screen from the top. \`AnyAlarm\` is red while any alarm is on. Beside it the alarms that are on come first, and of those the latest
change. The name of an alarm ends in its name in the [alarm reference](../reference/alarms.md). In the second row a line that
rises and does not fall is a backlog. The lines of dead letters stay at 0: a message there waits for an operator.

AWS charges 3 USD a month for a dashboard. The first three dashboards of an account are free where they have up to 50 metrics each, as
this one does.`;

/** What each graph of the dashboard shows. */
export function writeDashboard(widgets: readonly DashboardWidget[]): string {
  const rows = widgets.map(({ type, properties }) => {
    if (type === 'text') return [`**${properties.markdown.replaceAll('**', '')}**`, ''];
    if (type === 'alarm') {
      const isAny = properties.alarms.length === 1;
      return [properties.title, isAny ? 'whether any alarm is on' : 'the state of each alarm that notifies'];
    }
    const lines = properties.metrics
      .filter(({ options }) => options.visible !== false)
      .map(({ namespace, name, options }) => {
        const metric = name === '' ? 'the sum over all functions' : `\`${namespace}/${name}\``;
        const label = options.label === undefined || options.label === name ? '' : `${options.label}: `;
        return `${label}${metric}`;
      });
    return [properties.title, lines.join('<br>')];
  });
  return `${preface}\n\n${writeTable(['graph', 'lines'], rows)}\n`;
}
