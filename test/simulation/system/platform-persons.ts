import type { Platform } from '#sandbox/platform/app/platform.ts';
import { RefusedError } from '#sandbox/platform/core/refused-error.ts';
import { supportedBy } from '#sandbox/platform/persons/identification-schema.ts';
import { madeUpPerson } from '#sandbox/platform/persons/made-up-person.ts';
import { newNaturalPerson } from '#sandbox/platform/persons/natural-person-schema.ts';
import { naturalPersonTransitions } from '#sandbox/platform/persons/natural-person-status.ts';
import { makeReadyPerson } from '#sandbox/platform/persons/ready-person.ts';

/** A marker in the name of each person, which must not leave the webhook path. */
const lastName = 'CANARY-personal-data';

/** The persons that the platform stores, by their names in the history. */
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

  /** Does nothing when the person does not exist or the platform refuses the change. */
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
    unlessRefused(name, (naturalPersonId) =>
      platform.verifications.create({ naturalPersonId, ...supportedBy(platform.settings.read()) }),
    );
  }

  /** Changes the status or ends the video call of a person. @param draw from 0 to 1: chooses the change */
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
    /** Changes a random person. @param draw from 0 to 1: chooses the person */
    moveRandomPerson: (draw: number): void => {
      const names = [...ids.keys()];
      const name = names[Math.floor(draw * names.length)];
      if (name !== undefined) moveToNextStatus(name, (draw * names.length) % 1);
    },
    /** Changes the person with this id, or the owner of the verification with this id. */
    moveOwner: (id: string, draw: number): void => {
      const isOwn = (naturalPersonId: string) =>
        platform.verifications.of(naturalPersonId).some((one) => one.identificationVerificationId === id);
      const owner = [...ids].find(([, naturalPersonId]) => naturalPersonId === id || isOwn(naturalPersonId));
      if (owner !== undefined) moveToNextStatus(owner[0], draw);
    },
  };
}
