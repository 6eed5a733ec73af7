import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { connection, isOverviewLate, liveOverview } from '#console/data/live.ts';
import { useRead } from '#console/data/read.ts';
import { session } from '#console/data/session.ts';
import { useSharedValue } from '#console/data/shared-value.ts';
import { ErrorPanel } from '#console/parts/states.tsx';
import { timeText, zoneOf } from '#console/parts/time.tsx';
import { Badge } from '#console/parts/words.tsx';
import { destinationsOf } from './destinations.ts';
import { Help } from './help.tsx';
import { followKeys } from './keyboard.ts';
import { pageAt } from './pages.tsx';
import { Palette } from './palette.tsx';
import { usePlace } from './router.ts';
import { SearchBox } from './search-box.tsx';
import { setTheme, theme, themes } from './theme.ts';

/** Everything around a page: navigation, search, the state of the connection. */
export function Shell() {
  const { path } = usePlace();
  const state = useRead('session', {});
  const { answer } = state;
  const search = useRef<HTMLInputElement>(null);
  const help = useRef<HTMLDialogElement>(null);
  const palette = useRef<HTMLDialogElement>(null);
  const showHelp = () => help.current?.showModal();
  const showPalette = () => palette.current?.showModal();
  useEffect(() => {
    if (state.answer !== undefined) session.set(state.answer);
  }, [state.answer]);
  useEffect(() => followKeys({ showHelp, showPalette, focusSearch: () => search.current?.focus() }), []);
  const { title, page } = pageAt(path);
  const connected = useSharedValue(connection);
  const isLost = connected === 'lost' || connected === 'ended';
  const isStale = useSharedValue(isOverviewLate) || isLost;
  useEffect(() => {
    document.title = `${title} · Drawbridge`;
  }, [title]);
  const isFirst = useRef(true);
  useLayoutEffect(() => {
    // The next Tab begins at the page, and a screen reader reads its title. A key that follows at once must find the focus there.
    if (!isFirst.current) document.querySelector<HTMLElement>('#main')?.focus({ preventScroll: true });
    isFirst.current = false;
  }, [path]);
  useEffect(() => {
    // A narrow window shows a part of the navigation.
    document.querySelector('.nav a[aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'center' });
  }, [path, answer?.isLaptop]);

  if (state.error?.status === 401 && answer === undefined) return <Closed />;

  return (
    <div class="shell">
      <a class="skip" href="#main">
        Skip to the page
      </a>
      <header class="bar">
        <a class="brand" href="/">
          <Mark />
          Drawbridge
        </a>
        {answer !== undefined && (
          <p class="where">
            <Badge tone={answer.isLaptop ? 'accent' : 'warn'}>{answer.environment}</Badge>
            <span class="minor">{answer.version === undefined ? '' : `release ${answer.version}`}</span>
            <Badge tone="plain">{answer.isOperator ? 'operator' : 'read only'}</Badge>
          </p>
        )}
        <SearchBox input={search} />
        <ConnectionState />
      </header>
      <nav class="nav" aria-label="Pages">
        <ul>
          {destinationsOf(answer?.isLaptop === true).map(({ title: name, path: target, key }) => (
            <li key={target}>
              <a href={target} aria-current={isAt(path, target) ? 'page' : undefined}>
                {name}
                <span class="key" aria-hidden="true">
                  g {key}
                </span>
              </a>
            </li>
          ))}
        </ul>
        <div class="nav-foot">
          <ThemeSwitch />
          <button type="button" class="link" onClick={showPalette}>
            Commands{' '}
            <span class="key" aria-hidden="true">
              Ctrl K
            </span>
          </button>
          <button type="button" class="link" onClick={showHelp}>
            Keys{' '}
            <span class="key" aria-hidden="true">
              ?
            </span>
          </button>
        </div>
      </nav>
      <main id="main" tabIndex={-1} aria-label={title} class={isStale ? 'stale' : ''}>
        {isStale && <StaleNote who={isLost ? 'the console server' : 'the deployment'} />}
        {state.error !== undefined && answer === undefined ? (
          <ErrorPanel error={state.error} retry={state.reload} />
        ) : (
          page
        )}
      </main>
      <Help dialog={help} />
      <Palette dialog={palette} showHelp={showHelp} />
    </div>
  );
}

/** What a browser without a session sees. */
function Closed() {
  return (
    <div class="closed">
      <main>
        <h1>This window has no session</h1>
        <p>
          The address with the token opens one browser, once. To get another address, run the command that started this
          console again, for example:
        </p>
        <pre>npx --no -- drawbridge console --env production</pre>
      </main>
    </div>
  );
}

function isAt(path: string, target: string): boolean {
  return target === '/' ? path === '/' : path === target || path.startsWith(`${target}/`);
}

function ConnectionState() {
  const state = useSharedValue(connection);
  const now = useSharedValue(liveOverview)?.now;
  const words = {
    connecting: 'connecting',
    open: 'live',
    lost: 'connection lost, trying again',
    ended: 'the server has ended this session: open a new address',
  };
  return (
    <p class={`connection ${state}`} role="status">
      <span class="dot" aria-hidden="true" />
      {words[state]}
      {state === 'open' && now !== undefined && (
        <span>
          <span class="minor">{new Date(now).toLocaleTimeString('en-GB')} </span>
          <span title="Every time on these pages is in this time zone.">{zoneOf(new Date(now))}</span>
        </span>
      )}
    </p>
  );
}

/** What a page shows is of the latest overview. */
function StaleNote({ who }: { readonly who: string }) {
  const now = liveOverview.get()?.now;
  return (
    <p class="note stale-note">
      The numbers are {now === undefined ? 'old' : <>of {timeText(now)}</>}: {who} does not answer.
    </p>
  );
}

function ThemeSwitch() {
  const current = useSharedValue(theme);
  return (
    <fieldset class="switch">
      <legend class="hidden">Theme</legend>
      {themes.map((each) => (
        <label key={each} class={each === current ? 'on' : ''}>
          <input type="radio" name="theme" checked={each === current} onChange={() => setTheme(each)} />
          {each}
        </label>
      ))}
    </fieldset>
  );
}

function Mark() {
  return (
    <svg class="mark" viewBox="0 0 32 32" aria-hidden="true">
      <path d="M8 6v20M24 6v20M3 20h26M8 8c3 9 13 9 16 0" />
    </svg>
  );
}
