import { useEffect } from 'preact/hooks';
import { addressOf } from '#console/app/router.ts';
import { liveLines } from '#console/data/live.ts';
import { useIsNarrow } from '#console/data/media.ts';
import { useOnClick } from '#console/data/on-click.ts';
import { read, useRead } from '#console/data/read.ts';
import { useSharedValue } from '#console/data/shared-value.ts';
import { ActionButton } from '#console/parts/action-button.tsx';
import { Deadline } from '#console/parts/deadline.tsx';
import { Facts, PageHead, Section } from '#console/parts/facts.tsx';
import { LineTable } from '#console/parts/line-table.tsx';
import { ErrorPanel, Shown } from '#console/parts/states.tsx';
import { Time, withTimes } from '#console/parts/time.tsx';
import { Badge, Id, shortened } from '#console/parts/words.tsx';
import { type Onboarding, OnboardingStates } from './onboarding-states.tsx';

/** One onboarding: where it is, what it waits for, and what an operator can do. */
export function OnboardingPage({ externalId }: { readonly externalId: string }) {
  const direction = useIsNarrow() ? 'TB' : 'LR';
  const state = useRead('onboarding', { externalId, direction });
  const id = state.answer?.onboardingId;
  const lines = useSharedValue(liveLines).filter(({ about }) => about !== undefined && about === id);
  useEffect(() => {
    if (lines.length > 0) state.reload();
  }, [lines.length]);
  return (
    <>
      <PageHead
        isActing
        trail={<a href="/onboardings">Onboardings</a>}
        title={
          <>
            Onboarding{' '}
            {externalId.startsWith('onboardingId:') ? <code>{shortened(externalId.slice(13))}</code> : externalId}
          </>
        }
        actions={
          state.answer === undefined ? undefined : (
            <>
              <ActionButton
                name="retryOnboarding"
                input={{ externalId }}
                label="Retry"
                isDisabled={!state.answer.canRetry}
                onDone={state.reload}
              />
              <ActionButton
                name="cancelOnboarding"
                input={{ externalId }}
                label="Cancel the onboarding"
                tone="danger"
                isDisabled={state.answer.isEnded}
                onDone={state.reload}
              />
              <a class="button" href={addressOf('/persons', { externalId })}>
                Export or erase the person
              </a>
            </>
          )
        }
      />
      <Shown state={state} lines={10}>
        {(onboarding) => (
          <>
            <Summary externalId={externalId} onboarding={onboarding} />
            <Advice onboarding={onboarding} />
            <OnboardingStates externalId={externalId} onboarding={onboarding} direction={direction} />
            {lines.length > 0 && (
              <Section title="On the bus" note="What this window has seen.">
                <LineTable lines={lines} caption="Bus events of the onboarding" />
              </Section>
            )}
          </>
        )}
      </Shown>
    </>
  );
}

function Summary({ externalId, onboarding }: { readonly externalId: string; readonly onboarding: Onboarding }) {
  const { naturalPersonId, identificationVerificationId, failing, unknownStatus } = onboarding;
  return (
    <Facts
      facts={[
        ['Onboarding id', <Id id={onboarding.onboardingId} isWhole />],
        [
          'Step',
          <>
            <Badge tone={onboarding.tone}>{onboarding.step}</Badge> <span class="none">{onboarding.meaning}</span>
          </>,
        ],
        ['At this step', <Deadline {...onboarding} />],
        ['Identification', onboarding.isIdentificationOpen ? `${onboarding.mode}, still open` : onboarding.mode],
        ['Unknown status', unknownStatus && `${unknownStatus.status ?? 'no word'}, of the ${unknownStatus.kind}`],
        ['Accepted', <Time at={onboarding.acceptedOn} hasZone />],
        [
          'Person',
          naturalPersonId === undefined ? undefined : (
            <a href={`/entities/natural-person/${naturalPersonId}`}>{shortened(naturalPersonId)}</a>
          ),
        ],
        [
          'Verification',
          identificationVerificationId === undefined ? undefined : (
            <a href={`/entities/identification-verification/${identificationVerificationId}`}>
              {shortened(identificationVerificationId)}
            </a>
          ),
        ],
        ['Video call', onboarding.hasIdentificationUrl ? <VideoCall externalId={externalId} /> : undefined],
        ['Failing', failing === undefined ? undefined : `${failing.code}, ${failing.attempts} attempts`],
        [
          'Next attempt',
          failing?.nextAttemptOn === undefined ? undefined : <Time at={failing.nextAttemptOn} hasZone />,
        ],
      ]}
    />
  );
}

/** The link lets anyone take the call in place of the person. */
function VideoCall({ externalId }: { readonly externalId: string }) {
  const { answer, error, isLoading, start } = useOnClick(() => read('videoCallLink', { externalId }));
  if (answer?.identificationUrl !== undefined) return <code>{answer.identificationUrl}</code>;
  return (
    <>
      <button type="button" class="button" disabled={isLoading} onClick={start}>
        Reveal
      </button>{' '}
      <span class="none">
        {answer === undefined ? 'The log records who revealed the link.' : 'The onboarding has no link any more.'}
      </span>
      {error !== undefined && <ErrorPanel error={error} />}
    </>
  );
}

function Advice({ onboarding: { advice, tone } }: { readonly onboarding: Onboarding }) {
  if (advice.length === 0) return null;
  return (
    <div class={`remedy ${tone}`} role="note">
      {tone !== 'good' && (
        <p>
          <strong>What to do</strong>
        </p>
      )}
      {advice.map((line) => (
        <p key={line}>{withTimes(line)}</p>
      ))}
    </div>
  );
}
