import { drawGraph, type GraphEdge, type GraphNode } from './draw-graph.ts';

/** In inches: the page writes a value below the name, so that each box has its place from the start. */
const width = 1.75;

const place = ' ';

const component = (name: string, label: string, shape: GraphNode['shape'] = 'box'): GraphNode => ({
  name,
  label: `${label}\n${place}`,
  shape,
  width,
  classes: ['component'],
  tooltip: label,
});

const outside = (name: string, label: string): GraphNode => ({ name, label, classes: ['outside'], tooltip: label });

/** The picture of the README: what calls what. */
const nodes: readonly GraphNode[] = [
  outside('platform', 'platform'),
  component('receive', 'receive'),
  component('webhooks', 'SQS webhooks', 'queue'),
  component('store', 'store'),
  component('tables', 'events, entities', 'cylinder'),
  component('bus', 'EventBridge bus', 'queue'),
  component('drain', 'drain'),
  component('reconcile', 'reconcile'),
  component('api', 'api'),
  component('onboarding', 'SQS onboarding', 'queue'),
  component('advance', 'advance'),
  component('refresh', 'refresh'),
  component('token', 'platform token', 'cylinder'),
  component('query', 'query'),
  outside('systems', 'your systems'),
];

const edges: readonly GraphEdge[] = [
  { from: 'platform', to: 'receive' },
  { from: 'receive', to: 'webhooks' },
  { from: 'webhooks', to: 'store' },
  { from: 'store', to: 'tables' },
  { from: 'store', to: 'bus' },
  { from: 'bus', to: 'systems' },
  { from: 'platform', to: 'drain' },
  { from: 'platform', to: 'reconcile' },
  { from: 'drain', to: 'webhooks' },
  { from: 'reconcile', to: 'webhooks' },
  { from: 'store', to: 'onboarding' },
  { from: 'api', to: 'onboarding' },
  { from: 'onboarding', to: 'advance' },
  { from: 'platform', to: 'refresh' },
  { from: 'refresh', to: 'token' },
  { from: 'tables', to: 'query' },
  { from: 'query', to: 'systems' },
];

const drawn = new Map<string, Promise<string>>();

/** Draws the picture once. @param direction from left to right, or from top to bottom for a narrow window */
export function drawArchitecture(direction: 'LR' | 'TB'): Promise<string> {
  const known = drawn.get(direction) ?? drawGraph({ direction, nodes, edges });
  drawn.set(direction, known);
  return known;
}
