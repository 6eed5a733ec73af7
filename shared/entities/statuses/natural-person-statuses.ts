import type { NaturalPersonStatus } from '#shared/platform/resources/natural-person.ts';
import { type StatusTable, statusesOf } from './status-table.ts';

const seen = 'not shown in 3.1: seen';
const assumed = 'not shown in 3.1: assumed';

/**
 * Section 3.1 names four states and no transitions: those here were seen on the platform, or are assumed. ACTIVE,
 * SUSPENDED and BLOCKED can all come back.
 */
const table: StatusTable<NaturalPersonStatus> = {
  title: 'Natural person',
  section: '3.1',
  statuses: [
    { status: 'RECEIVED', final: false, resting: false, meaning: 'not named in the specification: seen' },
    { status: 'REVIEW', final: false, resting: false, meaning: 'not named in the specification: seen' },
    { status: 'CREATED', final: false, resting: true, meaning: 'not accepted as a requestor' },
    { status: 'PENDING', final: false, resting: false, meaning: 'not named in the specification: seen' },
    { status: 'ACTIVE', final: false, resting: true, meaning: 'accepted as a requestor' },
    { status: 'SUSPENDED', final: false, resting: true, meaning: 'not accepted as a requestor' },
    { status: 'BLOCKED', final: false, resting: true, meaning: 'not accepted as a requestor' },
    { status: 'INVALID', final: true, meaning: 'not named in the specification: seen' },
    { status: 'REJECTED', final: true, meaning: 'not named in the specification: seen' },
    { status: 'DECEASED', final: true, meaning: 'not named in the specification: seen' },
  ],
  transitions: [
    { from: '(none)', to: 'RECEIVED', source: seen },
    { from: 'RECEIVED', to: 'CREATED', source: seen },
    { from: 'RECEIVED', to: 'INVALID', source: seen },
    { from: 'RECEIVED', to: 'REVIEW', source: seen },
    { from: 'RECEIVED', to: 'REJECTED', source: seen },
    { from: 'REVIEW', to: 'CREATED', source: seen },
    { from: 'REVIEW', to: 'REJECTED', source: seen },
    { from: 'CREATED', to: 'PENDING', source: seen },
    { from: 'PENDING', to: 'ACTIVE', source: seen },
    { from: 'ACTIVE', to: 'SUSPENDED', source: assumed },
    { from: 'SUSPENDED', to: 'ACTIVE', source: assumed },
    { from: 'ACTIVE', to: 'BLOCKED', source: assumed },
    { from: 'BLOCKED', to: 'ACTIVE', source: assumed },
    { from: 'SUSPENDED', to: 'BLOCKED', source: assumed },
    { from: 'BLOCKED', to: 'SUSPENDED', source: assumed },
    { from: 'CREATED', to: 'DECEASED', source: assumed },
    { from: 'PENDING', to: 'DECEASED', source: assumed },
    { from: 'ACTIVE', to: 'DECEASED', source: assumed },
    { from: 'SUSPENDED', to: 'DECEASED', source: assumed },
    { from: 'BLOCKED', to: 'DECEASED', source: assumed },
  ],
};

export const naturalPersonStatuses = statusesOf(table);
