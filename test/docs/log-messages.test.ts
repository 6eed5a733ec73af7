import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { actionMeanings, logMeanings } from './log-meanings.ts';
import { type LogMessage, logMessagesIn } from './log-messages.ts';
import { root } from './markdown-pages.ts';
import { writeTable } from './write-table.ts';

const preface = `<!-- Generated: npx vitest run test/docs/log-messages.test.ts -u -->

# Log messages

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

function writePage(messages: readonly LogMessage[]): string {
  const rows = messages.map(({ message, level, fields, file }) => {
    const { meaning = '', remedy = '–' } = logMeanings[message] ?? {};
    const names = fields.map((field) => `\`${field}\``).join(', ');
    return [`\`${message}\``, level.toUpperCase(), meaning, remedy, names, `[${basename(file)}](../../${file})`];
  });
  const header = ['Message', 'Level', 'Meaning', 'What to do', 'Fields', 'Written in'];
  return `${preface}\n${writeTable(header, rows)}\n\n${actionsPreface}\n${writeTable(['Message', 'Meaning', 'Fields'], actionRows)}\n`;
}

describe('the log messages', () => {
  const files = globSync('{functions,shared}/**/*.ts', { cwd: root }).toSorted();
  const messages = files.flatMap((file) => logMessagesIn(file, readFileSync(join(root, file), 'utf8')));

  it('are those of docs/reference/log-messages.md: run npx vitest run test/docs -u', async () => {
    expect(messages.length).toBeGreaterThan(20);
    const page = writePage(messages.toSorted((one, other) => (one.message < other.message ? -1 : 1)));
    await expect(page).toMatchFileSnapshot(join(root, 'docs/reference/log-messages.md'));
  });

  it('have one meaning each, and no meaning is of a message that no function logs', () => {
    const logged = [...new Set(messages.map(({ message }) => message))];
    expect(Object.keys(logMeanings).toSorted()).toEqual(logged.toSorted());
  });
});
