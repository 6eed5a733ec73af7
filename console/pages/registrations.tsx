import { useRead } from '#console/data/read.ts';
import { ActionButton, Lines } from '#console/parts/action-button.tsx';
import { Facts, PageHead, Section } from '#console/parts/facts.tsx';
import { Shown } from '#console/parts/states.tsx';

/** The webhooks on the platform: what an apply would change, and the state of the rotation. */
export function RegistrationsPage() {
  const state = useRead('registrations', {});
  const act = (mode: 'apply' | 'rotate' | 'retire', label: string, tone: 'plain' | 'danger' | 'primary') => (
    <ActionButton name="register" input={{ mode }} label={label} tone={tone} onDone={state.reload} />
  );
  return (
    <>
      <PageHead
        title="Registrations"
        note="The webhooks that are registered on the platform, compared with the settings."
        actions={
          <>
            {act('apply', 'Apply', 'primary')}
            {act('rotate', 'Rotate the secret', 'plain')}
            {act('retire', 'Retire the previous secret', 'danger')}
          </>
        }
      />
      <Shown state={state} lines={12}>
        {({ plan, failed, rotation, pending }) => (
          <>
            <Facts
              facts={[
                [
                  'Plan',
                  pending === 0
                    ? 'Every webhook is as configured.'
                    : `${pending} ${pending === 1 ? 'change' : 'changes'} to apply`,
                ],
                ['Webhooks', plan.length],
                ['Rotation', rotation],
              ]}
            />
            <Section title="Plan" note="+ is added, ~ is changed, - is removed, ! needs a decision.">
              <Lines lines={[...plan, ...failed.map((failure) => `! ${failure}`)]} />
            </Section>
          </>
        )}
      </Shown>
    </>
  );
}
