import type { ReadAnswer } from '#cli/console/reads/reads.ts';
import { useRead } from '#console/data/read.ts';
import { ActionButton } from '#console/parts/action-button.tsx';
import { Facts, PageHead, Section } from '#console/parts/facts.tsx';
import { Shown } from '#console/parts/states.tsx';
import { Table } from '#console/parts/table.tsx';
import { Badge, Breakable, type Tone } from '#console/parts/words.tsx';

type Row = ReadAnswer<'registrations'>['rows'][number];

/** The webhooks on the platform: what an apply would change, and the state of the rotation. */
export function RegistrationsPage() {
  const state = useRead('registrations', {});
  const { changes = 0, isRotating = false } = state.answer ?? {};
  const act = (mode: 'apply' | 'rotate' | 'retire', label: string, isPossible: boolean) => (
    <ActionButton
      name="register"
      input={{ mode }}
      label={label}
      tone={isPossible ? tones[mode] : 'plain'}
      isDisabled={!isPossible}
      onDone={state.reload}
    />
  );
  return (
    <>
      <PageHead
        isActing
        title="Registrations"
        note="The webhooks that are registered on the platform, compared with the settings."
        actions={
          <>
            {act('apply', 'Apply', changes > 0)}
            {act('rotate', 'Rotate the secret', state.answer !== undefined && !isRotating)}
            {act('retire', 'Retire the previous secret', isRotating)}
          </>
        }
      />
      <Shown state={state} lines={12}>
        {(answer) => (
          <>
            <Facts
              facts={[
                ['Plan', planOf(answer)],
                ['Webhooks', answer.rows.length],
                ['Rotation', answer.rotation],
              ]}
            />
            <Section
              title="Webhooks"
              note="Apply changes what is marked. A webhook that needs a decision stays as it is."
            >
              <Table
                caption="Plan of the webhooks"
                rows={answer.rows}
                keyOf={({ eventType, what }) => `${eventType} ${what}`}
                columns={[
                  {
                    title: 'Change',
                    cell: ({ mark }) => {
                      const shown = marks[mark];
                      return shown === undefined ? '' : <Badge tone={shown.tone}>{shown.word}</Badge>;
                    },
                  },
                  {
                    title: 'Event type',
                    cell: ({ mark, eventType, what }) => (
                      <>
                        <Breakable text={eventType} />
                        {mark !== ' ' && <p class="none narrow-only">{what}</p>}
                      </>
                    ),
                  },
                  { title: 'What', isMinor: true, cell: ({ what }) => what },
                  { title: 'Act', cell: (row) => <Decision row={row} onDone={state.reload} /> },
                ]}
              />
            </Section>
          </>
        )}
      </Shown>
    </>
  );
}

const tones = { apply: 'primary', rotate: 'plain', retire: 'danger' } as const;

function planOf({ changes, decisions }: ReadAnswer<'registrations'>): string {
  const webhooks = (count: number) => `${count} ${count === 1 ? 'webhook' : 'webhooks'}`;
  if (changes === 0 && decisions === 0) return 'Every webhook is as configured.';
  const parts = [
    changes > 0 ? `Apply changes ${webhooks(changes)}.` : 'There is nothing to apply.',
    decisions > 0 ? `${webhooks(decisions)} ${decisions === 1 ? 'waits' : 'wait'} for a decision.` : '',
  ];
  return parts.join(' ').trim();
}

const marks: Readonly<Record<string, { readonly word: string; readonly tone: Tone }>> = {
  '+': { word: 'add', tone: 'good' },
  '~': { word: 'change', tone: 'warn' },
  '-': { word: 'remove', tone: 'bad' },
  '!': { word: 'decide', tone: 'warn' },
};

/** What Apply does not change until an operator decides. */
function Decision({ row: { eventType, decision }, onDone }: { readonly row: Row; readonly onDone: () => void }) {
  if (decision === undefined) return null;
  const types = [eventType];
  return (
    <ActionButton
      name="register"
      input={decision === 'take over' ? { mode: 'apply', takeOver: types } : { mode: 'apply', remove: types }}
      label={decision === 'take over' ? 'Take over' : 'Remove'}
      tone="danger"
      onDone={onDone}
    />
  );
}
