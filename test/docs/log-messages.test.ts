import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { logMeanings } from './log-meanings.ts';
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

function writePage(messages: readonly LogMessage[]): string {
  const rows = messages.map(({ message, level, fields, file }) => {
    const { meaning = '', remedy = '–' } = logMeanings[message] ?? {};
    const names = fields.map((field) => `\`${field}\``).join(', ');
    return [`\`${message}\``, level.toUpperCase(), meaning, remedy, names, `[${basename(file)}](../../${file})`];
  });
  const header = ['Message', 'Level', 'Meaning', 'What to do', 'Fields', 'Written in'];
  return `${preface}\n${writeTable(header, rows)}\n`;
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
