import { useEffect, useState } from 'preact/hooks';
import { useRead } from '#console/data/read.ts';
import { useStore } from '#console/data/store.ts';
import { PageHead, Section } from '#console/parts/facts.tsx';
import { LatestOutcome, latestOutcome, QuickButton } from '#console/parts/quick-button.tsx';
import { Empty, Shown } from '#console/parts/states.tsx';
import { Table } from '#console/parts/table.tsx';
import { Time } from '#console/parts/time.tsx';
import { Badge, Breakable } from '#console/parts/words.tsx';

const advances = [
  ['1 min', 60],
  ['10 min', 600],
  ['1 h', 3_600],
  ['1 d', 86_400],
] as const;

/** The sandbox platform of the laptop: its clock, its faults, persons with an outcome, and what went to and fro. */
export function SandboxPage() {
  const state = useRead('sandbox', {});
  return (
    <>
      <PageHead title="Sandbox" note="The platform that npm start runs beside Drawbridge. Both follow its clock." />
      <LatestOutcome />
      <Shown state={state} lines={10}>
        {({ clock, faults, personas, lifeCycles }) => (
          <>
            <div class="columns">
              <Section title="Clock">
                <p>
                  <strong class="clock">{clock.now.replace('T', ' ').slice(0, 19)}</strong>{' '}
                  <Badge tone={clock.isFrozen ? 'warn' : 'good'}>{clock.isFrozen ? 'stopped' : 'running'}</Badge>
                </p>
                <p class="actions">
                  {clock.isFrozen ? (
                    <QuickButton name="startClock" input={{}} label="Start" onDone={state.reload} />
                  ) : (
                    <QuickButton name="stopClock" input={{}} label="Stop" onDone={state.reload} />
                  )}
                  {advances.map(([label, seconds]) => (
                    <QuickButton
                      key={label}
                      name="advanceClock"
                      input={{ seconds }}
                      label={`+ ${label}`}
                      onDone={state.reload}
                    />
                  ))}
                </p>
              </Section>
              <Section title="Faults">
                <p class="actions">
                  <QuickButton
                    name="placeFault"
                    input={{ effect: 'ANSWER', status: 503 }}
                    label="Answer 503"
                    tone="danger"
                    onDone={state.reload}
                  />
                  <QuickButton
                    name="placeFault"
                    input={{ effect: 'NO_ANSWER' }}
                    label="No answer"
                    tone="danger"
                    onDone={state.reload}
                  />
                  <QuickButton
                    name="placeFault"
                    input={{ effect: 'LATENCY', milliseconds: 2_000 }}
                    label="2 s late"
                    tone="danger"
                    onDone={state.reload}
                  />
                  <QuickButton name="endFaults" input={{}} label="End all faults" onDone={state.reload} />
                </p>
                <p class="none">
                  {faults.length === 0
                    ? 'The platform answers every call.'
                    : faults.map(({ id, fault, happened }) => `${id}: ${fault.effect}, ${happened} times`).join(' · ')}
                </p>
                <p class="actions">
                  <QuickButton name="setOutage" input={{ isOut: true }} label="Take Drawbridge down" tone="danger" />
                  <QuickButton name="setOutage" input={{ isOut: false }} label="Bring Drawbridge up" />
                </p>
              </Section>
            </div>
            <div class="columns">
              <Section title="Scenarios" note="Each plays a life cycle with all its webhooks.">
                <ul class="choices">
                  {lifeCycles.map(({ type, means }) => (
                    <li key={type}>
                      <QuickButton name="trigger" input={{ type }} label={type} /> <span class="none">{means}</span>
                    </li>
                  ))}
                </ul>
              </Section>
              <Section title="Personas" note="Drawbridge onboards a person whose outcome the sandbox knows.">
                <ul class="choices">
                  {personas.map(({ persona, means }) => (
                    <li key={persona}>
                      <QuickButton name="onboardPersona" input={{ persona }} label={persona} />{' '}
                      <span class="none">{means}</span>
                    </li>
                  ))}
                </ul>
              </Section>
            </div>
            <Logs />
          </>
        )}
      </Shown>
    </>
  );
}

function Logs() {
  const [contains, setContains] = useState('');
  const requests = useRead('requests', { contains });
  const deliveries = useRead('deliveries', { contains });
  const reload = () => {
    requests.reload();
    deliveries.reload();
  };
  const outcome = useStore(latestOutcome);
  // What a button did is in the logs a moment later.
  useEffect(() => {
    if (outcome !== undefined) reload();
  }, [outcome]);
  return (
    <>
      <div class="filters">
        <label class="grow">
          Text in requests and deliveries
          <input
            type="search"
            value={contains}
            placeholder="an id, for example"
            onChange={({ currentTarget }) => setContains(currentTarget.value)}
          />
        </label>
        <button type="button" class="button" onClick={reload}>
          Read again
        </button>
      </div>
      <Section title="Deliveries" note="The webhooks that the sandbox has sent, the latest first.">
        <Shown state={deliveries} lines={5}>
          {(rows) =>
            rows.length === 0 ? (
              <Empty title="The sandbox has sent no such webhook." />
            ) : (
              <Table
                caption="Deliveries"
                rows={rows}
                keyOf={({ deliveryId }) => deliveryId}
                columns={[
                  { title: 'Delivery', isMinor: true, cell: ({ deliveryId }) => <code>{deliveryId}</code> },
                  { title: 'Time', isMinor: true, cell: ({ createdOn }) => <Time at={createdOn} /> },
                  { title: 'Type', cell: ({ eventType }) => <Breakable text={eventType} /> },
                  { title: 'Outcome', cell: ({ outcome }) => <Badge>{outcome}</Badge> },
                  { title: 'Attempts', isNumber: true, isMinor: true, cell: ({ attempts }) => attempts.length },
                  {
                    title: 'Act',
                    cell: ({ deliveryId }) => (
                      <QuickButton name="resend" input={{ deliveryId }} label="Resend" onDone={deliveries.reload} />
                    ),
                  },
                ]}
              />
            )
          }
        </Shown>
      </Section>
      <Section title="Requests" note="The calls that the sandbox has got, the latest first.">
        <Shown state={requests} lines={5}>
          {(rows) =>
            rows.length === 0 ? (
              <Empty title="The sandbox has got no such call." />
            ) : (
              <Table
                caption="Requests"
                rows={rows}
                keyOf={({ requestId }) => requestId}
                columns={[
                  { title: 'Time', cell: ({ startedOn }) => <Time at={startedOn} /> },
                  { title: 'Call', cell: ({ method, path }) => <code class="type">{`${method} ${path}`}</code> },
                  { title: 'Operation', isMinor: true, cell: ({ operation = '' }) => operation },
                  { title: 'Status', isNumber: true, cell: ({ status }) => status },
                ]}
              />
            )
          }
        </Shown>
      </Section>
    </>
  );
}
