import type { ReadAnswer } from '#cli/console/reads/reads.ts';
import { useOnClick } from '#console/data/on-click.ts';
import { read } from '#console/data/read.ts';
import { Section } from '#console/parts/facts.tsx';
import { ErrorPanel, Loading } from '#console/parts/states.tsx';
import { Time } from '#console/parts/time.tsx';
import { Badge } from '#console/parts/words.tsx';
import type { Kind } from './entities.tsx';

type Comparison = ReadAnswer<'comparison'>;

/** What the platform says of an entity now, beside what is stored here. */
export function PlatformComparison({ kind, id }: { readonly kind: Kind; readonly id: string }) {
  const { answer, error, isLoading, start } = useOnClick(() => read('comparison', { kind, id }));
  return (
    <Section
      title="The platform now"
      actions={
        <button type="button" class="button" disabled={isLoading} onClick={start}>
          {answer === undefined ? 'Ask the platform' : 'Ask again'}
        </button>
      }
    >
      {answer === undefined && !isLoading && error === undefined && (
        <p class="none">Reads this entity from the platform, and changes nothing.</p>
      )}
      {isLoading && <Loading lines={2} />}
      {error !== undefined && <ErrorPanel error={error} retry={start} />}
      {answer !== undefined && !isLoading && <Compared comparison={answer} />}
    </Section>
  );
}

function Compared({ comparison: { ours, platform, differed, readOn, meaning } }: { readonly comparison: Comparison }) {
  const theirs = typeof platform === 'string' ? undefined : platform;
  const markOf = (what: (typeof differed)[number]) => (differed.includes(what) ? 'differs' : '');
  return (
    <>
      <table class="comparison">
        <caption>
          Read on <Time at={readOn} />
        </caption>
        <thead>
          <tr>
            <td />
            <th scope="col">Here</th>
            <th scope="col">The platform</th>
          </tr>
        </thead>
        <tbody>
          <tr class={markOf('status') || markOf('entity')}>
            <th scope="row">Status</th>
            <td>{ours?.status === undefined ? '–' : <Badge>{ours.status}</Badge>}</td>
            <td>
              <Badge>{theirs?.status ?? String(platform)}</Badge>
            </td>
          </tr>
          <tr class={markOf('modifiedOn')}>
            <th scope="row">Modified</th>
            <td>
              <Time at={ours?.modifiedOn} />
            </td>
            <td>
              <Time at={theirs?.modifiedOn} />
            </td>
          </tr>
        </tbody>
      </table>
      <p class={differed.length > 0 ? 'hint' : 'none'} role="status">
        {meaning}
      </p>
    </>
  );
}
