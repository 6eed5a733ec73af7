import { useState } from 'preact/hooks';
import type { ActionInput } from '#cli/console/actions/actions.ts';
import { ActionButton } from '#console/parts/action-button.tsx';
import { PageHead } from '#console/parts/facts.tsx';
import { Field } from '#console/parts/field.tsx';
import { fieldErrorsOf, personFields } from './person-fields.ts';
import { PersonForm } from './person-form.tsx';

type Mode = ActionInput<'startOnboarding'>['mode'];

const modes: Readonly<Record<Mode, string>> = {
  video: 'video: the person makes a video call',
  none: 'none: without identification',
};

const modeWords: readonly Mode[] = ['video', 'none'];

/** A form for one onboarding. The API checks it: its answer names each field that is wrong. */
export function NewOnboardingPage() {
  const [externalId, setExternalId] = useState('');
  const [mode, setMode] = useState<Mode>('video');
  const [person, setPerson] = useState('{}');
  const [refusal, setRefusal] = useState<string | undefined>(undefined);
  const errors = fieldErrorsOf(refusal ?? '');
  const beside = ['externalId', ...personFields.map(({ name }) => `person/${name}`)];
  const ofJson = [...errors].filter(([path]) => path.startsWith('person') && !beside.includes(path));
  return (
    <>
      <PageHead
        isActing
        trail={<a href="/onboardings">Onboardings</a>}
        title="New onboarding"
        note="The API checks the request and names each field that is wrong. The same request again is the same onboarding."
      />
      <div class="form">
        <Field
          label="Your id of the person (externalId)"
          error={errors.get('externalId')}
          input={(described) => (
            <input
              {...described}
              value={externalId}
              spellcheck={false}
              onInput={({ currentTarget }) => setExternalId(currentTarget.value)}
            />
          )}
        />
        <Field
          label="Identification"
          input={(described) => (
            <select
              {...described}
              value={mode}
              onChange={({ currentTarget }) =>
                setMode(modeWords.find((each) => each === currentTarget.value) ?? 'video')
              }
            >
              {modeWords.map((each) => (
                <option key={each} value={each}>
                  {modes[each]}
                </option>
              ))}
            </select>
          )}
        />
        <PersonForm person={person} onChange={setPerson} errors={errors} />
        <Field
          label="The person as JSON"
          hint="The fields above are a part of the JSON. Write further fields there, such as mainAddress or taxDetails."
          error={ofJson.length === 0 ? undefined : ofJson.map(([path, error]) => `${path}: ${error}`).join('\n')}
          input={(described) => (
            <textarea
              {...described}
              rows={12}
              class="code"
              value={person}
              spellcheck={false}
              onInput={({ currentTarget }) => setPerson(currentTarget.value)}
            />
          )}
        />
        <div class="actions">
          <ActionButton
            name="startOnboarding"
            input={{ externalId, mode, person }}
            label="Start the onboarding"
            tone="primary"
            onRefusal={setRefusal}
          />
        </div>
      </div>
    </>
  );
}
