import { instance } from '@viz-js/viz';
import { raw } from 'hono/html';
import type { Markup } from './page.ts';

export type FlowNode = { readonly name: string; readonly label: string; readonly isFinal: boolean };

/** How often something went from one node to another. */
export type Flow = { readonly from: string; readonly to: string; readonly times: number };

const font = 'Helvetica, Arial, sans-serif';

/** Nodes with arrows between them, as an SVG. An arrow is the thicker, the more often it was taken. */
export async function drawFlow(nodes: readonly FlowNode[], flows: readonly Flow[]): Promise<Markup> {
  const most = Math.max(1, ...flows.map(({ times }) => times));
  const viz = await instance();
  const svg = viz.renderString(
    {
      directed: true,
      graphAttributes: { rankdir: 'TB', bgcolor: 'transparent', ranksep: 0.5, nodesep: 0.5 },
      nodeAttributes: {
        shape: 'box',
        style: 'rounded,filled',
        fillcolor: '#eaf1fb',
        color: '#2c6bb3',
        fontname: font,
        fontsize: 11,
        // Letters of a browser are wider than those that the layout assumes.
        margin: '0.25,0.08',
      },
      edgeAttributes: { color: '#5b6675', fontname: font, fontsize: 10, arrowsize: 0.7 },
      nodes: nodes.map(({ name, label, isFinal }) => ({
        name,
        attributes: { label, ...(isFinal ? { fillcolor: '#e3f3ea', color: '#17744a' } : {}) },
      })),
      edges: flows.map(({ from, to, times }) => ({
        tail: from,
        head: to,
        attributes: { label: `   ${times}`, penwidth: 0.8 + (2 * times) / most },
      })),
    },
    { format: 'svg' },
  );
  return raw(svg.slice(svg.indexOf('<svg')));
}
