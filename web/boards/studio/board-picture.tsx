import type { Frame } from '#contract/boards/boards.ts'
import { classNames } from '#web/ui/hooks/class-names.ts'
import { type Box, getBoundingBox, getFrameBox } from '../document/board-document.ts'

interface BoardPictureProps {
  frames: readonly Frame[]
  /** IDs of highlighted frames; the others are dimmed. */
  highlightedIds?: ReadonlySet<string>
  label: string
  className?: string
}

/** All in canvas pixels. */
const pictureMargin = 60
const emptyBoardBounds: Box = { x: 0, y: 0, width: 400, height: 240 }
const minFontSize = 22
const maxFontSize = 90

/** Average width of a letter as a share of the font size. */
const letterWidth = 0.55

export function BoardPicture({ frames, highlightedIds, label, className }: BoardPictureProps) {
  const bounds = getBoundingBox(frames) ?? emptyBoardBounds
  const viewBox = [
    bounds.x - pictureMargin,
    bounds.y - pictureMargin,
    bounds.width + 2 * pictureMargin,
    bounds.height + 2 * pictureMargin,
  ]
  const fontSize = Math.max(minFontSize, Math.min(maxFontSize, bounds.width / 22))
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={viewBox.join(' ')}
      className={classNames('block h-40 w-full rounded-md border border-border bg-muted', className)}
    >
      {frames.map((frame) => {
        const { x, y, width, height } = getFrameBox(frame)
        const isHighlighted = highlightedIds?.has(frame.id) ?? false
        const maxCharacters = Math.max(1, Math.floor(width / (fontSize * letterWidth)) - 1)
        const { name } = frame.data
        return (
          <g key={frame.id} opacity={highlightedIds && !isHighlighted ? 0.5 : 1}>
            <rect
              x={x}
              y={y}
              width={width}
              height={height}
              rx={14}
              vectorEffect="non-scaling-stroke"
              className={isHighlighted ? 'fill-ribbon-soft stroke-ring' : 'fill-card stroke-input'}
              strokeWidth={isHighlighted ? 2 : 1}
            />
            <text
              x={x + fontSize * 0.5}
              y={y + fontSize * 1.2}
              fontSize={fontSize}
              className="fill-foreground font-sans font-medium"
            >
              {name.length > maxCharacters ? `${name.slice(0, Math.max(1, maxCharacters - 1))}…` : name}
            </text>
          </g>
        )
      })}
    </svg>
  )
}
