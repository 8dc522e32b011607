import type { Frame } from '#contract/boards/boards.ts'
import { classNames } from '#web/ui/hooks/class-names.ts'
import { getBoundingBox, getFrameBox } from '../document/board-document.ts'

interface BoardPictureProps {
  frames: readonly Frame[]
  /** Ids of highlighted frames; the others are dimmed. */
  highlightedIds?: ReadonlySet<string>
  label: string
  className?: string
}

const pictureMargin = 60

export function BoardPicture({ frames, highlightedIds, label, className }: BoardPictureProps) {
  const bounds = getBoundingBox(frames) ?? { x: 0, y: 0, width: 400, height: 240 }
  const viewBox = [
    bounds.x - pictureMargin,
    bounds.y - pictureMargin,
    bounds.width + 2 * pictureMargin,
    bounds.height + 2 * pictureMargin,
  ]
  const fontSize = Math.max(22, Math.min(90, bounds.width / 22))
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={viewBox.join(' ')}
      className={classNames('block h-40 w-full rounded-md border border-border bg-muted', className)}
    >
      {frames.map((frame) => {
        const { x, y, width, height } = getFrameBox(frame)
        const isMarked = highlightedIds?.has(frame.id) ?? false
        const maxChars = Math.max(1, Math.floor(width / (fontSize * 0.55)) - 1)
        const { name } = frame.data
        return (
          <g key={frame.id} opacity={highlightedIds && !isMarked ? 0.5 : 1}>
            <rect
              x={x}
              y={y}
              width={width}
              height={height}
              rx={14}
              vectorEffect="non-scaling-stroke"
              className={isMarked ? 'fill-ribbon-soft stroke-ring' : 'fill-card stroke-input'}
              strokeWidth={isMarked ? 2 : 1}
            />
            <text
              x={x + fontSize * 0.5}
              y={y + fontSize * 1.2}
              fontSize={fontSize}
              className="fill-foreground font-sans font-medium"
            >
              {name.length > maxChars ? `${name.slice(0, Math.max(1, maxChars - 1))}…` : name}
            </text>
          </g>
        )
      })}
    </svg>
  )
}
