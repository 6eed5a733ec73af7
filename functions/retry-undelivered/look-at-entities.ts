import type { RulesByKind } from '#shared/entities/entity-rules.ts';
import { entityId } from '#shared/entities/place-event.ts';
import { show } from '#shared/entities/shown.ts';
import type { Listed } from '#shared/entity-listing.ts';
import type { EntityKey, EntityRow } from '#shared/entity-row.ts';
import type { Entity, EntityStore } from '#shared/entity-store.ts';
import type { OnboardingVerification } from '#shared/onboarding-verifications.ts';
import type { NaturalPersonState } from '#shared/platform/natural-persons.ts';
import { canBeReadBack, type ReadBackKey } from '#shared/read-back.ts';
import { sideBySide } from '#shared/side-by-side.ts';
import { type AskPlatform, standingOf } from './ask-platform.ts';
import { differencesOf, type Standing } from './compare-entity.ts';
import type { Asked } from './find-requestor.ts';
import { expectsNews, isOver, lastNewsOn } from './quiet.ts';
import type { Finding, Look } from './reconcile-progress.ts';

export type LookDeps = {
  readonly entityStore: Pick<EntityStore, 'read' | 'isErased' | 'timeline'>;
  readonly rules: RulesByKind;
  readonly now: () => Date;
  /** In milliseconds. */
  readonly limits: {
    /** What has changed on the platform within this time is no drift: its news may be under way. */
    readonly grace: number;
    /** The platform is asked for what should have moved on, and of which there were no news for so long. */
    readonly readBackAfter: number;
    /** After so long it is no more asked for, but reported. */
    readonly staleAfter: number;
  };
};

export type EntityLooks = ReturnType<typeof createLooks>;

/** Reads, or calls, under way at once. The pace of calls is kept all the same. */
const atOnce = 8;

/** How long there were no news: none for as long as was to be expected. */
type Silence = 'quiet' | 'stale' | undefined;

/** Holds entities against the platform. Writes nothing. */
export function createLooks({ entityStore, rules, now, limits }: LookDeps) {
  const isUnderWay = ({ modifiedOn }: Standing) => now().getTime() - Date.parse(modifiedOn) <= limits.grace;

  /**
   * A page of the platform's list. The entities are read after the page, when their ids are known: what was heard in between
   * may be newer than the page, so that the page is never said to answer anything that was heard. It is merged as timed
   * news, which can do no harm however old it is. What is open is settled by `atMarked`, which reads before it asks.
   *
   * @param readOn when the page was asked for
   */
  async function atPersons(persons: readonly NaturalPersonState[], readOn: Date): Promise<Look> {
    const findings = await sideBySide(persons, atOnce, (person) => atPerson(person, readOn));
    return { lookedAt: persons.map(() => 'natural-person'), findings: findings.flatMap((finding) => finding ?? []) };
  }

  async function atPerson(person: NaturalPersonState, readOn: Date): Promise<Finding | undefined> {
    const kind = 'natural-person';
    const { naturalPersonId: id, naturalPersonStatus, modifiedOn } = person;
    if (id === undefined || !entityId.safeParse(id).success) return { kind, what: 'unanswered' };
    const standing = standingOf(true, naturalPersonStatus, modifiedOn);
    if (standing === 'unanswered') return { kind, id, what: standing };
    const key = { kind, id } as const;
    const entity = await entityStore.read(key);
    if (entity?.toReadBack || (entity === undefined && (await entityStore.isErased(key)))) return undefined;
    return drift(key, { entity, standing, readOn, answers: undefined });
  }

  type Compared = {
    readonly entity: Entity | undefined;
    readonly standing: Standing;
    readonly readOn: Date;
    readonly answers: string | undefined;
  };

  function drift(key: Asked, { entity, standing, readOn, answers }: Compared): Finding | undefined {
    const differed = [...differencesOf(entity, standing)];
    if (differed.length === 0 || isUnderWay(standing)) return undefined;
    const { kind, id, naturalPersonId } = key;
    const answer = {
      kind,
      id,
      ...(naturalPersonId && { naturalPersonId }),
      ...standing,
      readOn: readOn.toISOString(),
      differed,
      ...(answers && { answers }),
    };
    const { status } = entity ?? {};
    return { kind, id, what: 'drifted', differed, status, platformStatus: standing.status, answer };
  }

  /** Entities of which it was heard that something had happened, and not what. */
  async function atMarked(keys: readonly EntityKey[], ask: AskPlatform, stop: AbortSignal): Promise<Look> {
    const readable = keys.filter(canBeReadBack);
    const findings = await sideBySide(readable, atOnce, (key) => atMarkedOne(key, ask, stop));
    return { lookedAt: [], findings: findings.flatMap((finding) => finding ?? []) };
  }

  async function atMarkedOne(key: ReadBackKey, ask: AskPlatform, stop: AbortSignal): Promise<Finding | undefined> {
    // Before the platform is asked: its answer settles what had been heard until now, and nothing that comes meanwhile.
    const entity = await entityStore.read(key);
    if (!entity?.toReadBack) return undefined;
    const { kind, id } = key;
    const readOn = now().toISOString();
    const standing = await ask(key, stop);
    if (typeof standing === 'string') return { kind, id, what: standing, status: entity.status };
    const answers = entity.heardOn;
    return {
      kind,
      id,
      what: 'to be read back',
      answer: { kind, id, ...standing, readOn, ...(answers && { answers }) },
    };
  }

  /** Some of our own entities: those of which there should have been news are asked for, or reported. */
  async function atQuiet(
    { items }: Pick<Listed<{ key: EntityKey; row: EntityRow }>, 'items'>,
    ask: AskPlatform,
    stop: AbortSignal,
  ): Promise<Look> {
    const live = items.flatMap(({ key, row }) => ('known' in row ? [{ key, row }] : []));
    const findings = await sideBySide(live, atOnce, ({ key, row }) => atQuietOne(key, row, ask, stop));
    // Persons have been looked at in the platform's list.
    const lookedAt = live.map(({ key }) => key.kind).filter((kind) => kind !== 'natural-person');
    return { lookedAt, findings: findings.flatMap((finding) => finding ?? []) };
  }

  async function atQuietOne(
    key: EntityKey,
    { known, latest }: Extract<EntityRow, { known: unknown }>,
    ask: AskPlatform,
    stop: AbortSignal,
  ): Promise<Finding | undefined> {
    const { kind, id } = key;
    const { status, toReadBack } = show(rules[kind], known);
    const since = lastNewsOn(latest);
    if (toReadBack || since === undefined) return undefined;
    const silence = silenceOf(kind, status, since);
    if (silence === 'stale') return { kind, id, what: 'stale', status, since };
    return silence === 'quiet' && canBeReadBack(key) ? readBack(key, ask, stop) : undefined;
  }

  /** Whether news are overdue. Of what is quiet the platform is asked; of what is stale it was, for long enough. */
  function silenceOf(kind: EntityKey['kind'], status: string | undefined, since: string): Silence {
    if (!expectsNews(rules, kind, status)) return undefined;
    const age = now().getTime() - Date.parse(since);
    if (age >= limits.staleAfter) return 'stale';
    return age >= limits.readBackAfter ? 'quiet' : undefined;
  }

  /**
   * Verifications of onboardings. One that is not known here is asked for, whatever has become of its onboarding; so is each
   * that should move on, since an onboarding may end before the last webhook was found to be lost.
   */
  async function atVerifications(
    verifications: readonly OnboardingVerification[],
    ask: AskPlatform,
    stop: AbortSignal,
  ): Promise<Look> {
    const looks = await sideBySide(verifications, atOnce, (one) => atVerification(one, ask, stop));
    return { lookedAt: looks.flatMap(({ lookedAt }) => lookedAt), findings: looks.flatMap(({ findings }) => findings) };
  }

  async function atVerification(
    { id, naturalPersonId, isOpen }: OnboardingVerification,
    ask: AskPlatform,
    stop: AbortSignal,
  ): Promise<Look> {
    const key = { kind: 'identification-verification', id, naturalPersonId } as const;
    const entity = await entityStore.read(key);
    if (entity !== undefined) {
      const isAsked = !entity.toReadBack && (await isAskedHere(key, entity.status, isOpen));
      const finding = isAsked ? await readBack(key, ask, stop) : undefined;
      // It is counted with all others that are known.
      return { lookedAt: [], findings: finding === undefined ? [] : [finding] };
    }
    if (await entityStore.isErased(key)) return { lookedAt: [], findings: [] };
    const finding = await readUnknown(key, ask, stop);
    return { lookedAt: [key.kind], findings: finding === undefined ? [] : [finding] };
  }

  /**
   * What an onboarding waits for, however long; of any other, what should move on, as long as its last news are recent. Not
   * where `atQuiet` asks in the same walk.
   */
  async function isAskedHere(key: EntityKey, status: string | undefined, isOpen: boolean): Promise<boolean> {
    if (isOpen ? isOver(rules, key.kind, status) : !expectsNews(rules, key.kind, status)) return false;
    const since = lastNewsOn(await entityStore.timeline(key));
    const silence = since && silenceOf(key.kind, status, since);
    return since !== undefined && (silence === undefined || (isOpen && silence === 'stale'));
  }

  /** What nobody knows, here or there, is as it should be. */
  async function readUnknown(key: Asked, ask: AskPlatform, stop: AbortSignal): Promise<Finding | undefined> {
    const { kind, id } = key;
    const readOn = now();
    const standing = await ask(key, stop);
    if (standing === 'gone') return undefined;
    if (standing === 'unanswered') return { kind, id, what: standing };
    return drift(key, { entity: undefined, standing, readOn, answers: undefined });
  }

  async function readBack(key: Asked, ask: AskPlatform, stop: AbortSignal): Promise<Finding | undefined> {
    // As it is now, and before the platform is asked: see above.
    const entity = await entityStore.read(key);
    if (entity === undefined || entity.toReadBack) return undefined;
    const readOn = now();
    const standing = await ask(key, stop);
    const { kind, id } = key;
    if (typeof standing === 'string') return { kind, id, what: standing, status: entity.status };
    return drift(key, { entity, standing, readOn, answers: entity.heardOn });
  }

  return { atPersons, atMarked, atVerifications, atQuiet };
}
