import { useEffect, useState } from 'preact/hooks';
import type { ReadQuery } from '#cli/console/reads/reads.ts';
import { addressOf, navigate } from '#console/app/router.ts';
import { useRead } from '#console/data/read.ts';
import { readTime, writeTime } from '#console/data/written-time.ts';
import { clockNow } from '#console/parts/time.tsx';
import { isTimeText, TimeField } from '#console/parts/time-field.tsx';
import { kinds, kindTitles } from './entities.tsx';

const names = ['eventType', 'quarantineReason', 'effect', 'kind', 'id', 'receivedFrom', 'receivedTo'] as const;

/** What the address of the page asks for; a part that is not filtered is empty. */
export type Filter = Readonly<Record<(typeof names)[number], string>>;

export function filterOf(query: URLSearchParams): Filter {
  const wordOf = (name: keyof Filter) => query.get(name) ?? '';
  return {
    eventType: wordOf('eventType'),
    quarantineReason: wordOf('quarantineReason'),
    effect: wordOf('effect'),
    kind: wordOf('kind'),
    id: wordOf('id'),
    receivedFrom: wordOf('receivedFrom'),
    receivedTo: wordOf('receivedTo'),
  };
}

/** Whether the events are found by the timelines of entities. These have no event types, and no event in quarantine. */
export function isByReport({ effect, kind, id, quarantineReason }: Filter): boolean {
  return quarantineReason === '' && (effect !== '' || kind !== '' || id !== '');
}

type Effect = NonNullable<ReadQuery<'reports'>['effect']>;

export const effectWords: readonly Effect[] = ['applied', 'superseded', 'duplicate', 'anomaly'];

export const eventIdPattern = /^[\da-f]{64}$/;

export function EventFilter({ filter }: { readonly filter: Filter }) {
  const [draft, setDraft] = useState(() => withLocalTimes(filter));
  useEffect(() => setDraft(withLocalTimes(filter)), [JSON.stringify(filter)]);
  const types = useRead('eventTypes', {}).answer ?? [];
  const set = (name: keyof Filter) => (event: { readonly currentTarget: { readonly value: string } }) =>
    setDraft({ ...draft, [name]: event.currentTarget.value });
  const setState = ({ currentTarget: { value } }: { readonly currentTarget: { readonly value: string } }) => {
    const isEffect = effectWords.some((word) => word === value);
    setDraft({ ...draft, effect: isEffect ? value : '', quarantineReason: isEffect ? '' : value });
  };
  const isReport = isByReport(draft);
  const isQuarantine = draft.quarantineReason !== '';
  const submit = () => {
    const id = draft.id.trim();
    if (!isQuarantine && eventIdPattern.test(id)) return navigate(`/events/${id}`);
    return navigate(
      addressOf('/events', {
        ...draft,
        eventType: isReport ? '' : draft.eventType.trim(),
        kind: isQuarantine ? '' : draft.kind,
        id: isQuarantine ? '' : id,
        receivedFrom: timeOf(draft.receivedFrom),
        receivedTo: timeOf(draft.receivedTo),
      }),
    );
  };
  return (
    <form
      class="filters"
      onSubmit={(event) => {
        event.preventDefault();
        if (timeFields.every(({ name }) => isTimeText(draft[name]))) submit();
      }}
    >
      <label class="grow">
        Event type
        <input
          type="search"
          value={isReport ? '' : draft.eventType}
          placeholder={isReport ? 'every type' : 'all'}
          disabled={isReport}
          spellcheck={false}
          list="event-types"
          onInput={set('eventType')}
        />
        <datalist id="event-types">
          {types.map((type) => (
            <option key={type} value={type} />
          ))}
        </datalist>
      </label>
      <label>
        State
        <select value={draft.effect === '' ? draft.quarantineReason : draft.effect} onChange={setState}>
          <option value="">all</option>
          <option value="ANY">in quarantine</option>
          {isQuarantine && draft.quarantineReason !== 'ANY' && (
            <option value={draft.quarantineReason}>{draft.quarantineReason}</option>
          )}
          {effectWords.map((word) => (
            <option key={word} value={word}>
              {word}
            </option>
          ))}
        </select>
      </label>
      <label>
        About
        <select value={isQuarantine ? '' : draft.kind} disabled={isQuarantine} onChange={set('kind')}>
          <option value="">anything</option>
          {kinds.map((kind) => (
            <option key={kind} value={kind}>
              {kindTitles[kind]}
            </option>
          ))}
        </select>
      </label>
      <label class="grow">
        Id
        <input
          type="search"
          value={isQuarantine ? '' : draft.id}
          placeholder={isQuarantine ? 'none in quarantine' : 'entity or event'}
          disabled={isQuarantine}
          spellcheck={false}
          onInput={set('id')}
        />
      </label>
      {timeFields.map(({ name, ...field }) => (
        <TimeField
          key={name}
          {...field}
          value={draft[name]}
          onInput={(value) => setDraft({ ...draft, [name]: value })}
        />
      ))}
      <button type="submit" class="button">
        Filter
      </button>
    </form>
  );
}

const timeFields = [
  { label: 'From', name: 'receivedFrom', placeholder: '2h, or 14:30' },
  { label: 'To', name: 'receivedTo', placeholder: 'now' },
] as const;

function withLocalTimes(filter: Filter): Filter {
  return { ...filter, receivedFrom: writeTime(filter.receivedFrom), receivedTo: writeTime(filter.receivedTo) };
}

/** A text of the address that is not a time goes to the API, which says so. */
const timeOf = (text: string) => readTime(text, clockNow()) ?? text.trim();
