import { useState } from 'preact/hooks';
import { usePlace } from '#console/app/router.ts';
import { ActionButton } from '#console/parts/action-button.tsx';
import { PageHead } from '#console/parts/facts.tsx';
import { Field } from '#console/parts/field.tsx';

const names = ['externalId', 'naturalPersons', 'verifications', 'onboardings'] as const;

type Name = (typeof names)[number];

const fields: Readonly<Record<Name, { readonly label: string; readonly hint: string }>> = {
  externalId: {
    label: 'Your id of the person (externalId)',
    hint: 'Or onboardingId: with the id of its onboarding.',
  },
  naturalPersons: {
    label: 'Ids of the person on the platform',
    hint: 'Only those that no onboarding knows. With spaces or commas in between.',
  },
  verifications: { label: 'Ids of verifications', hint: 'Only those that no onboarding knows.' },
  onboardings: {
    label: 'Other external ids of the same person',
    hint: 'Or onboardingId: with the id of an onboarding.',
  },
};

/** All that is stored of a person: exported, or erased. */
export function PersonsPage() {
  const { query } = usePlace();
  const [given, setGiven] = useState<Readonly<Record<Name, string>>>(() => ({
    externalId: query.get('externalId') ?? '',
    naturalPersons: query.get('naturalPersons') ?? '',
    verifications: query.get('verifications') ?? '',
    onboardings: '',
  }));
  const isDisabled = given.externalId.trim() === '';
  return (
    <>
      <PageHead
        isActing
        title="Personal data"
        note="Export all that is stored of a person, or erase it. Each button first lists what is concerned, and changes nothing before you confirm."
      />
      <div class="form">
        {names.map((name) => (
          <Field
            key={name}
            {...fields[name]}
            input={(described) => (
              <input
                {...described}
                value={given[name]}
                spellcheck={false}
                autocomplete="off"
                onInput={({ currentTarget }) => setGiven({ ...given, [name]: currentTarget.value })}
              />
            )}
          />
        ))}
        <div class="actions">
          <ActionButton name="exportPerson" input={given} label="Export the person" isDisabled={isDisabled} />
          <ActionButton
            name="erasePerson"
            input={given}
            label="Erase the person"
            tone="danger"
            isDisabled={isDisabled}
          />
        </div>
        <p class="none">
          An export is a file on the machine that runs this console, in the folder exports. The log records who exported
          and who erased.
        </p>
      </div>
    </>
  );
}
