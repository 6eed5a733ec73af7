import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { root } from '#docs/generate/markdown-pages.ts';
import { writeTable } from '#docs/generate/write-table.ts';
import { actionMeanings, logMeanings } from './log-meanings.ts';
import { logMessagesIn } from './log-messages.ts';

const preface = `# Log messages

*For engineers on call who search or filter logs.* Each line is a JSON object with \`timestamp\`, \`level\`, \`message\` and the fields below. \`error\` has the name of an error,
its stack and its causes; its message only if Drawbridge wrote it, or AWS where it quotes no data. An error of AWS has a \`requestId\`, which AWS Support asks for. No field
holds personal data or a secret.

Search a log group in CloudWatch Logs Insights:

\`\`\`
filter level = "WARN" or level = "ERROR" | sort @timestamp desc
\`\`\`
`;

const actionsPreface = `## Written by the command line and the console

These lines are in the log group of \`Query\`, each with \`accessKeyId\`, before the action: where a line cannot be written, nothing is done.
[\`drawbridge audit\`](cli.md#audit) lists them, with \`event body read\` and \`person erased\` ([how](../how-to/audit.md)).
`;

const actionRows = Object.entries(actionMeanings).map(([message, { meaning, fields }]) => [
  `\`${message}\``,
  meaning,
  fields.map((field) => `\`${field}\``).join(', ') || '–',
]);

/** Each line that a function or a command writes. @throws if a message has no meaning, or a meaning no message */
export function writeLogMessages(): string {
  const files = globSync('{functions,shared}/**/*.ts', { cwd: root }).toSorted();
  const messages = files
    .flatMap((file) => logMessagesIn(file, readFileSync(join(root, file), 'utf8')))
    .toSorted((one, other) => (one.message < other.message ? -1 : 1));
  const logged = messages.map(({ message }) => message);
  for (const message of new Set([...logged, ...Object.keys(logMeanings)]))
    if (!(message in logMeanings && logged.includes(message)))
      throw new Error(`log-meanings.ts and the functions do not both have the message "${message}".`);
  const rows = messages.map(({ message, level, fields, file }) => {
    const { meaning = '', remedy = '–' } = logMeanings[message] ?? {};
    const names = fields.map((field) => `\`${field}\``).join(', ');
    return [`\`${message}\``, level.toUpperCase(), meaning, remedy, names, `[${basename(file)}](../../${file})`];
  });
  const header = ['Message', 'Level', 'Meaning', 'What to do', 'Fields', 'Written in'];
  return `${preface}\n${writeTable(header, rows)}\n\n${actionsPreface}\n${writeTable(['Message', 'Meaning', 'Fields'], actionRows)}\n`;
}
