import type { Output } from '#cli/output/output.ts';
import type { Finding } from './findings.ts';
import { formatFindings } from './format-findings.ts';

export function printFindings(findings: readonly Finding[], output: Output): void {
  output.list(findings, {
    head: ['check', 'result', 'detail', 'what to do'],
    row: ({ check, result, detail, remedy }) => [check, result, detail, remedy],
    onTerminal: formatFindings,
    none: 'Nothing was checked.',
  });
}

/** Prints the setting ready to be pasted into a settings file. */
export function printProfile(platformProfile: Readonly<Record<string, unknown>>, output: Output): void {
  output.item({ platformProfile }, () => formatProfile(platformProfile));
}

function formatProfile(platformProfile: Readonly<Record<string, unknown>>): string {
  if (Object.keys(platformProfile).length === 0) return '\nNo setting of platformProfile need differ from its default.';
  const json = JSON.stringify({ platformProfile }, undefined, 2).split('\n').slice(1, -1).join('\n');
  return `\nIn the settings file, with the answers of the operator to what is open above:\n\n${json}`;
}
