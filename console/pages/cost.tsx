import { useState } from 'preact/hooks';
import type { ReadAnswer } from '#cli/console/reads/reads.ts';
import { useOnClick } from '#console/data/on-click.ts';
import { read } from '#console/data/read.ts';
import { session } from '#console/data/session.ts';
import { useSharedValue } from '#console/data/shared-value.ts';
import { PageHead, Section } from '#console/parts/facts.tsx';
import { Field } from '#console/parts/field.tsx';
import { ErrorPanel, Loading } from '#console/parts/states.tsx';
import { Table } from '#console/parts/table.tsx';

type Cost = ReadAnswer<'cost'>;

/** What the environment costs a month. The stacks are synthesized for it, which takes seconds. */
export function CostPage() {
  const [webhooks, setWebhooks] = useState('');
  const pricedRegions = useSharedValue(session)?.pricedRegions ?? [];
  const [region, setRegion] = useState<(typeof pricedRegions)[number] | undefined>(undefined);
  const isWrong = !/^\d{0,12}$/.test(webhooks.trim());
  const { answer, error, isLoading, start } = useOnClick(() => read('cost', { webhooks: webhooks.trim(), region }));
  return (
    <>
      <PageHead
        title="Cost"
        note="What the environment costs a month in US dollars, from counted usage and the price list. Nothing is read from your bill."
      />
      <form
        class="filters"
        onSubmit={(event) => {
          event.preventDefault();
          if (!isWrong && !isLoading) start();
        }}
      >
        <Field
          label="Webhooks a month"
          error={isWrong ? 'Write a whole number, such as 1000000.' : undefined}
          input={(described) => (
            <input
              {...described}
              inputMode="numeric"
              value={webhooks}
              placeholder="idle to 100 million"
              onInput={({ currentTarget }) => setWebhooks(currentTarget.value)}
            />
          )}
        />
        <Field
          label="Prices of"
          input={(described) => (
            <select
              {...described}
              value={region ?? ''}
              onChange={({ currentTarget: { value } }) => setRegion(pricedRegions.find((each) => each === value))}
            >
              <option value="">this environment</option>
              {pricedRegions.map((each) => (
                <option key={each}>{each}</option>
              ))}
            </select>
          )}
        />
        <button type="submit" class="button primary" aria-disabled={isLoading}>
          Calculate the cost
        </button>
      </form>
      {isLoading && <Loading lines={8} />}
      {error !== undefined && !isLoading && <ErrorPanel error={error} retry={start} />}
      {answer !== undefined && !isLoading && <Calculated cost={answer} />}
      {answer === undefined && !isLoading && error === undefined && (
        <p class="none">Synthesizes the stacks from the settings in this folder, which takes some seconds.</p>
      )}
    </>
  );
}

function Calculated({ cost }: { readonly cost: Cost }) {
  const { environment, region, pricesOf, volumes, rows, million, assumptions, notPriced } = cost;
  const without = Object.entries(notPriced);
  return (
    <>
      <Section title={`${environment}, ${region}`} note={`${million} Prices of ${pricesOf}.`}>
        <Table
          caption="US dollars a month, by webhooks a month"
          rows={rows}
          keyOf={([name = '']) => name}
          classOf={([name = '']) => (name.startsWith('Total') ? 'total' : '')}
          columns={[
            { title: 'US dollars a month', cell: ([name]) => name },
            ...volumes.map((volume, index) => ({
              title: volume === 'idle' ? 'Idle' : volume,
              isNumber: true,
              isBelow: index < volumes.length - 1,
              cell: (row: Cost['rows'][number]) => row[index + 1] ?? '',
            })),
          ]}
        />
      </Section>
      <Section title="Assumed" note="Without taxes, free tiers, discounts and data transfer.">
        <Table
          caption="What the calculation assumes"
          rows={assumptions}
          keyOf={({ meaning }) => meaning}
          columns={[
            { title: 'Value', isNumber: true, cell: ({ value }) => value.toLocaleString('en') },
            { title: 'Of what', cell: ({ meaning }) => meaning.replaceAll('`', '') },
          ]}
        />
        {without.length > 0 && (
          <p class="note">Not priced: {without.map(([type, count]) => `${type} (${count})`).join(', ')}.</p>
        )}
      </Section>
    </>
  );
}
