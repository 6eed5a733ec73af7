import { styleText } from 'node:util';
import type { Style } from './output.ts';

const colours = { good: 'green', warn: 'yellow', bad: 'red' } as const;

/** Colours texts for a stream. `styleText` obeys NO_COLOR and FORCE_COLOR, and without them colours only for a terminal. */
export function createStyle(stream: NodeJS.WritableStream): Style {
  return (tone, text) => styleText(colours[tone], text, { stream });
}
