import { Hono } from 'hono';

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
