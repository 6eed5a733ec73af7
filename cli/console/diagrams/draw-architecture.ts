import { drawGraph, type GraphEdge, type GraphNode } from './draw-graph.ts';

type Direction = 'LR' | 'TB';

/** In inches: the page writes a value below the name, so that each box has its place from the start. */
const widths: Readonly<Record<Direction, number>> = { LR: 1.75, TB: 1.64 };

const place = ' ';

const component = (name: string, label: string, shape: GraphNode['shape'] = 'box'): GraphNode => ({
  name,
  label: `${label}\n${place}`,
  shape,
  classes: ['component'],
  tooltip: label,
});

const outside = (name: string, label: string): GraphNode => ({
  name,
  label,
  width: 1.2,
  classes: ['outside'],
  tooltip: label,
});

/** The picture of the README: what calls what. */
const nodes: readonly GraphNode[] = [
  component('platform', 'platform'),
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

/** From top to bottom, three boxes beside each other are as wide as a phone. */
const rows: readonly (readonly [left: string, middle: string, right: string])[] = [
  ['platform', 'refresh', 'token'],
  ['receive', 'drain', 'reconcile'],
  ['', 'webhooks', ''],
  ['api', 'store', 'tables'],
  ['onboarding', 'bus', 'query'],
  ['advance', 'systems', ''],
];

/** In inches: between the middles of two boxes. */
const pitch = { column: 1.84, row: 0.9 };

function placeIn({ name }: GraphNode): readonly [x: number, y: number] {
  const row = rows.findIndex((each) => each.includes(name));
  return [(rows[row]?.indexOf(name) ?? 0) * pitch.column, -row * pitch.row];
}

const drawn = new Map<string, Promise<string>>();

/** Draws the picture once. @param direction from left to right, or from top to bottom for a narrow window */
export function drawArchitecture(direction: Direction): Promise<string> {
  const width = widths[direction];
  const known =
    drawn.get(direction) ??
    drawGraph({
      direction,
      nodes: nodes.map((node) => ({ width, ...node, ...(direction === 'TB' && { place: placeIn(node) }) })),
      edges,
    });
  drawn.set(direction, known);
  return known;
}
