import type { Platform } from '#sandbox/platform/app/platform.ts';
import { RefusedError } from '#sandbox/platform/core/refused-error.ts';
import { supported } from '#sandbox/platform/persons/identification-schema.ts';
import { madeUpPerson } from '#sandbox/platform/persons/made-up-person.ts';
import { newNaturalPerson } from '#sandbox/platform/persons/natural-person-schema.ts';
import { naturalPersonTransitions } from '#sandbox/platform/persons/natural-person-status.ts';
import { makeReadyPerson } from '#sandbox/platform/persons/ready-person.ts';

/** In the name of each person: it must leave the platform, and go no further. */
const lastName = 'CANARY-personal-data';

/** Persons that the platform really has, by their names within a history. */
export type PlatformPersons = ReturnType<typeof createPlatformPersons>;

export function createPlatformPersons(platform: Platform) {
  const ids = new Map<string, string>();

  function createPerson(name: string, isActive: boolean): string {
    const { naturalPersonId } = isActive
      ? makeReadyPerson(platform, { lastName }, 'ACTIVE')
      : platform.persons.create(newNaturalPerson.parse({ ...madeUpPerson(platform.random), lastName }));
    ids.set(name, naturalPersonId);
    return naturalPersonId;
  }

  /** Of a person that was not taken in, nothing happens; nor where the platform refuses it. */
  function unlessRefused(name: string, work: (naturalPersonId: string) => void): void {
    const naturalPersonId = ids.get(name);
    if (naturalPersonId === undefined) return;
    try {
      work(naturalPersonId);
    } catch (error) {
      if (!(error instanceof RefusedError)) throw error;
    }
  }

  function verify(name: string): void {
    unlessRefused(name, (naturalPersonId) => platform.verifications.create({ naturalPersonId, ...supported }));
  }

  /** To another status, or out of its video call. @param draw from 0 to 1: which way */
  function moveToNextStatus(name: string, draw: number): void {
    unlessRefused(name, (naturalPersonId) => {
      const { naturalPersonStatus: status } = platform.persons.get(naturalPersonId);
      const call = platform.verifications.of(naturalPersonId).find((one) => one.status === 'PENDING');
      const moves = [
        ...naturalPersonTransitions[status].map((to) => () => platform.persons.changeStatus(naturalPersonId, to)),
        ...(['APPROVED', 'FAILED_BY_CUSTOMER'] as const).flatMap((outcome) =>
          call ? [() => platform.verifications.endVideoCall(call.identificationVerificationId, outcome)] : [],
        ),
      ];
      moves[Math.floor(draw * moves.length)]?.();
    });
  }

  return {
    createPerson,
    verify,
    moveToNextStatus,
    /** Anybody moves on. @param draw from 0 to 1: who */
    moveRandomPerson: (draw: number): void => {
      const names = [...ids.keys()];
      const name = names[Math.floor(draw * names.length)];
      if (name !== undefined) moveToNextStatus(name, (draw * names.length) % 1);
    },
    /** The person with this id, or whose verification it is, moves on. */
    moveOwner: (id: string, draw: number): void => {
      const isOwn = (naturalPersonId: string) =>
        platform.verifications.of(naturalPersonId).some((one) => one.identificationVerificationId === id);
      const owner = [...ids].find(([, naturalPersonId]) => naturalPersonId === id || isOwn(naturalPersonId));
      if (owner !== undefined) moveToNextStatus(owner[0], draw);
    },
  };
}
