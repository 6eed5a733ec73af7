import type { Listed } from '#shared/entities/entity-listing.ts';
import type { EntityKey, EntityRow } from '#shared/entities/entity-row.ts';
import type { Entity, EntityStore } from '#shared/entities/entity-store.ts';
import { viewOf } from '#shared/entities/merge/entity-view.ts';
import { entityId } from '#shared/entities/place-event.ts';
import type { RulesByKind } from '#shared/entities/statuses/entity-rules.ts';
import { canBeReadBack, type ReadBackKey } from '#shared/events/read-back.ts';
import { mapConcurrent } from '#shared/map-concurrent.ts';
import type { OnboardingVerification } from '#shared/onboarding/onboarding-verifications.ts';
import { toWord } from '#shared/platform/fields/received.ts';
import type { NaturalPersonState } from '#shared/platform/resources/list-natural-persons.ts';
import { differencesOf, type PlatformState } from './compare-entity.ts';
import type { Asked } from './find-requestor.ts';
import { platformStateOf, type ReadPlatform } from './read-platform.ts';
import type { Checked, Finding } from './reconcile-progress.ts';
import { expectsReport, isOver, lastReportOn } from './resting-statuses.ts';

export type DetectDriftDeps = {
  readonly entityStore: Pick<EntityStore, 'read' | 'isErased' | 'timeline'>;
  readonly rules: RulesByKind;
  readonly now: () => Date;
  /** In milliseconds. */
  readonly limits: {
    /** What has changed on the platform within this time is no drift: its webhook may be under way. */
    readonly grace: number;
    /** The platform is asked for what should have changed, when no report came for so long. */
    readonly readBackAfter: number;
    /** After so long it is no more asked for, but reported. */
    readonly staleAfter: number;
  };
};

export type DetectDrift = ReturnType<typeof createDetectDrift>;

/** Concurrent reads or calls. The pace of calls is kept all the same. */
const atOnce = 8;

/** How long no report has come: `undefined` while that is within what is expected. */
type Silence = 'quiet' | 'stale' | undefined;

/** Holds entities against the platform. Writes nothing. */
export function createDetectDrift({ entityStore, rules, now, limits }: DetectDriftDeps) {
  const isUnderWay = ({ modifiedOn }: PlatformState) => now().getTime() - Date.parse(modifiedOn) <= limits.grace;

  /**
   * A page of the platform's list. The entities are read after the page, when their ids are known: what was reported in between
   * may be newer than the page. So the page settles an open report only if the report came before the page was asked for, by more
   * than the grace period, which is longer than two clocks differ. `checkMarked` settles the others: it reads before it asks.
   * A difference is merged as a timed report, which is harmless at any age.
   *
   * @param readOn when the page was asked for
   * @param settles whether `checkMarked` has left open reports for the pages
   */
  async function checkPersons(
    persons: readonly NaturalPersonState[],
    readOn: Date,
    settles: boolean,
  ): Promise<Checked> {
    const findings = await mapConcurrent(persons, atOnce, (person) => checkPerson(person, readOn, settles));
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
    { heardOn }: Entity,
    state: PlatformState,
    readOn: Date,
  ): Finding | undefined {
    if (heardOn === undefined || readOn.getTime() - Date.parse(heardOn) <= limits.grace) return undefined;
    const answer = { ...key, ...state, readOn: readOn.toISOString(), answers: heardOn };
    return { ...key, what: 'to be read back', answer };
  }

  type Compared = {
    readonly entity: Entity | undefined;
    readonly platformState: PlatformState;
    readonly readOn: Date;
    readonly answers: string | undefined;
  };

  function drift(key: Asked, { entity, platformState, readOn, answers }: Compared): Finding | undefined {
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

  /** Entities with a report that something has changed, but not what. */
  async function checkMarked(keys: readonly EntityKey[], ask: ReadPlatform, stop: AbortSignal): Promise<Checked> {
    const readable = keys.filter(canBeReadBack);
    const findings = await mapConcurrent(readable, atOnce, (key) => checkMarkedEntity(key, ask, stop));
    return { checked: [], findings: findings.flatMap((finding) => finding ?? []) };
  }

  async function checkMarkedEntity(
    key: ReadBackKey,
    ask: ReadPlatform,
    stop: AbortSignal,
  ): Promise<Finding | undefined> {
    // Before the platform is asked: its answer settles what was reported until now, and nothing that comes meanwhile.
    const entity = await entityStore.read(key);
    if (!entity?.toReadBack) return undefined;
    const { kind, id } = key;
    const readOn = now().toISOString();
    const platformState = await ask(key, stop);
    if (typeof platformState === 'string') return { kind, id, what: platformState, status: entity.status };
    const answers = entity.heardOn;
    return {
      kind,
      id,
      what: 'to be read back',
      answer: { kind, id, ...platformState, readOn, ...(answers && { answers }) },
    };
  }

  /** Some of our own entities: those with an overdue report are read from the platform, or listed as stale. */
  async function checkQuiet(
    { items }: Pick<Listed<{ key: EntityKey; row: EntityRow }>, 'items'>,
    ask: ReadPlatform,
    stop: AbortSignal,
  ): Promise<Checked> {
    const live = items.flatMap(({ key, row }) => ('known' in row ? [{ key, row }] : []));
    const findings = await mapConcurrent(live, atOnce, ({ key, row }) => checkQuietEntity(key, row, ask, stop));
    // Persons are checked by the platform's list.
    const checked = live.map(({ key }) => key.kind).filter((kind) => kind !== 'natural-person');
    return { checked, findings: findings.flatMap((finding) => finding ?? []) };
  }

  async function checkQuietEntity(
    key: EntityKey,
    { known, latest }: Extract<EntityRow, { known: unknown }>,
    ask: ReadPlatform,
    stop: AbortSignal,
  ): Promise<Finding | undefined> {
    const { kind, id } = key;
    const { status, toReadBack } = viewOf(rules[kind], known);
    const since = lastReportOn(latest);
    if (toReadBack || since === undefined) return undefined;
    const silence = silenceOf(kind, status, since);
    if (silence === 'stale') return { kind, id, what: 'stale', status, since };
    return silence === 'quiet' && canBeReadBack(key) ? readBack(key, ask, stop) : undefined;
  }

  /** Whether a report is overdue. Quiet entities are read from the platform; stale ones were, for long enough. */
  function silenceOf(kind: EntityKey['kind'], status: string | undefined, since: string): Silence {
    if (!expectsReport(rules, kind, status)) return undefined;
    const age = now().getTime() - Date.parse(since);
    if (age >= limits.staleAfter) return 'stale';
    return age >= limits.readBackAfter ? 'quiet' : undefined;
  }

  /**
   * Verifications of onboardings. One that is not known here is read, also after its onboarding has ended; so is each
   * that should move on, since an onboarding may end before the last webhook was found to be lost.
   */
  async function checkVerifications(
    verifications: readonly OnboardingVerification[],
    ask: ReadPlatform,
    stop: AbortSignal,
  ): Promise<Checked> {
    const looks = await mapConcurrent(verifications, atOnce, (one) => checkVerification(one, ask, stop));
    return { checked: looks.flatMap(({ checked }) => checked), findings: looks.flatMap(({ findings }) => findings) };
  }

  async function checkVerification(
    { id, naturalPersonId, isOpen }: OnboardingVerification,
    ask: ReadPlatform,
    stop: AbortSignal,
  ): Promise<Checked> {
    const key = { kind: 'identification-verification', id, naturalPersonId } as const;
    const entity = await entityStore.read(key);
    if (entity !== undefined) {
      const isAsked = !entity.toReadBack && (await isAskedHere(key, entity.status, isOpen));
      const finding = isAsked ? await readBack(key, ask, stop) : undefined;
      // It is counted with all others that are known.
      return { checked: [], findings: finding === undefined ? [] : [finding] };
    }
    if (await entityStore.isErased(key)) return { checked: [], findings: [] };
    const finding = await readUnknown(key, ask, stop);
    return { checked: [key.kind], findings: finding === undefined ? [] : [finding] };
  }

  /**
   * What an onboarding waits for, at any age; of any other, what should change, while its last report is recent. Not
   * where `checkQuiet` asks in the same walk.
   */
  async function isAskedHere(key: EntityKey, status: string | undefined, isOpen: boolean): Promise<boolean> {
    if (isOpen ? isOver(rules, key.kind, status) : !expectsReport(rules, key.kind, status)) return false;
    const since = lastReportOn(await entityStore.timeline(key));
    const silence = since && silenceOf(key.kind, status, since);
    return since !== undefined && (silence === undefined || (isOpen && silence === 'stale'));
  }

  /** An entity that neither side knows needs no repair. */
  async function readUnknown(key: Asked, ask: ReadPlatform, stop: AbortSignal): Promise<Finding | undefined> {
    const { kind, id } = key;
    const readOn = now();
    const platformState = await ask(key, stop);
    if (platformState === 'gone') return undefined;
    if (platformState === 'unanswered') return { kind, id, what: platformState };
    return drift(key, { entity: undefined, platformState, readOn, answers: undefined });
  }

  async function readBack(key: Asked, ask: ReadPlatform, stop: AbortSignal): Promise<Finding | undefined> {
    // As it is now, and before the platform is asked: see above.
    const entity = await entityStore.read(key);
    if (entity === undefined || entity.toReadBack) return undefined;
    const readOn = now();
    const platformState = await ask(key, stop);
    const { kind, id } = key;
    if (typeof platformState === 'string') return { kind, id, what: platformState, status: entity.status };
    return drift(key, { entity, platformState, readOn, answers: entity.heardOn });
  }

  return { checkPersons, checkMarked, checkVerifications, checkQuiet };
}
