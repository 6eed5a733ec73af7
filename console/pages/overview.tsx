import { useEffect } from 'preact/hooks';
import type { SampledOverview } from '#cli/console/live/overview-sampler.ts';
import type { ComponentState } from '#cli/console/overview/assess-overview.ts';
import type { ReadAnswer } from '#cli/console/reads/reads.ts';
import { deadLetterQueues } from '#cli/dlq/dead-letter-queues.ts';
import { liveOverview } from '#console/data/live.ts';
import { useIsNarrow } from '#console/data/media.ts';
import { useRead } from '#console/data/read.ts';
import { session } from '#console/data/session.ts';
import { useSharedValue } from '#console/data/shared-value.ts';
import { PageHead, Section } from '#console/parts/facts.tsx';
import { Picture } from '#console/parts/picture.tsx';
import { Plot, type PlotProps } from '#console/parts/plot.tsx';
import { Empty, Loading, Shown } from '#console/parts/states.tsx';
import { Table } from '#console/parts/table.tsx';
import { durationOf, Time, withTimes } from '#console/parts/time.tsx';
import { Badge } from '#console/parts/words.tsx';

type LastHour = ReadAnswer<'lastHour'>;
type Series = LastHour['stored'];

/** How Drawbridge is doing now: whether it needs an operator, the picture, the last hour. */
export function OverviewPage() {
  const live = useSharedValue(liveOverview);
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
                  hasLinks
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

function Verdict({ overview }: { readonly overview: SampledOverview }) {
  const { outage, unavailable } = overview;
  const isOut = outage !== undefined && outage !== null;
  // The outage is the first line.
  const needs = isOut ? overview.needs.slice(1) : overview.needs;
  return (
    <div class={`verdict ${toneOf(overview)}`} role="status">
      <p class="verdict-line">{isOut ? withTimes(outage.title) : verdictOf(overview)}</p>
      {isOut && outage.details.map((detail) => <p key={detail}>{withTimes(detail)}</p>)}
      {needs.length > 0 && (
        <ul>
          {needs.map(({ text, path, since }) => (
            <li key={text}>
              {path === undefined ? text : <a href={path}>{text}</a>}
              {since !== undefined && since !== '' && (
                <span class="none">
                  {' '}
                  since <Time at={since} />
                </span>
              )}
            </li>
          ))}
        </ul>
      )}
      {[...Map.groupBy(unavailable, ({ reason }) => reason)].map(([reason, parts]) => (
        <p key={reason} class="note unread">
          Not read: {parts.map(({ part }) => part).join(', ')}. {reason}
        </p>
      ))}
    </div>
  );
}

function toneOf({ outage, needs, isBlind }: SampledOverview): 'good' | 'warn' | 'bad' {
  if (isBlind || (outage !== undefined && outage !== null)) return 'bad';
  return needs.length === 0 ? 'good' : 'warn';
}

/** What could not be read does not prove that all is well. */
function verdictOf({ needs, unavailable, isBlind }: SampledOverview): string {
  const things = `${needs.length} ${needs.length === 1 ? 'thing needs' : 'things need'} an operator`;
  if (isBlind)
    return needs.length === 0
      ? 'Not known: the state could not be read in full.'
      : `${things}, and the state could not be read in full.`;
  if (needs.length > 0) return `${things}.`;
  return unavailable.length === 0 ? 'Nothing needs an operator.' : 'Nothing that was read needs an operator.';
}

function describe(components: Readonly<Record<string, ComponentState>>): string {
  const states = Object.entries(components).map(([name, { value }]) => `${name}: ${value}`);
  return `The architecture of Drawbridge. ${states.join(', ')}.`;
}

/** Writes the values below the names of the components, and colours what needs an operator. */
function showComponents(picture: SVGSVGElement, components: Readonly<Record<string, ComponentState>>): void {
  for (const node of picture.querySelectorAll('g.node.component')) {
    const state = components[node.id.replace(/^node-/, '')];
    const [name, value] = node.querySelectorAll('text');
    if (value !== undefined) value.textContent = state?.value ?? '';
    node.classList.remove('idle', 'busy', 'warn', 'bad');
    node.classList.add(state?.tone ?? 'idle');
    linkTo(node, state?.path, `${name?.textContent ?? ''}: ${state?.value ?? ''}`);
  }
}

/** A box that leads to a page is a link, so that the keyboard reaches it, too. */
function linkTo(node: Element, path: string | undefined, label: string): void {
  const known = node.parentElement?.closest('a');
  if (path === undefined) {
    known?.removeAttribute('href');
    return;
  }
  const link = known ?? document.createElementNS('http://www.w3.org/2000/svg', 'a');
  link.setAttribute('href', path);
  link.setAttribute('aria-label', label);
  if (known !== null && known !== undefined) return;
  node.replaceWith(link);
  link.append(node);
}

/** In milliseconds: CloudWatch has a new value each minute. On the laptop a read costs nothing. */
const refreshes = { laptop: 5_000, aws: 60_000 };

function Plots({ overview }: { readonly overview: SampledOverview }) {
  const state = useRead('lastHour', {});
  const isLaptop = useSharedValue(session)?.isLaptop === true;
  const round = Math.floor(Date.parse(overview.now) / (isLaptop ? refreshes.laptop : refreshes.aws));
  useEffect(() => {
    if (state.answer !== undefined) state.reload();
  }, [round]);
  return (
    <Section title="The last hour" note="By the minute, from the metrics. On AWS they are some minutes late.">
      <Shown state={state} lines={6}>
        {(hour) => <HourPlots hour={hour} overview={overview} />}
      </Shown>
    </Section>
  );
}

/** No event in a minute writes no metric. */
const orZero = (series: Series) => series.map((value) => value ?? 0);
const sumOf = (series: Series) => orZero(series).reduce((sum, value) => sum + value, 0);

function HourPlots({
  hour,
  overview: { queues, metrics },
}: {
  readonly hour: LastHour;
  readonly overview: SampledOverview;
}) {
  const { times } = hour;
  const count = (value: number) => value.toLocaleString('en');
  const age = (value: number) => durationOf(value * 1_000);
  const queue = (name: string) => queues?.find((each) => each.name === name);
  // An empty queue has no oldest message.
  const oldestOf = (name: string) => (queue(name) === undefined ? undefined : (queue(name)?.oldestSeconds ?? 0));
  const dead = queues
    ?.filter(({ name }) => deadLetterQueues.some((deadLetterQueue) => deadLetterQueue === name))
    .reduce((sum, { waiting }) => sum + waiting, 0);
  // The box of Drain shows the same.
  const unstored = metrics?.UndeliveredUnstored ?? undefined;
  const plots: readonly (Omit<PlotProps, 'times'> & { readonly isAlarming?: boolean })[] = [
    {
      title: 'Webhooks stored',
      unit: 'in the hour',
      now: sumOf(hour.stored),
      values: orZero(hour.stored),
      format: count,
    },
    {
      title: 'Changes published',
      unit: 'in the hour',
      now: sumOf(hour.changes),
      values: orZero(hour.changes),
      format: count,
    },
    {
      title: 'Webhooks waiting',
      unit: 'now',
      now: queue('Webhooks')?.waiting,
      values: hour.waiting.Webhooks,
      format: count,
    },
    { title: 'Oldest webhook', unit: 'now', now: oldestOf('Webhooks'), values: hour.oldest.Webhooks, format: age },
    {
      title: 'Onboardings waiting',
      unit: 'now',
      now: queue('Onboarding')?.waiting,
      values: hour.waiting.Onboarding,
      format: count,
    },
    {
      title: 'Oldest onboarding',
      unit: 'message, now',
      now: oldestOf('Onboarding'),
      values: hour.oldest.Onboarding,
      format: age,
    },
    {
      title: 'Dead letters',
      unit: 'now',
      now: dead,
      values: hour.deadLetters,
      format: count,
      isAlarming: (dead ?? 0) > 0,
    },
    {
      title: 'Undelivered, not stored',
      unit: 'at the last run of Drain',
      now: unstored,
      values: hour.unstored,
      format: count,
      isAlarming: (unstored ?? 0) > 0,
    },
    {
      title: 'Stored, to be marked',
      unit: 'by the next run of Drain',
      now: metrics?.UndeliveredNow ?? undefined,
      values: hour.toBeMarked,
      format: count,
    },
  ];
  return (
    <div class="plots">
      {plots.map(({ isAlarming = false, ...plot }) => (
        <Plot key={plot.title} {...plot} times={times} tone={isAlarming ? 'bad' : 'plain'} />
      ))}
    </div>
  );
}

function Queues({ overview: { queues } }: { readonly overview: SampledOverview }) {
  return (
    <Section title="Queues">
      {queues === undefined ? (
        <Empty title="The queues could not be read.">The reason is at the top of this page.</Empty>
      ) : (
        <Table
          caption="Messages of each queue"
          rows={queues}
          keyOf={({ name }) => name}
          columns={[
            { title: 'Queue', cell: ({ name }) => name },
            { title: 'Waiting', isNumber: true, cell: ({ waiting }) => waiting },
            { title: 'In flight', isNumber: true, cell: ({ inFlight }) => inFlight },
            { title: 'Delayed', isNumber: true, isMinor: true, cell: ({ delayed }) => delayed },
            {
              title: 'Oldest',
              isNumber: true,
              cell: ({ oldestSeconds }) => (oldestSeconds === null ? '–' : durationOf(oldestSeconds * 1_000)),
            },
          ]}
        />
      )}
    </Section>
  );
}

function OpenOnboardings({ overview: { onboardings } }: { readonly overview: SampledOverview }) {
  return (
    <Section title="Open onboardings">
      {onboardings === undefined ? (
        <Empty title="The onboardings could not be read.">The reason is at the top of this page.</Empty>
      ) : (
        <Steps steps={onboardings} />
      )}
    </Section>
  );
}

function Steps({ steps }: { readonly steps: NonNullable<SampledOverview['onboardings']> }) {
  if (steps.length === 0)
    return <Empty title="No onboarding is open.">Onboardings that you request appear here, by step.</Empty>;
  return (
    <Table
      caption="Open onboardings by step"
      rows={steps}
      keyOf={({ step }) => step}
      href={({ step }) => `/onboardings?step=${step}`}
      columns={[
        { title: 'Step', cell: ({ step }) => <Badge>{step}</Badge> },
        { title: 'Count', isNumber: true, cell: ({ count, more }) => (more ? `${count}+` : count) },
      ]}
    />
  );
}
