import { diffLines } from 'diff';
import { useState } from 'preact/hooks';
import { isList, type Json, JsonNumber, membersOf, readJson, writeJson, writePlain } from '#console/data/json-text.ts';
import { Lines } from './action-button.tsx';
import { CopyButton } from './words.tsx';

/** A text: JSON in colours, whose members fold; any other text as it came. */
export function JsonView({ text, what }: { readonly text: string; readonly what: string }) {
  const value = readJson(text);
  const [folding, setFolding] = useState({ isOpen: true, round: 0 });
  const fold = (isOpen: boolean) => setFolding(({ round }) => ({ isOpen, round: round + 1 }));
  const canFold = value !== undefined && (membersOf(value)?.length ?? 0) > 0;
  return (
    <div class="json">
      <div class="json-bar">
        {canFold && (
          <>
            <button type="button" class="link" onClick={() => fold(false)}>
              Fold all
            </button>
            <button type="button" class="link" onClick={() => fold(true)}>
              Unfold all
            </button>
          </>
        )}
        <CopyButton text={value === undefined ? text : writeJson(value)} what={what} />
      </div>
      {value === undefined ? (
        <pre class="body" tabIndex={0}>
          {text}
        </pre>
      ) : (
        <section class="body" tabIndex={0} aria-label={what}>
          <Member key={folding.round} name={undefined} value={value} isOpen={folding.isOpen} comma="" />
        </section>
      )}
    </div>
  );
}

type MemberProps = {
  readonly name: string | undefined;
  readonly value: Json;
  readonly isOpen: boolean;
  readonly comma: '' | ',';
};

function Member({ name, value, isOpen, comma }: MemberProps) {
  const members = membersOf(value);
  const title = name !== undefined && (
    <>
      <span class="json-name">{JSON.stringify(name)}</span>:{' '}
    </>
  );
  const [open, close] = isList(value) ? '[]' : '{}';
  if (members === undefined || members.length === 0)
    return (
      <div class="json-line">
        {title}
        <span class={classOf(value)}>{members === undefined ? writePlain(value) : `${open}${close}`}</span>
        {comma}
      </div>
    );
  return (
    <details open={isOpen}>
      <summary>
        {title}
        {open}
        <span class="json-folded">{` … ${close}${comma} `}</span>
        <span class="json-folded none">{members.length === 1 ? '1 member' : `${members.length} members`}</span>
      </summary>
      <div class="json-members">
        {members.map(([each, member], index) => (
          <Member
            key={each ?? index}
            name={each}
            value={member}
            isOpen={isOpen}
            comma={index < members.length - 1 ? ',' : ''}
          />
        ))}
      </div>
      <div class="json-line">
        {close}
        {comma}
      </div>
    </details>
  );
}

function classOf(value: Json): string {
  if (typeof value === 'string') return 'json-string';
  return value instanceof JsonNumber ? 'json-number' : 'json-word';
}

/** In milliseconds: two long texts that have nothing in common take long to compare. */
const patience = 2_000;

/** What differs between two texts, line by line: JSON with a member on each line. */
export function TextDifference({ before, after }: { readonly before: string; readonly after: string }) {
  const parts = diffLines(inLines(before), inLines(after), { timeout: patience });
  if (parts === undefined) return <p class="none">The texts are too long to compare.</p>;
  if (parts.every(({ added, removed }) => !added && !removed)) return <p class="none">Both have the same text.</p>;
  return (
    <Lines
      lines={parts.flatMap((part) => {
        const lines = part.value.replace(/\n$/, '').split('\n');
        return lines.map((line) => `${markOf(part)} ${line}`);
      })}
    />
  );
}

function inLines(text: string): string {
  const value = readJson(text);
  return `${value === undefined ? text : writeJson(value)}\n`;
}

function markOf({ added, removed }: { readonly added: boolean; readonly removed: boolean }): '+' | '-' | ' ' {
  if (added) return '+';
  return removed ? '-' : ' ';
}
