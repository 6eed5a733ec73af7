import { useEffect, useRef } from 'preact/hooks';

export type PictureProps = {
  /** Drawn by the console server. */
  readonly svg: string;
  /** What the picture shows, for readers who do not see it. */
  readonly label: string;
  /** Changes the elements of the picture, such as their classes. */
  readonly onDrawn?: (picture: SVGSVGElement) => void;
  /** What `onDrawn` depends on. */
  readonly state?: unknown;
  readonly className?: string;
  /** Whether parts of the picture are links, which a picture as a whole would hide from screen readers. */
  readonly hasLinks?: boolean;
};

/** An SVG of the console server. */
export function Picture({ svg, label, onDrawn, state, className = '', hasLinks = false }: PictureProps) {
  const frame = useRef<HTMLElement>(null);
  useEffect(() => {
    const element = frame.current;
    if (element === null) return;
    element.innerHTML = svg;
    const picture = element.querySelector('svg');
    if (picture === null) return;
    // The titles of Graphviz would pop up over each line.
    for (const title of picture.querySelectorAll('g.edge > title, g.graph > title')) title.remove();
    picture.setAttribute('role', hasLinks ? 'group' : 'img');
    picture.setAttribute('aria-label', label);
  }, [svg, label]);
  useEffect(() => {
    const picture = frame.current?.querySelector('svg');
    if (picture !== null && picture !== undefined) onDrawn?.(picture);
  }, [svg, state]);
  return <section ref={frame} class={`picture ${className}`} tabIndex={0} aria-label={label} />;
}
