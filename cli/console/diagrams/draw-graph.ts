import { instance } from '@viz-js/viz';

export type GraphNode = {
  /** The id of the element in the SVG, after `node-`. */
  readonly name: string;
  readonly label: string;
  /** Classes for the style sheet. */
  readonly classes?: readonly string[];
  /** A queue has corners, everything else is round. */
  readonly shape?: 'box' | 'queue' | 'cylinder' | 'begin';
  /** In inches. */
  readonly width?: number;
  readonly tooltip?: string;
  /** The middle of the node, in inches. Where the nodes of a graph have places, the layout keeps them. */
  readonly place?: readonly [x: number, y: number];
};

export type GraphEdge = {
  readonly from: string;
  readonly to: string;
  readonly label?: string;
  readonly classes?: readonly string[];
  /** Whether the edge does not decide the ranks, because it points back. */
  readonly isBack?: boolean;
};

export type Graph = {
  readonly direction: 'LR' | 'TB';
  readonly nodes: readonly GraphNode[];
  readonly edges: readonly GraphEdge[];
  /** Nodes that share a rank. */
  readonly ranks?: readonly (readonly string[])[];
};

/** A way from one node to another. */
export type Way = Pick<GraphEdge, 'from' | 'to'>;

/**
 * The planned ways, and once each those that were taken beside the plan. The class `taken` marks what was taken.
 *
 * @param beside the class of a way that is not planned
 */
export function pathEdges(planned: readonly Way[], taken: readonly Way[], beside: string): readonly GraphEdge[] {
  const keyOf = ({ from, to }: Way) => `${from} ${to}`;
  const takenByKey = new Map(taken.map((way) => [keyOf(way), way]));
  const plannedKeys = new Set(planned.map(keyOf));
  const notPlanned = [...takenByKey.values()].filter((way) => !plannedKeys.has(keyOf(way)));
  return [
    ...planned.map((way) => ({ ...way, classes: takenByKey.has(keyOf(way)) ? ['taken'] : [] })),
    ...notPlanned.map((way) => ({ ...way, classes: [beside, 'taken'] })),
  ];
}

const font = 'Helvetica, Arial, sans-serif';

/** Lays out a graph as an SVG without colours: the style sheet of the console has one set for each theme. */
export async function drawGraph({ direction, nodes, edges, ranks = [] }: Graph): Promise<string> {
  const viz = await instance();
  const svg = viz.renderString(
    {
      directed: true,
      graphAttributes: {
        rankdir: direction,
        bgcolor: 'transparent',
        nodesep: 0.22,
        ranksep: 0.42,
        pad: 0.05,
        splines: true,
      },
      nodeAttributes: {
        shape: 'box',
        style: 'rounded',
        fontname: font,
        fontsize: 12,
        margin: '0.14,0.07',
        height: 0.4,
      },
      edgeAttributes: { fontname: font, fontsize: 10, arrowsize: 0.6 },
      nodes: nodes.map(({ name, label, classes = [], shape, width, tooltip, place }) => ({
        name,
        attributes: {
          id: `node-${name}`,
          label,
          class: classes.join(' '),
          tooltip: tooltip ?? name,
          ...(shape === 'queue' && { style: 'solid' }),
          ...(shape === 'begin' && { shape: 'circle', style: 'filled', width: 0.14, height: 0.14, fixedsize: true }),
          ...(shape === 'cylinder' && { shape, style: 'solid' }),
          ...(width !== undefined && { width }),
          ...(place !== undefined && { pos: `${place.join()}!` }),
        },
      })),
      edges: edges.map(({ from, to, label, classes = [], isBack = false }) => ({
        tail: from,
        head: to,
        attributes: {
          id: `edge-${from}-${to}`,
          class: classes.join(' '),
          ...(label !== undefined && { label }),
          ...(isBack && { constraint: false }),
        },
      })),
      subgraphs: ranks.map((rank) => ({
        graphAttributes: { rank: 'same' },
        nodes: rank.map((name) => ({ name })),
      })),
    },
    { format: 'svg', engine: nodes.some(({ place }) => place !== undefined) ? 'neato' : 'dot' },
  );
  return svg.slice(svg.indexOf('<svg'));
}
