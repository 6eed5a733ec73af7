import type { Output } from '#cli/output/output.ts';
import { wrapText } from '#cli/output/wrap-text.ts';
import type { Finding } from './findings.ts';

export function printFindings(findings: readonly Finding[], output: Output): void {
  output.list(findings, {
    head: ['check', 'result', 'detail', 'what to do'],
    row: ({ check, result, detail, remedy }) => [check, result, detail, remedy],
    onTerminal: formatFindings,
    // A table has the check in front of the result.
    toneOf: (line) => tones[results.findIndex((result) => line.split(/ {2,}/, 2).includes(result))],
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

const results = ['good', 'problem', 'unknown'] as const satisfies readonly Finding['result'][];
const tones = ['good', 'bad', 'warn'] as const;
const resultWidth = Math.max(...results.map(({ length }) => length)) + 2;
const indent = ' '.repeat(resultWidth);

/** Findings for a terminal: what to do about one is below it, on a line of its own. */
export function formatFindings(findings: readonly Finding[], width: number): string {
  return findings
    .map(({ check, result, detail, remedy }) => {
      const finding = wrapText(`${result.padEnd(resultWidth)}${check}: ${detail}`, { width, indent });
      return remedy === undefined ? finding : `${finding}\n${formatRemedy(remedy, width)}`;
    })
    .join('\n');
}

/** A command stays on one line, so that it can be copied. */
function formatRemedy(remedy: string, width: number): string {
  const isCommand = /^(drawbridge|aws) [^,]*$/.test(remedy);
  return wrapText(`${indent}→ ${remedy}`, {
    width: isCommand ? Number.POSITIVE_INFINITY : width,
    indent: `${indent}  `,
  });
}
