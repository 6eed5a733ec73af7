import type { SampledOverview } from '#cli/console/live/overview-sampler.ts';
import type { ComponentState } from '#cli/console/overview/assess-overview.ts';
import { navigate } from '#console/app/router.ts';
import { liveOverview } from '#console/data/live.ts';
import { useIsNarrow } from '#console/data/media.ts';
import { useRead } from '#console/data/read.ts';
import { useStore } from '#console/data/store.ts';
import { PageHead, Section } from '#console/parts/facts.tsx';
import { Picture } from '#console/parts/picture.tsx';
import { Plot } from '#console/parts/plot.tsx';
import { Empty, Loading, Shown } from '#console/parts/states.tsx';
import { Table } from '#console/parts/table.tsx';
import { Badge } from '#console/parts/words.tsx';

/** How Drawbridge is doing now: whether it needs somebody, the picture, the last hour. */
export function OverviewPage() {
  const live = useStore(liveOverview);
  const first = useRead('overview', live === undefined ? {} : undefined);
  const overview = live ?? first.answer;
  const isNarrow = useIsNarrow();
  const picture = useRead('architecture', { direction: isNarrow ? 'TB' : 'LR' });
  return (
    <>
      <PageHead title="Overview" />
      {overview === undefined ? (
        <Shown state={first}>{() => <Loading />}</Shown>
      ) : (
        <>
          <Verdict overview={overview} />
          <Section title="Architecture" note="Data flows in one direction. Each box shows its state now.">
            <Shown state={picture} lines={12}>
              {({ svg }) => (
                <Picture
                  svg={svg}
                  label={describe(overview.components)}
                  className="architecture"
                  state={overview}
                  onDrawn={(drawn) => showComponents(drawn, overview.components)}
                />
              )}
            </Shown>
          </Section>
          <Plots overview={overview} />
          <div class="columns">
            <Queues overview={overview} />
            <OpenOnboardings overview={overview} />
          </div>
        </>
      )}
    </>
  );
}

function Verdict({ overview: { needs, unavailable } }: { readonly overview: SampledOverview }) {
  return (
    <div class={needs.length === 0 ? 'verdict good' : 'verdict warn'} role="status">
      <p class="verdict-line">
        {needs.length === 0
          ? 'Nothing needs an operator.'
          : `${needs.length} ${needs.length === 1 ? 'thing needs' : 'things need'} an operator.`}
      </p>
      {needs.length > 0 && (
        <ul>
          {needs.map(({ text, path }) => (
            <li key={text}>
              <a href={path}>{text}</a>
            </li>
          ))}
        </ul>
      )}
      {unavailable.map(({ part, reason }) => (
        <p key={part} class="note">
          The {part} could not be read: {reason}
        </p>
      ))}
    </div>
  );
}

function describe(components: Readonly<Record<string, ComponentState>>): string {
  const states = Object.entries(components).map(([name, { value }]) => `${name}: ${value}`);
  return `The architecture of Drawbridge. ${states.join(', ')}.`;
}

/** Writes the values below the names of the components, and colours what needs an operator. */
function showComponents(picture: SVGSVGElement, components: Readonly<Record<string, ComponentState>>): void {
  for (const node of picture.querySelectorAll('g.node.component')) {
    const state = components[node.id.replace(/^node-/, '')];
    const [, value] = node.querySelectorAll('text');
    if (value !== undefined) value.textContent = state?.value ?? '';
    node.classList.remove('idle', 'busy', 'warn', 'bad');
    node.classList.add(state?.tone ?? 'idle');
    const path = state?.path;
    node.classList.toggle('linked', path !== undefined);
    if (node instanceof SVGGElement) node.onclick = path === undefined ? null : () => navigate(path);
  }
}

function Plots({ overview: { samples, quarantined } }: { readonly overview: SampledOverview }) {
  const times = samples.map(({ at }) => at);
  const last = samples.at(-1);
  const isAlarming = (count = 0) => (count > 0 ? 'bad' : 'plain');
  return (
    <Section title="The last hour" note="Messages that wait or are worked on, since this console was opened.">
      <div class="plots">
        <Plot
          title="Webhooks queue"
          value={String(last?.webhooks ?? 0)}
          times={times}
          values={samples.map(({ webhooks }) => webhooks)}
        />
        <Plot
          title="Onboarding queue"
          value={String(last?.onboardings ?? 0)}
          times={times}
          values={samples.map(({ onboardings }) => onboardings)}
        />
        <Plot
          title="Dead letters"
          value={String(last?.deadLetters ?? 0)}
          tone={isAlarming(last?.deadLetters)}
          times={times}
          values={samples.map(({ deadLetters }) => deadLetters)}
        />
        <Plot
          title="Quarantined"
          value={String(quarantined ?? 0)}
          tone={isAlarming(quarantined)}
          times={times}
          values={samples.map((sample) => sample.quarantined)}
        />
      </div>
    </Section>
  );
}

function Queues({ overview: { queues } }: { readonly overview: SampledOverview }) {
  return (
    <Section title="Queues">
      <Table
        caption="Messages of each queue"
        rows={queues}
        keyOf={({ name }) => name}
        columns={[
          { title: 'Queue', cell: ({ name }) => name },
          { title: 'Waiting', isNumber: true, cell: ({ waiting }) => waiting },
          { title: 'In flight', isNumber: true, cell: ({ inFlight }) => inFlight },
          { title: 'Delayed', isNumber: true, cell: ({ delayed }) => delayed },
        ]}
      />
    </Section>
  );
}

function OpenOnboardings({ overview: { onboardings } }: { readonly overview: SampledOverview }) {
  return (
    <Section title="Open onboardings">
      {onboardings.length === 0 ? (
        <Empty title="No onboarding is open.">Each one that is requested appears here, by its step.</Empty>
      ) : (
        <Table
          caption="Open onboardings by step"
          rows={onboardings}
          keyOf={({ step }) => step}
          href={({ step }) => `/onboardings?step=${step}`}
          columns={[
            { title: 'Step', cell: ({ step }) => <Badge>{step}</Badge> },
            { title: 'Count', isNumber: true, cell: ({ count, more }) => (more ? `${count}+` : count) },
          ]}
        />
      )}
    </Section>
  );
}
