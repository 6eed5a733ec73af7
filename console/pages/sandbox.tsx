import { useEffect, useMemo, useState } from 'preact/hooks';
import type { ActionInput } from '#cli/console/actions/actions.ts';
import type { ReadAnswer } from '#cli/console/reads/reads.ts';
import { useRead } from '#console/data/read.ts';
import { useSharedValue } from '#console/data/shared-value.ts';
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
      <PageHead
        title="Sandbox"
        note="The platform that npm start runs beside Drawbridge. Both follow its clock."
        isActing
      />
      <LatestOutcome />
      <Shown state={state} lines={10}>
        {({ clock, faults, isOut, personas, lifeCycles }) => (
          <>
            <div class="columns">
              <Section title="Clock">
                <Clock clock={clock} onDone={state.reload} />
              </Section>
              <Section title="Faults" note="A fault meets every call of the platform until it is switched off.">
                <Faults faults={faults} isOut={isOut} onDone={state.reload} />
              </Section>
            </div>
            <div class="columns">
              <Section title="Scenarios" note="Each plays a life cycle with all its webhooks.">
                <ul class="choices">
                  {lifeCycles.map(({ type, means }) => (
                    <li key={type}>
                      <QuickButton name="trigger" input={{ type }} label={type} />
                      <span class="none">{means}</span>
                    </li>
                  ))}
                </ul>
              </Section>
              <Section title="Personas" note="Drawbridge onboards a person whose outcome the sandbox knows.">
                <ul class="choices">
                  {personas.map(({ persona, means }) => (
                    <li key={persona}>
                      <QuickButton name="onboardPersona" input={{ persona }} label={persona} />
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

type SandboxState = ReadAnswer<'sandbox'>;

/** In UTC, as the platform writes it. It runs on while the page is open. */
function Clock({ clock, onDone }: Pick<SandboxState, 'clock'> & { readonly onDone: () => void }) {
  const readAt = useMemo(() => Date.now(), [clock]);
  const [, setSecond] = useState(0);
  useEffect(() => {
    if (clock.isFrozen) return;
    const timer = setInterval(() => setSecond((second) => second + 1), 1_000);
    return () => clearInterval(timer);
  }, [clock]);
  const passed = clock.isFrozen ? 0 : Date.now() - readAt;
  const shown = new Date(Date.parse(clock.now) + passed).toISOString();
  return (
    <>
      <p>
        <strong class="clock">{shown.replace('T', ' ').slice(0, 19)}</strong> UTC{' '}
        <Badge tone={clock.isFrozen ? 'warn' : 'good'}>{clock.isFrozen ? 'stopped' : 'running'}</Badge>
      </p>
      <p class="actions">
        {clock.isFrozen ? (
          <QuickButton name="startClock" input={{}} label="Start" onDone={onDone} />
        ) : (
          <QuickButton name="stopClock" input={{}} label="Stop" onDone={onDone} />
        )}
        {advances.map(([label, seconds]) => (
          <QuickButton key={label} name="advanceClock" input={{ seconds }} label={`+ ${label}`} onDone={onDone} />
        ))}
      </p>
    </>
  );
}

type Placed = SandboxState['faults'][number];

/** The faults that the page switches, and what the sandbox calls them. */
const switches: readonly { readonly label: string; readonly fault: ActionInput<'placeFault'> }[] = [
  { label: 'Answer 503', fault: { effect: 'ANSWER', status: 503 } },
  { label: 'No answer', fault: { effect: 'NO_ANSWER' } },
  { label: '2 s late', fault: { effect: 'LATENCY', milliseconds: 2_000 } },
];

function Faults({ faults, isOut, onDone }: Pick<SandboxState, 'faults' | 'isOut'> & { readonly onDone: () => void }) {
  const placedFor = ({ effect }: ActionInput<'placeFault'>) => faults.find(({ fault }) => fault.effect === effect);
  return (
    <>
      <p class="actions">
        {switches.map(({ label, fault }) => {
          const placed = placedFor(fault);
          const shared = { label, tone: 'danger', isOn: placed !== undefined, onDone } as const;
          return placed === undefined ? (
            <QuickButton key={label} name="placeFault" input={fault} {...shared} />
          ) : (
            <QuickButton key={label} name="endFault" input={{ id: placed.id }} {...shared} />
          );
        })}
        <QuickButton name="endFaults" input={{}} label="End all faults" onDone={onDone} />
      </p>
      {faults.length === 0 ? (
        <p class="none">The platform answers every call.</p>
      ) : (
        <ul class="faults">
          {faults.map((placed) => (
            <li key={placed.id}>{wordsOf(placed)}</li>
          ))}
        </ul>
      )}
      <p class="actions">
        <QuickButton
          name="setOutage"
          input={{ isOut: !isOut }}
          label="Outage of Drawbridge"
          tone="danger"
          isOn={isOut}
          onDone={onDone}
        />
      </p>
      <p class="none">{isOut ? 'The endpoint of Drawbridge is down.' : 'The endpoint of Drawbridge answers.'}</p>
    </>
  );
}

/** Faults of the command line can concern a single operation. */
function wordsOf({ fault: { effect, operation }, happened }: Placed): string {
  const label = switches.find((each) => each.fault.effect === effect)?.label ?? effect;
  const where = operation === '*' ? 'every call' : operation;
  return `${label}, for ${where}: met by ${happened.toLocaleString('en')} ${happened === 1 ? 'call' : 'calls'}.`;
}

type Attempt = ReadAnswer<'deliveries'>[number]['attempts'][number];

/** Attempts that a row has room for: an outage has dozens. */
const maxAttempts = 3;

/** When each was sent, and the answer. */
function Attempts({ attempts }: { readonly attempts: readonly Attempt[] }) {
  if (attempts.length === 0) return <>none yet</>;
  const left = attempts.length - maxAttempts;
  return (
    <ul class="attempts">
      {left > 0 && <li class="none">{left} earlier</li>}
      {attempts.slice(-maxAttempts).map(({ startedOn, status, errorMessage = 'no answer' }, index) => (
        <li key={index}>
          <Time at={startedOn} />: {status ?? errorMessage}
        </li>
      ))}
    </ul>
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
  const outcome = useSharedValue(latestOutcome);
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
                timeOf={({ createdOn }) => createdOn}
                columns={[
                  { title: 'Time', cell: ({ createdOn }) => <Time at={createdOn} /> },
                  { title: 'Type', cell: ({ eventType }) => <Breakable text={eventType} /> },
                  { title: 'Outcome', cell: ({ outcome }) => <Badge>{outcome}</Badge> },
                  { title: 'Attempts', isBelow: true, cell: ({ attempts }) => <Attempts attempts={attempts} /> },
                  { title: 'Delivery', isMinor: true, cell: ({ deliveryId }) => <code>{deliveryId}</code> },
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
              <Empty title="The sandbox got no such call." />
            ) : (
              <Table
                caption="Requests"
                rows={rows}
                keyOf={({ requestId }) => requestId}
                timeOf={({ startedOn }) => startedOn}
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
