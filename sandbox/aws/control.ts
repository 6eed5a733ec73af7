import { Hono } from 'hono';
import type { Schedules } from './services/schedules.ts';

/** What a developer does to the hosted stacks over HTTP: see the schedules, and run one now. */
export function createHostControl(schedules: () => Schedules['all']): Hono {
  const app = new Hono();
  app.get('/schedules', (context) => context.json(schedules().map(({ name, expression }) => ({ name, expression }))));
  app.post('/schedules/:name/run', async (context) => {
    const name = context.req.param('name');
    const all = schedules();
    const schedule = all.find((candidate) => candidate.name === name);
    if (schedule === undefined) {
      const known = all.map((candidate) => candidate.name).join(', ') || 'none';
      return context.json({ message: `There is no schedule ${name}. There are: ${known}.` }, 404);
    }
    await schedule.runNow();
    return context.body(null, 202);
  });
  return app;
}

/** Lets a developer take the HTTP API of the hosted stacks down, so that webhooks fail, and up again. */
export function createOutageControl(setReachable: (isReachable: boolean) => void): Hono {
  const app = new Hono();
  let isUp = true;
  app.get('/outage', (context) => context.json({ isReachable: isUp }));
  app.put('/outage', (context) => {
    isUp = false;
    setReachable(isUp);
    return context.json({ isReachable: isUp });
  });
  app.delete('/outage', (context) => {
    isUp = true;
    setReachable(isUp);
    return context.json({ isReachable: isUp });
  });
  return app;
}
