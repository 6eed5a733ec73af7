import { writeTable } from '#docs/generate/write-table.ts';
import { logQueries } from '#infra/monitoring/log-queries.ts';

const preface = `# Saved log queries

*For engineers on call who search the logs.* Each environment saves these queries of CloudWatch Logs Insights. The console lists them in
the folder \`drawbridge-ENVIRONMENT\` under **Saved queries**. Choose a time range before you run one: AWS charges for the bytes
that a query reads. \`npx --no -- drawbridge logs NAME\` runs one. [Log messages](log-messages.md) says what each message means.

A webhook leaves its delivery id (\`requestId\` in the access log), its \`eventId\` and, where it concerns one, its \`onboardingId\`.
The line \`event applied\` of \`store\` has the first two, the line \`onboarding woken\` the last two. Bus events carry the \`eventId\`
or the \`onboardingId\`.`;

/** Each saved query, with what it shows. */
export function writeLogQueries(): string {
  const rows = logQueries.map(({ name, shows, replace = [], of }) => {
    const replaced = replace.map((word) => `\`${word}\``).join(', ') || '–';
    return [`[\`${name}\`](#${name})`, shows, replaced, of];
  });
  const table = writeTable(['query', 'shows', 'replace', 'log groups'], rows);
  const texts = logQueries.map(({ name, query }) => `## ${name}\n\n\`\`\`\n${query.join('\n| ')}\n\`\`\``);
  return `${[preface, table, ...texts].join('\n\n')}\n`;
}
