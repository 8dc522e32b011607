import type { Frame } from '#contract/boards/boards.ts'
import { classNames } from '#web/ui/class-names.ts'
import { boxAround, boxOf } from '../document/board-document.ts'

interface BoardPictureProps {
  frames: readonly Frame[]
  /** Ids of highlighted frames; the others are dimmed. */
  marked?: ReadonlySet<string>
  label: string
  className?: string
}

const margin = 60

export function BoardPicture({ frames, marked, label, className }: BoardPictureProps) {
  const around = boxAround(frames) ?? { x: 0, y: 0, width: 400, height: 240 }
  const view = [around.x - margin, around.y - margin, around.width + 2 * margin, around.height + 2 * margin]
  const letters = Math.max(22, Math.min(90, around.width / 22))
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={view.join(' ')}
      className={classNames('block h-40 w-full rounded-md border border-border bg-muted', className)}
    >
      {frames.map((frame) => {
        const { x, y, width, height } = boxOf(frame)
        const isMarked = marked?.has(frame.id) ?? false
        const room = Math.max(1, Math.floor(width / (letters * 0.55)) - 1)
        const { name } = frame.data
        return (
          <g key={frame.id} opacity={marked && !isMarked ? 0.5 : 1}>
            <rect
              {...{ x, y, width, height }}
              rx={14}
              vectorEffect="non-scaling-stroke"
              className={isMarked ? 'fill-ribbon-soft stroke-ring' : 'fill-card stroke-input'}
              strokeWidth={isMarked ? 2 : 1}
            />
            <text
              x={x + letters * 0.5}
              y={y + letters * 1.2}
              fontSize={letters}
              className="fill-foreground font-sans font-medium"
            >
              {name.length > room ? `${name.slice(0, Math.max(1, room - 1))}…` : name}
            </text>
          </g>
        )
      })}
    </svg>
  )
}
