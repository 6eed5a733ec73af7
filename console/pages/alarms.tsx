import { useEffect } from 'preact/hooks';
import type { ReadAnswer } from '#cli/console/reads/reads.ts';
import { liveOverview } from '#console/data/live.ts';
import { useRead } from '#console/data/read.ts';
import { useSharedValue } from '#console/data/shared-value.ts';
import { PageHead, Section } from '#console/parts/facts.tsx';
import { Commands, Fix } from '#console/parts/remedy.tsx';
import { Empty, Shown } from '#console/parts/states.tsx';
import { Table } from '#console/parts/table.tsx';
import { Time } from '#console/parts/time.tsx';
import { Badge, type Tone } from '#console/parts/words.tsx';

type Alarm = ReadAnswer<'alarms'>[number];

const states: Readonly<Record<Alarm['state'], readonly [word: string, tone: Tone]>> = {
  ALARM: ['on', 'bad'],
  OK: ['off', 'good'],
  INSUFFICIENT_DATA: ['no\u00a0data', 'plain'],
};

/** The alarms that are on with what to do, or one alarm in any state; the others as a list. */
export function AlarmsPage({ name }: { readonly name: string | undefined }) {
  const state = useRead('alarms', {});
  const on = useSharedValue(liveOverview)
    ?.alarms?.map((alarm) => alarm.name)
    .join(' ');
  useEffect(() => {
    if (on !== undefined) state.reload();
  }, [on]);
  return (
    <>
      <PageHead
        title={name ?? 'Alarms'}
        {...(name === undefined
          ? { note: 'What is wrong, what it means, and what to do. A notification of an alarm has the same texts.' }
          : { trail: <a href="/alarms">Alarms</a> })}
      />
      <Shown state={state} lines={8}>
        {(alarms) => {
          const shown = alarms.filter((alarm) => (name === undefined ? alarm.state === 'ALARM' : alarm.name === name));
          return (
            <>
              {shown.length === 0 && (
                <Empty title={name === undefined ? 'No alarm is on.' : `There is no alarm ${name}.`} />
              )}
              {shown.map((alarm) => (
                <OneAlarm key={alarm.name} alarm={alarm} />
              ))}
              {name === undefined && <Others alarms={alarms.filter(({ state: one }) => one !== 'ALARM')} />}
            </>
          );
        }}
      </Shown>
    </>
  );
}

function OneAlarm({ alarm: { name, state, since, reason, means, fix, commands, runbook } }: { readonly alarm: Alarm }) {
  const [word, tone] = states[state];
  return (
    <section class={`remedy ${tone}`} aria-label={name}>
      <h2>
        <a href={`/alarms/${name}`}>{name}</a> <Badge tone={tone}>{word}</Badge>{' '}
        <span class="none">
          since <Time at={since} /> (<Time at={since} isAge />)
        </span>
      </h2>
      <p>{means}</p>
      <Fix fix={fix} />
      <Commands commands={commands} />
      <p class="none">
        {reason}
        {runbook !== '' && (
          <> Runbook: {runbook.startsWith('https:') ? <a href={runbook}>{runbook}</a> : <code>{runbook}</code>}</>
        )}
      </p>
    </section>
  );
}

function Others({ alarms }: { readonly alarms: readonly Alarm[] }) {
  return (
    <Section title="Not on">
      <Table
        caption="Alarms that are not on"
        rows={alarms}
        keyOf={({ name }) => name}
        href={({ name }) => `/alarms/${name}`}
        columns={[
          { title: 'Alarm', cell: ({ name }) => name },
          {
            title: 'State',
            cell: ({ state }) => {
              const [word, tone] = states[state];
              return <Badge tone={tone}>{word}</Badge>;
            },
          },
          { title: 'Means', isBelow: true, cell: ({ means }) => means },
        ]}
      />
    </Section>
  );
}
