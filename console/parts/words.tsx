import { Fragment } from 'preact';
import { useState } from 'preact/hooks';
import type { KnownStatus } from '#shared/entities/statuses/entity-rules.ts';

export type Tone = 'plain' | 'good' | 'warn' | 'bad' | 'accent';

/** The tone of each status of an entity. */
const statusTones: Readonly<Record<KnownStatus, Tone>> = {
  RECEIVED: 'plain',
  REVIEW: 'warn',
  CREATED: 'plain',
  PENDING: 'plain',
  ACTIVE: 'good',
  SUSPENDED: 'warn',
  BLOCKED: 'bad',
  DECEASED: 'plain',
  APPROVED: 'good',
  FILLED: 'good',
  CORRECTED: 'warn',
  SETTLED: 'good',
  CANCELED: 'plain',
  PROCESSED: 'good',
  INVALID: 'bad',
  REJECTED: 'bad',
};

/** The tones of the other words: steps of an onboarding, effects of an event, outcomes and reports. Any other word is plain. */
const otherTones: Readonly<Record<string, Tone>> = {
  COMPLETED: 'good',
  applied: 'good',
  delivered: 'good',
  good: 'good',
  STOPPED: 'warn',
  superseded: 'warn',
  stale: 'warn',
  retrying: 'warn',
  FAILED: 'bad',
  EXPIRED: 'bad',
  anomaly: 'bad',
  gone: 'bad',
  drifted: 'bad',
  undelivered: 'bad',
};

const tones = new Map<string, Tone>([...Object.entries(otherTones), ...Object.entries(statusTones)]);

/** What a status means for an operator, as far as the word says it. */
export function toneOf(word: string): Tone {
  return tones.get(word) ?? 'plain';
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

/** Copies a text to the clipboard. @param what names it, if it is long */
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
