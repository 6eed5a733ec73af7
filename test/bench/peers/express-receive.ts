import { configure, getCurrentInvoke } from '@codegenie/serverless-express';
import express from 'express';
import { isAuthentic, keepWebhook, webhook } from './take-webhook.ts';

const app = express();
app.use(express.text({ type: '*/*', limit: '6mb' }));

app.post('/webhooks/:part/:eventType', async (request, response) => {
  if (!(await isAuthentic(request.get('x-webhook-secret')))) {
    response.status(401).end();
    return;
  }
  const { requestContext } = getCurrentInvoke().event;
  await keepWebhook(webhook.parse({ ...requestContext, eventType: request.params.eventType, body: request.body }));
  response.status(200).end();
});

/** Express with the adapter serverless-express. */
export const handler = configure({ app });
