import { maxGaps } from '#shared/api/reconcile-answers.ts';
import {
  type DueEntities,
  type DueEntity,
  isListOver,
  type ListPositions,
  type LiveEntity,
} from '#shared/entities/due-entities.ts';
import {
  type DueLane,
  type DuePlace,
  duePlaceOf,
  dueTime,
  type EntityKey,
  entityShards,
  expectsReport,
  isOver,
  lastReportOn,
} from '#shared/entities/entity-row.ts';
import type { Entity, EntityStore } from '#shared/entities/entity-store.ts';
import { type EntityView, viewOf } from '#shared/entities/merge/entity-view.ts';
import { entityId } from '#shared/entities/place-event.ts';
import type { LiveRow } from '#shared/entities/plan-merge.ts';
import type { RulesByKind } from '#shared/entities/statuses/entity-rules.ts';
import { compareTexts } from '#shared/entities/statuses/status-table.ts';
import { canBeReadBack, type ReadBackKey } from '#shared/events/read-back.ts';
import { mapConcurrent } from '#shared/map-concurrent.ts';
import type { OnboardingVerification } from '#shared/onboarding/onboarding-finder.ts';
import { toWord } from '#shared/platform/fields/received.ts';
import type { EntityKind } from '#shared/platform/profile/event-place.ts';
import type { NaturalPersonState } from '#shared/platform/resources/list-natural-persons.ts';
import type { EntityToRead } from './find-requestor.ts';
import { differencesOf, type PlatformState, platformStateOf, type ReadPlatformEntity } from './read-platform-entity.ts';
import type { CheckResult, Finding, NewPlace, StaleEntities } from './reconcile-progress.ts';

type DetectDriftDeps = {
  readonly entityStore: Pick<EntityStore, 'read' | 'isErased' | 'timeline'>;
  readonly dueEntities: Pick<DueEntities, 'list' | 'load'>;
  readonly rules: RulesByKind;
  readonly now: () => Date;
  /** In milliseconds. */
  readonly limits: {
    /** A change on the platform within this time is not drift: its webhook may still arrive. */
    readonly grace: number;
    /** An entity that should have changed is read from the platform after this time without a report. */
    readonly readBackAfter: number;
    /** After this time without a report an entity is not read any more, but reported as stale. */
    readonly staleAfter: number;
  };
};

export type DetectDrift = ReturnType<typeof createDetectDrift>;

/** Concurrent reads or calls. The pace of the calls limits them further. */
export const checkConcurrency = 8;

/** Stale entities of a shard in one page, and in all pages. */
const stalePageSize = 1_000;
const maxStale = 1_000_000;

/** The outcome of checking due entities. @property asked how many were read from the platform */
export type DueCheckResult = CheckResult & { readonly asked: number };

type DueCheck = {
  readonly kind: EntityKind;
  readonly isAsked?: boolean;
  readonly isCompared?: boolean;
  readonly finding?: Finding | undefined;
  readonly place?: NewPlace;
};

/** Compares entities with the platform. Writes nothing. */
export function createDetectDrift({ entityStore, dueEntities, rules, now, limits }: DetectDriftDeps) {
  const isUnderWay = ({ modifiedOn }: PlatformState) => now().getTime() - Date.parse(modifiedOn) <= limits.grace;

  /**
   * Checks a page of the platform's list. The entities are read after the page, when their ids are known, so a report in between may
   * be newer than the page. The page therefore settles an open report only if the report arrived before the page was requested, by
   * more than the grace period, which is longer than two clocks differ. `checkDue` settles the others: it loads the entity before it
   * reads the platform. A difference is merged as a timed report, which is harmless at any age.
   *
   * @param readOn when the page was requested
   * @param settles whether `checkDue` has left open reports to the pages
   */
  async function checkPersons(
    persons: readonly NaturalPersonState[],
    readOn: Date,
    settles: boolean,
  ): Promise<CheckResult> {
    const findings = await mapConcurrent(persons, checkConcurrency, (person) => checkPerson(person, readOn, settles));
    return { checked: persons.map(() => 'natural-person'), findings: findings.flatMap((finding) => finding ?? []) };
  }

  async function checkPerson(person: NaturalPersonState, readOn: Date, settles: boolean): Promise<Finding | undefined> {
    const kind = 'natural-person';
    const { naturalPersonId: id, naturalPersonStatus, modifiedOn } = person;
    if (id === undefined || !entityId.safeParse(id).success) return { kind, what: 'unanswered' };
    const platformState = platformStateOf(true, toWord(naturalPersonStatus, rules[kind].statuses.isKnown), modifiedOn);
    if (platformState === 'unanswered') return { kind, id, what: platformState };
    const key = { kind, id } as const;
    const entity = await entityStore.read(key);
    if (entity === undefined && (await entityStore.isErased(key))) return undefined;
    if (entity?.toReadBack) return settles ? settleByPage(key, entity, platformState, readOn) : undefined;
    return drift(key, { entity, platformState, readOn, answers: undefined });
  }

  function settleByPage(
    key: ReadBackKey,
    { openReportOn }: Entity,
    state: PlatformState,
    readOn: Date,
  ): Finding | undefined {
    if (openReportOn === undefined || readOn.getTime() - Date.parse(openReportOn) <= limits.grace) return undefined;
    const answer = { ...key, ...state, readOn: readOn.toISOString(), answers: openReportOn };
    return { ...key, what: 'to be read back', answer };
  }

  type Compared = {
    readonly entity: Pick<Entity, 'status' | 'modifiedOn'> | undefined;
    readonly platformState: PlatformState;
    readonly readOn: Date;
    readonly answers: string | undefined;
  };

  function drift(key: EntityToRead, { entity, platformState, readOn, answers }: Compared): Finding | undefined {
    const differed = [...differencesOf(entity, platformState)];
    if (differed.length === 0 || isUnderWay(platformState)) return undefined;
    const { kind, id, naturalPersonId } = key;
    const answer = {
      kind,
      id,
      ...(naturalPersonId && { naturalPersonId }),
      ...platformState,
      readOn: readOn.toISOString(),
      differed,
      ...(answers && { answers }),
    };
    const { status } = entity ?? {};
    return { kind, id, what: 'drifted', differed, status, platformStatus: platformState.status, answer };
  }

  /**
   * Checks entities of the index of due entities. Each is loaded before the platform is read: the answer settles the reports until
   * then, and none that arrives meanwhile. An entity that is unchanged on the platform, or missing there, gets a later place.
   */
  async function checkDue(
    keys: readonly EntityKey[],
    ask: ReadPlatformEntity,
    stop: AbortSignal,
  ): Promise<DueCheckResult> {
    const checks = await mapConcurrent(keys, checkConcurrency, (key) => checkDueEntity(key, ask, stop));
    return {
      checked: checks.flatMap(({ isCompared, kind }) => (isCompared ? [kind] : [])),
      findings: checks.flatMap(({ finding }) => finding ?? []),
      places: checks.flatMap(({ place }) => place ?? []),
      asked: checks.filter(({ isAsked }) => isAsked).length,
    };
  }

  async function checkDueEntity(key: EntityKey, ask: ReadPlatformEntity, stop: AbortSignal): Promise<DueCheck> {
    const { kind } = key;
    const row = await dueEntities.load(key);
    if (row === undefined) return { kind };
    const entity = { key, row };
    const view = viewOf(rules[kind], row.known);
    const place = duePlaceOf(rules[kind], view, row.latest);
    // The environment has declared the status as final since the row was written.
    if (place === undefined) return { kind, place: { entity, to: undefined } };
    if (!canBeReadBack(key) || !isDue(entity, place)) return { kind };
    const readOn = now();
    const platformState = await ask(key, stop);
    const later = { entity, to: placeAfter(entity, place, readOn) };
    // Persons are counted by the platform's list.
    const isCompared = !view.toReadBack && kind !== 'natural-person';
    if (typeof platformState === 'string') {
      const finding = { kind, id: key.id, what: platformState, status: view.status };
      return { kind, isAsked: true, isCompared, finding, place: later };
    }
    if (view.toReadBack) return { kind, isAsked: true, finding: readBackFinding(key, view, platformState, readOn) };
    const finding = drift(key, { entity: view, platformState, readOn, answers: view.openReportOn });
    const isSame = differencesOf(view, platformState).length === 0;
    return { kind, isAsked: true, isCompared, finding, ...(isSame && { place: later }) };
  }

  function readBackFinding(key: ReadBackKey, view: EntityView, platformState: PlatformState, readOn: Date): Finding {
    const { kind, id } = key;
    const answers = view.openReportOn;
    const answer = { kind, id, ...platformState, readOn: readOn.toISOString(), ...(answers && { answers }) };
    return { kind, id, what: 'to be read back', answer };
  }

  /** An entity is due if its time in the index is not later than this. */
  function dueUpTo(lane: DueLane): string {
    const silence = { marked: 0, open: limits.readBackAfter, order: limits.staleAfter, stale: 0 }[lane];
    return new Date(now().getTime() - silence).toISOString();
  }

  /** Checks the current place and the last report: the index has the time of a report less exactly. */
  function isDue({ row }: LiveEntity, { lane }: DuePlace): boolean {
    const upTo = dueUpTo(lane);
    if (row.due !== undefined && (row.due.lane === 'stale' || row.due.since > upTo)) return false;
    return lane === 'marked' || silenceOf(row) >= limits.readBackAfter;
  }

  /** In milliseconds. */
  function silenceOf({ latest }: LiveRow): number {
    return now().getTime() - Date.parse(lastReportOn(latest) ?? now().toISOString());
  }

  /**
   * The next place of an entity that is unchanged on the platform. It is read again after `readBackAfter`; a marked one after the time
   * that it has been marked, if that is sooner. After `staleAfter` without a report the entity is not read any more.
   */
  function placeAfter({ row }: LiveEntity, { lane, since }: DuePlace, askedOn: Date): DuePlace {
    const at = askedOn.getTime();
    if (lane === 'marked') return { lane, since: dueTime(at + Math.min(limits.readBackAfter, at - Date.parse(since))) };
    return silenceOf(row) >= limits.staleAfter ? { lane: 'stale', since } : { lane, since: dueTime(at) };
  }

  /**
   * The places of rows that 0.2.0 wrote. An entity without a report for too long counts as stale, as before: to read all of them would
   * take days.
   */
  function placesOf(entities: readonly LiveEntity[]): readonly NewPlace[] {
    return entities.flatMap((entity) => {
      const { key, row } = entity;
      const place = duePlaceOf(rules[key.kind], viewOf(rules[key.kind], row.known), row.latest);
      if (place === undefined) return [];
      const isStale = place.lane === 'open' && silenceOf(row) >= limits.staleAfter;
      return [{ entity, to: isStale ? { ...place, lane: 'stale' } : place }];
    });
  }

  /** Counts the stale entities, and describes those that wait the longest. Reads the index, and only a limited number of entities. */
  async function countStale(): Promise<StaleEntities> {
    const counts = new Map<EntityKind, number>();
    const longest: DueEntity[] = [];
    for (const lane of ['stale', 'order'] as const) {
      const upTo = dueUpTo(lane);
      let positions: ListPositions = {};
      for (let read = 0; read < maxStale && !isListOver(positions, entityShards); ) {
        const { items, next } = await dueEntities.list(lane, upTo, { from: positions, most: stalePageSize });
        for (const { key } of items) counts.set(key.kind, (counts.get(key.kind) ?? 0) + 1);
        if (read === 0) longest.push(...items.slice(0, maxGaps));
        read += items.length;
        positions = next;
      }
    }
    const named = longest.toSorted((one, other) => compareTexts(one.since, other.since)).slice(0, maxGaps);
    const findings = await mapConcurrent(named, checkConcurrency, ({ key }) => describeStale(key));
    return { counts: Object.fromEntries(counts), longest: findings.flatMap((finding) => finding ?? []) };
  }

  async function describeStale(key: EntityKey): Promise<Finding | undefined> {
    const row = await dueEntities.load(key);
    if (row === undefined) return undefined;
    const { status } = viewOf(rules[key.kind], row.known);
    return { ...key, what: 'stale', status, since: lastReportOn(row.latest) };
  }

  /**
   * Checks verifications of onboardings. An unknown one is read, also after its onboarding has ended. So is each that should change,
   * since an onboarding may end before a lost webhook is detected. The index of due entities has the others.
   */
  async function checkVerifications(
    verifications: readonly OnboardingVerification[],
    ask: ReadPlatformEntity,
    stop: AbortSignal,
  ): Promise<CheckResult> {
    const checks = await mapConcurrent(verifications, checkConcurrency, (one) => checkVerification(one, ask, stop));
    return { checked: checks.flatMap(({ checked }) => checked), findings: checks.flatMap(({ findings }) => findings) };
  }

  async function checkVerification(
    { id, naturalPersonId, isOpen }: OnboardingVerification,
    ask: ReadPlatformEntity,
    stop: AbortSignal,
  ): Promise<CheckResult> {
    const key = { kind: 'identification-verification', id, naturalPersonId } as const;
    const entity = await entityStore.read(key);
    if (entity !== undefined) {
      const isAsked = !entity.toReadBack && (await isReadHere(key, entity.status, isOpen));
      const finding = isAsked ? await readBack(key, ask, stop) : undefined;
      return { checked: isAsked ? [key.kind] : [], findings: finding === undefined ? [] : [finding] };
    }
    if (await entityStore.isErased(key)) return { checked: [], findings: [] };
    const finding = await readUnknown(key, ask, stop);
    return { checked: [key.kind], findings: finding === undefined ? [] : [finding] };
  }

  /** Whether to read a verification here: an onboarding waits for it, or it should change. False if the index of due entities has it. */
  async function isReadHere(key: EntityKey, status: string | undefined, isOpen: boolean): Promise<boolean> {
    const ofKind = rules[key.kind];
    if (isOpen ? isOver(ofKind, status) : !expectsReport(ofKind, status)) return false;
    const since = lastReportOn(await entityStore.timeline(key));
    const silence = since === undefined ? undefined : now().getTime() - Date.parse(since);
    if (silence === undefined) return false;
    return silence < limits.readBackAfter || (isOpen && silence >= limits.staleAfter);
  }

  /** An entity that neither side knows needs no repair. */
  async function readUnknown(
    key: EntityToRead,
    ask: ReadPlatformEntity,
    stop: AbortSignal,
  ): Promise<Finding | undefined> {
    const { kind, id } = key;
    const readOn = now();
    const platformState = await ask(key, stop);
    if (platformState === 'gone') return undefined;
    if (platformState === 'unanswered') return { kind, id, what: platformState };
    return drift(key, { entity: undefined, platformState, readOn, answers: undefined });
  }

  async function readBack(key: EntityToRead, ask: ReadPlatformEntity, stop: AbortSignal): Promise<Finding | undefined> {
    // The current state, loaded before the platform is read: see `checkDue`.
    const entity = await entityStore.read(key);
    if (entity === undefined || entity.toReadBack) return undefined;
    const readOn = now();
    const platformState = await ask(key, stop);
    const { kind, id } = key;
    if (typeof platformState === 'string') return { kind, id, what: platformState, status: entity.status };
    return drift(key, { entity, platformState, readOn, answers: entity.openReportOn });
  }

  return { checkPersons, checkDue, checkVerifications, placesOf, countStale, dueUpTo };
}
