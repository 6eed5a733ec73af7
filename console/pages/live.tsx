import { useState } from 'preact/hooks';
import type { LiveLine } from '#cli/console/live/live-feed.ts';
import { countNewer, liveLines, liveState } from '#console/data/live.ts';
import { useSharedValue } from '#console/data/shared-value.ts';
import { PageHead } from '#console/parts/facts.tsx';
import { LineTable } from '#console/parts/line-table.tsx';
import { Empty, Loading } from '#console/parts/states.tsx';

/** Webhooks and bus events as they come. */
export function LivePage() {
  const lines = useSharedValue(liveLines);
  const { isWatching, note } = useSharedValue(liveState);
  const [text, setText] = useState('');
  const [source, setSource] = useState<'' | LiveLine['source']>('');
  const [paused, setPaused] = useState<readonly LiveLine[] | undefined>(undefined);
  const wantedOf = (some: readonly LiveLine[]) => some.filter((line) => isWanted(line, text, source));
  const wanted = wantedOf(paused ?? lines);
  return (
    <>
      <PageHead
        title="Live"
        note="Webhooks and bus events as they come, the latest first."
        actions={
          <button
            type="button"
            class="button"
            aria-pressed={paused !== undefined}
            onClick={() => setPaused(paused === undefined ? lines : undefined)}
          >
            {paused === undefined ? 'Pause' : `Continue (${countNewer(wanted, wantedOf(lines))} new)`}
          </button>
        }
      />
      <div class="filters">
        <label>
          Source
          <select
            value={source}
            onChange={({ currentTarget: { value } }) => setSource(value === 'webhook' || value === 'bus' ? value : '')}
          >
            <option value="">all</option>
            <option value="webhook">webhooks</option>
            <option value="bus">bus events</option>
          </select>
        </label>
        <label class="grow">
          Text
          <input
            type="search"
            value={text}
            placeholder="type, status or part of an id"
            onInput={({ currentTarget }) => setText(currentTarget.value)}
          />
        </label>
      </div>
      {note !== undefined && <p class="note">{note}</p>}
      {wanted.length > 0 && <LineTable lines={wanted} caption="Webhooks and bus events" />}
      {wanted.length === 0 && !isWatching && note === undefined && <Loading />}
      {wanted.length === 0 && isWatching && (
        <Empty title={lines.length === 0 ? 'Waiting for webhooks and bus events.' : 'Nothing matches the filter.'}>
          {lines.length === 0 ? 'They appear within a second. What came before is under Events.' : undefined}
        </Empty>
      )}
    </>
  );
}

function isWanted(
  { source, type, status = '', about = '', eventId = '' }: LiveLine,
  text: string,
  wanted: string,
): boolean {
  const words = text.trim().toLowerCase();
  const isText = words === '' || [type, status, about, eventId].some((each) => each.toLowerCase().includes(words));
  return isText && (wanted === '' || source === wanted);
}
