import type { BoardLayout } from '#contract/boards/boards.ts'

type LayoutBar = [x: number, y: number, width: number, height: number, strong?: 'strong']

/** Boxes on a sheet of 72 × 48. */
const layoutBars: Record<BoardLayout, LayoutBar[]> = {
  grid: [
    [4, 4, 19, 18],
    [26.5, 4, 19, 18],
    [49, 4, 19, 18],
    [4, 26, 19, 18],
    [26.5, 26, 19, 18],
    [49, 26, 19, 18],
  ],
  column: [
    [18, 4, 36, 11],
    [18, 18.5, 36, 11],
    [18, 33, 36, 11],
  ],
  row: [
    [4, 10, 22, 28],
    [30, 10, 22, 28],
    [56, 10, 12, 28],
  ],
  wizard: [
    [10, 12, 52, 24, 'strong'],
    [10, 4, 52, 3],
    [10, 40, 14, 4],
    [48, 40, 14, 4],
  ],
  focus: [
    [4, 4, 64, 27, 'strong'],
    [4, 35, 14, 9],
    [21, 35, 14, 9],
    [38, 35, 14, 9],
    [55, 35, 13, 9],
  ],
  canvas: [
    [6, 6, 22, 16],
    [36, 4, 28, 20],
    [10, 28, 18, 14],
    [40, 30, 16, 12],
  ],
}

export function LayoutDrawing({ layout }: { layout: BoardLayout }) {
  return (
    <svg aria-hidden="true" viewBox="0 0 72 48" width={72} height={48} className="shrink-0">
      <rect x=".75" y=".75" width="70.5" height="46.5" rx="4" fill="var(--k-muted)" stroke="var(--k-border)" />
      {layoutBars[layout].map(([x, y, width, height, strong]) => (
        <rect
          key={`${x} ${y}`}
          x={x}
          y={y}
          width={width}
          height={height}
          rx="1.8"
          fill={strong ? 'var(--k-ribbon-soft)' : 'var(--k-card)'}
          stroke={strong ? 'var(--k-ribbon)' : 'var(--k-input)'}
          strokeWidth="1.1"
        />
      ))}
      {layout === 'row' && (
        <path d="M60 42.5h7m-2.5-2.5 2.5 2.5-2.5 2.5" fill="none" stroke="var(--k-ribbon)" strokeWidth="1.4" />
      )}
    </svg>
  )
}
