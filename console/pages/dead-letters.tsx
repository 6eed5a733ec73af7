import { useState } from 'preact/hooks';
import type { ReadAnswer } from '#cli/console/reads/reads.ts';
import { useOnClick } from '#console/data/on-click.ts';
import { read, useRead } from '#console/data/read.ts';
import { ActionButton } from '#console/parts/action-button.tsx';
import { Section } from '#console/parts/facts.tsx';
import { JsonView } from '#console/parts/json-view.tsx';
import { Empty, ErrorPanel, Shown } from '#console/parts/states.tsx';
import { Table } from '#console/parts/table.tsx';
import { Time } from '#console/parts/time.tsx';
import { Id, shortened } from '#console/parts/words.tsx';

type Queue = ReadAnswer<'deadLetters'>[number];
type Message = ReadAnswer<'deadMessages'>['messages'][number];

/** The dead-letter queues with their counts, and the messages of the one that is open. */
export function DeadLetters({ queues, onDone }: { readonly queues: readonly Queue[]; readonly onDone: () => void }) {
  const [shown, setShown] = useState<Queue['name'] | undefined>(undefined);
  const open = queues.find(({ name }) => name === shown);
  return (
    <>
      <Table
        caption="Dead-letter queues"
        rows={queues}
        keyOf={({ name }) => name}
        classOf={({ waiting, inFlight }) => (waiting + inFlight > 0 ? 'alarming' : '')}
        columns={[
          { title: 'Queue', cell: ({ name }) => name },
          {
            title: 'Messages',
            isNumber: true,
            cell: ({ waiting, inFlight }) => (waiting + inFlight).toLocaleString('en'),
          },
          {
            title: 'Act',
            cell: ({ name, waiting, inFlight }) =>
              waiting + inFlight > 0 && (
                <button type="button" class="button" aria-expanded={name === shown} onClick={() => setShown(name)}>
                  Show messages
                </button>
              ),
          },
        ]}
      />
      {open !== undefined && <Messages key={open.name} queue={open} onDone={onDone} />}
    </>
  );
}

function Messages({ queue: { name, canRedrive }, onDone }: { readonly queue: Queue; readonly onDone: () => void }) {
  const state = useRead('deadMessages', { queue: name });
  const [chosen, setChosen] = useState<readonly string[]>([]);
  // A chosen message that is not listed any more counts too: without it, the buttons would act on all.
  const input = chosen.length > 0 ? { messageIds: [...chosen] } : {};
  const which = chosen.length > 0 ? String(chosen.length) : 'all';
  const done = () => {
    setChosen([]);
    state.reload();
    onDone();
  };
  const toggle = (id: string) =>
    setChosen((before) => (before.includes(id) ? before.filter((one) => one !== id) : [...before, id]));
  const isEmpty = (state.answer?.messages ?? []).length === 0;
  return (
    <Section
      title={`Messages of ${name}`}
      note={
        canRedrive
          ? 'Fix the cause of the error, then redrive. Delete a message that can never be processed: its body is kept in a file.'
          : 'The next scheduled run does their work. Fix the cause of the error, then delete them.'
      }
      actions={
        <>
          {canRedrive && (
            <ActionButton
              name="redrive"
              input={{ queue: canRedrive, ...input }}
              label={`Redrive ${which}`}
              isDisabled={isEmpty}
              onDone={done}
            />
          )}
          <ActionButton
            name="deleteLetters"
            input={{ queue: name, ...input }}
            label={`Delete ${which}`}
            tone="danger"
            isDisabled={isEmpty}
            onDone={done}
          />
        </>
      }
    >
      <Shown state={state} lines={3}>
        {({ messages, mayHaveMore, unread }) =>
          messages.length === 0 ? (
            <Empty title="The queue handed out no message.">Another reader may have them for up to 10 minutes.</Empty>
          ) : (
            <>
              {mayHaveMore && (
                <p class="note">
                  The queue can hold more than these {messages.length} messages. Redrive all moves all of them.
                </p>
              )}
              {unread !== undefined && (
                <p class="note">The log cannot be read, so that the errors are not known: {unread}</p>
              )}
              <Table
                caption={`Messages of ${name}`}
                rows={messages}
                keyOf={({ messageId }) => messageId}
                columns={[
                  {
                    title: 'Choose',
                    cell: ({ messageId }) => (
                      <input
                        type="checkbox"
                        aria-label={`Choose ${messageId}`}
                        checked={chosen.includes(messageId)}
                        onChange={() => toggle(messageId)}
                      />
                    ),
                  },
                  {
                    title: 'Error',
                    cell: ({ error }) =>
                      error ?? <span class="none">{unread === undefined ? 'none in the log' : 'not known'}</span>,
                  },
                  { title: 'About', cell: (message) => <About message={message} /> },
                  { title: 'Sent', isMinor: true, cell: ({ sentOn }) => <Time at={sentOn} /> },
                  { title: 'Receives', isNumber: true, isMinor: true, cell: ({ receives }) => receives },
                  { title: 'Message', isMinor: true, cell: ({ messageId }) => <Id id={messageId} /> },
                  {
                    title: 'Body',
                    isBelow: true,
                    cell: ({ messageId }) => <Body queue={name} messageId={messageId} />,
                  },
                ]}
              />
            </>
          )
        }
      </Shown>
    </Section>
  );
}

function About({ message: { about, id } }: { readonly message: Message }) {
  if (about === undefined || id === undefined) return <>–</>;
  const path =
    about === 'event'
      ? `/events/${id}`
      : about === 'onboarding' && `/onboardings/${encodeURIComponent(`onboardingId:${id}`)}`;
  const short = <code>{shortened(id)}</code>;
  return (
    <>
      {about} {path === false ? short : <a href={path}>{short}</a>}
    </>
  );
}

/** It can hold personal data. */
function Body({ queue, messageId }: { readonly queue: Queue['name']; readonly messageId: string }) {
  const { answer, error, isLoading, start } = useOnClick(() => read('deadMessageBody', { queue, messageId }));
  if (answer !== undefined) return <JsonView text={answer.body} what={`the body of ${messageId}`} />;
  return (
    <>
      <button
        type="button"
        class="button"
        disabled={isLoading}
        title="The body can hold personal data. The log records who revealed it."
        onClick={start}
      >
        Reveal
      </button>
      {error !== undefined && <ErrorPanel error={error} />}
    </>
  );
}
