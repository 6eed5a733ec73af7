import type { NewUser } from './new-user.ts';

/** What the sandbox has that the questions are about. */
export type Subjects = {
  /** An order whose last report is FILLED. */
  readonly orderId: string;
  /** A person who has waited for a video call for over a day. */
  readonly naturalPersonId: string;
  /** Of that person's onboarding. */
  readonly externalId: string;
  /** The event that made the order FILLED. */
  readonly eventId: string;
};

/** A question of an operator, which the console answers from the page Overview on. */
export type Question = {
  readonly question: string;
  /** The way to the answer, for the documents. */
  readonly way: string;
  /** Goes that way. @returns what the page says */
  readonly ask: (user: NewUser, subjects: Subjects) => Promise<string>;
  /** What the answer must say. */
  readonly answer: (subjects: Subjects) => RegExp;
};

const main = ({ page }: NewUser) => page.locator('#main').innerText();

async function search(user: NewUser, id: string): Promise<void> {
  await user.click(user.page.getByLabel('Search an id'));
  await user.type(id);
}

/** The first three are those that `npm test` asks. */
export const questions: readonly Question[] = [
  {
    question: 'Why is order X not settled?',
    way: 'search its id: its last report, the states that are left, and why each report had its effect',
    ask: async (user, { orderId }) => {
      await search(user, orderId);
      await user.text('The status changed from PENDING to FILLED.').waitFor();
      return main(user);
    },
    answer: () => /FILLED[\s\S]*The status changed from PENDING to FILLED/,
  },
  {
    question: 'Which persons wait for a video call for over a day?',
    way: 'Onboardings: the column AWAITING_VIDEO_CALL, the longest first, with the person of each; its title shows the step alone',
    ask: async (user) => {
      await user.open('Onboardings');
      await user.click(user.page.getByRole('link', { name: 'AWAITING_VIDEO_CALL' }));
      await user.page.waitForURL(/step=AWAITING_VIDEO_CALL/);
      await user.page.locator('.card').first().waitFor();
      return user.page.locator('.card').first().innerText();
    },
    answer: ({ naturalPersonId }) => new RegExp(`person ${naturalPersonId.slice(0, 8)}[\\s\\S]*\\b[1-9] d of 7 d`),
  },
  {
    question: 'Replay what failed last night.',
    way: 'the link of the verdict, the row of the reason, **From** `12h`, **Replay these**, **Confirm**',
    ask: async (user) => {
      await user.click(user.page.getByRole('link', { name: 'in quarantine' }));
      await user.click(user.page.getByRole('row').filter({ hasText: 'UNKNOWN_EVENT_TYPE' }).getByRole('link'));
      await user.click(user.page.getByLabel('From'));
      await user.type('12h');
      await user.page.waitForURL(/receivedFrom=/);
      await user.click(user.button('Replay these'));
      await user.click(user.button('Confirm'));
      return user.dialog.locator('.outcome').innerText();
    },
    answer: () => /^1 event is on the way through Store\.$/,
  },
  {
    question: 'Does the platform still deliver? When did the last webhook come?',
    way: 'Events: the first row',
    ask: async (user) => {
      await user.open('Events');
      const row = user.page.locator('tbody tr').first();
      await row.waitFor();
      return row.innerText();
    },
    answer: () => /\d\d:\d\d:\d\d[\s\S]*_NOTIFICATION/,
  },
  {
    question: 'What did this webhook change?',
    way: 'search its event id, **Find out**',
    ask: async (user, { eventId }) => {
      await search(user, eventId);
      await user.click(user.button('Find out'));
      await user.text('PENDING').waitFor();
      return main(user);
    },
    answer: () => /applied[\s\S]*PENDING\s+→\s+FILLED/,
  },
  {
    question: 'Where is the onboarding of person X, and what does it wait for?',
    way: 'search your id of the person',
    ask: async (user, { externalId }) => {
      await search(user, externalId);
      await user.text('At this step').waitFor();
      return main(user);
    },
    answer: () => /AWAITING_VIDEO_CALL[\s\S]*of 7 d/,
  },
  {
    question: 'What does the platform say about person X now?',
    way: 'search its id, **Ask the platform**',
    ask: async (user, { naturalPersonId }) => {
      await search(user, naturalPersonId);
      await user.click(user.button('Ask the platform'));
      await user.page.locator('.comparison').waitFor();
      return user.page.locator('.comparison').innerText();
    },
    answer: () => /Here\s+The platform\s+Status\s+CREATED\s+CREATED/,
  },
  {
    question: 'Has anything drifted from the platform?',
    way: 'Reconciliation, **Compare**, **Confirm**',
    ask: async (user) => {
      await user.open('Reconciliation');
      await user.click(user.button('Compare'));
      await user.click(user.button('Confirm'));
      return user.dialog.locator('.outcome').innerText();
    },
    answer: () => /entities were compared/,
  },
  {
    question: 'Which messages failed, and which events are they about?',
    way: 'Quarantine, **Sample** of the queue',
    ask: async (user) => {
      await user.open('Quarantine');
      await user.click(user.button('Sample'));
      const table = user.page.getByRole('table', { name: 'Messages of WebhooksDlq' });
      await table.waitFor();
      return table.innerText();
    },
    answer: () => /delivery\s+delivery-1/,
  },
  {
    question: 'Are all webhooks registered as configured, and is a rotation under way?',
    way: 'Registrations',
    ask: async (user) => {
      await user.open('Registrations');
      await user.page.getByRole('table', { name: 'Plan of the webhooks' }).waitFor();
      return main(user);
    },
    answer: () => /Plan\s+(?:Every webhook is as configured|Apply changes \d|There is nothing to apply)[\s\S]*Rotation/,
  },
];
