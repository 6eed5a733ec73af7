import { useState } from 'preact/hooks';
import { useRead } from '#console/data/read.ts';
import { readTime } from '#console/data/written-time.ts';
import { ActionButton } from '#console/parts/action-button.tsx';
import { PageHead, Section } from '#console/parts/facts.tsx';
import { Empty, Shown } from '#console/parts/states.tsx';
import { Table } from '#console/parts/table.tsx';
import { clockNow } from '#console/parts/time.tsx';
import { isTimeText, TimeField } from '#console/parts/time-field.tsx';
import { Badge, Breakable } from '#console/parts/words.tsx';

/** Who subscribes to the bus, and past events for them once more. */
export function BusPage() {
  const state = useRead('subscriptions', {});
  const [chosen, setChosen] = useState<readonly string[]>([]);
  const [from, setFrom] = useState('1h');
  const [until, setUntil] = useState('');
  const toggle = (rule: string) =>
    setChosen((before) => (before.includes(rule) ? before.filter((one) => one !== rule) : [...before, rule]));
  const timeOf = (text: string) => readTime(text, clockNow()) || undefined;
  const canReplay = chosen.length > 0 && timeOf(from) !== undefined && isTimeText(until);
  return (
    <>
      <PageHead
        isActing
        title="Bus"
        note="The rules that subscribe to the bus. A subscriber that is new, or that lost events, can get past events once more."
      />
      <Section
        title="Subscribers"
        note="Choose rules, and the time of the events. Other rules get nothing."
        actions={
          <ActionButton
            name="replayBus"
            input={() => ({ to: [...chosen], from: timeOf(from) ?? '', until: timeOf(until) })}
            label="Replay events"
            isDisabled={!canReplay}
          />
        }
      >
        <div class="filters">
          <TimeField label="From" value={from} placeholder="2h, or 14:30" onInput={setFrom} />
          <TimeField label="To" value={until} placeholder="now" onInput={setUntil} />
        </div>
        <Shown state={state} lines={3}>
          {(subscriptions) =>
            subscriptions.length === 0 ? (
              <Empty title="No rule subscribes to the bus.">Rules of Drawbridge itself are left out.</Empty>
            ) : (
              <Table
                caption="Rules of subscribers"
                rows={subscriptions}
                keyOf={({ rule }) => rule}
                columns={[
                  {
                    title: 'Choose',
                    cell: ({ rule, enabled }) => (
                      <input
                        type="checkbox"
                        aria-label={`Choose ${rule}`}
                        disabled={!enabled}
                        checked={chosen.includes(rule)}
                        onChange={() => toggle(rule)}
                      />
                    ),
                  },
                  { title: 'Rule', cell: ({ rule }) => <Breakable text={rule} /> },
                  {
                    title: 'State',
                    cell: ({ enabled }) => (
                      <Badge tone={enabled ? 'good' : 'warn'}>{enabled ? 'enabled' : 'disabled'}</Badge>
                    ),
                  },
                  {
                    title: 'Targets',
                    isBelow: true,
                    cell: ({ targets }) =>
                      targets.length === 0 ? <span class="none">none</span> : <Breakable text={targets.join(', ')} />,
                  },
                ]}
              />
            )
          }
        </Shown>
      </Section>
    </>
  );
}
