import { Fragment } from 'preact';
import { useState } from 'preact/hooks';

export type Tone = 'plain' | 'good' | 'warn' | 'bad' | 'accent';

const good = ['SETTLED', 'FILLED', 'ACTIVE', 'APPROVED', 'COMPLETED', 'applied', 'delivered', 'good'];
const warn = ['STOPPED', 'SUSPENDED', 'CORRECTED', 'superseded', 'stale', 'retrying', 'REVIEW'];
const bad = ['REJECTED', 'INVALID', 'FAILED', 'BLOCKED', 'EXPIRED', 'anomaly', 'gone', 'drifted', 'undelivered'];

/** What a status means for an operator, as far as the word says it. */
export function toneOf(word: string): Tone {
  if (good.includes(word)) return 'good';
  if (warn.includes(word)) return 'warn';
  return bad.includes(word) ? 'bad' : 'plain';
}

/** A name in capitals: a long one breaks after an underscore, not within a word. */
export function Breakable({ text }: { readonly text: string }) {
  const [first = '', ...rest] = text.split('_');
  return (
    <span>
      {first}
      {rest.map((word, index) => (
        <Fragment key={index}>
          _<wbr />
          {word}
        </Fragment>
      ))}
    </span>
  );
}

/** A status, step, effect or reason. */
export function Badge({ children, tone = toneOf(children) }: { readonly children: string; readonly tone?: Tone }) {
  return (
    <span class={`badge ${tone}`}>
      <Breakable text={children} />
    </span>
  );
}

/** Copies a text to the clipboard. @param what names it, where it is long */
export function CopyButton({ text, what = text }: { readonly text: string; readonly what?: string }) {
  const [isCopied, setCopied] = useState(false);
  const copy = async () => {
    await navigator.clipboard.writeText(text);
    setCopied(true);
    setTimeout(() => setCopied(false), 1_200);
  };
  return (
    <button type="button" class="copy" aria-label={`Copy ${what}`} onClick={() => copy().catch(() => undefined)}>
      {isCopied ? 'copied' : 'copy'}
    </button>
  );
}

/** An id, shortened in the middle, which copies itself as a whole. */
export function Id({ id, isWhole = false }: { readonly id: string; readonly isWhole?: boolean }) {
  return (
    <span class={id.length > 40 ? 'id long' : 'id'}>
      <code title={id}>{isWhole ? id : shortened(id)}</code>
      <CopyButton text={id} />
    </span>
  );
}

/** The beginning and the end distinguish two ids. */
export function shortened(id: string): string {
  return id.length <= 20 ? id : `${id.slice(0, 8)}…${id.slice(-6)}`;
}
