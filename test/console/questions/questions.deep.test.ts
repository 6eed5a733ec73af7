import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type ConsoleStage, startStage } from '#test/console/console-stage.ts';
import { root } from '#test/docs/markdown-pages.ts';
import { createNewUser } from './new-user.ts';
import { prepareSubjects, unknownEventType } from './prepare-subjects.ts';
import { questions, type Subjects } from './questions.ts';

let stage: ConsoleStage;
let subjects: Subjects;
beforeAll(async () => {
  stage = await startStage({ newEventTypes: [unknownEventType] });
  subjects = await prepareSubjects(stage);
});
afterAll(() => stage?.close());

const lines = readFileSync(join(root, 'docs/console.md'), 'utf8').split('\n');

it.each(questions)(
  'answers from the overview on, with the clicks that docs/console.md says: $question',
  async (each) => {
    await stage.first.visit('/');
    await stage.first.heading('Overview').waitFor();
    const user = createNewUser(stage.first);
    expect(await each.ask(user, subjects)).toMatch(each.answer(subjects));
    const row = lines.find((line) => line.startsWith(`| ${each.question} |`));
    expect(row).toBe(`| ${each.question} | ${each.way} | ${user.clicks()} |`);
  },
);
