import { Hono } from 'hono';

/** Lets a developer take the HTTP API of the hosted stacks down, so that webhooks fail, and up again. */
export function createOutageControl(setReachable: (isReachable: boolean) => void): Hono {
  const app = new Hono();
  app.put('/outage', (context) => {
    setReachable(false);
    return context.json({ isReachable: false });
  });
  app.delete('/outage', (context) => {
    setReachable(true);
    return context.json({ isReachable: true });
  });
  return app;
}
