import type { EngagementPattern } from '#contract/boards/frame-types.ts'
import { classNames } from '#web/ui/hooks/class-names.ts'

interface Slot {
  /** In units of a 240 × 132 drawing. */
  x: number
  y: number
  width: number
  height: number
  label: string
}

const slotsByPattern: Record<EngagementPattern, Slot[]> = {
  dialogic: [
    { x: 8, y: 8, width: 138, height: 116, label: 'dialog' },
    { x: 154, y: 8, width: 78, height: 116, label: 'content' },
  ],
  wizard: [
    { x: 8, y: 8, width: 84, height: 116, label: 'process_frame' },
    { x: 100, y: 8, width: 132, height: 116, label: 'config_panel' },
  ],
  canvas: [
    { x: 8, y: 12, width: 92, height: 50, label: 'anything' },
    { x: 118, y: 8, width: 112, height: 72, label: 'anything' },
    { x: 24, y: 74, width: 82, height: 48, label: 'anything' },
    { x: 138, y: 90, width: 70, height: 34, label: 'anything' },
  ],
  focus: [{ x: 30, y: 8, width: 180, height: 116, label: 'media_card, preview or code_snippet' }],
  gallery: [0, 1, 2, 3, 4, 5].map((index) => ({
    x: 8 + (index % 3) * 76,
    y: 8 + Math.floor(index / 3) * 60,
    width: 70,
    height: 54,
    label: 'media_card',
  })),
  form: [8, 48, 88].map((y) => ({ x: 40, y, width: 160, height: 34, label: 'config_panel' })),
}

interface PatternSlotsProps {
  pattern: EngagementPattern
  labelled?: boolean
  className?: string
}

export function PatternSlots({ pattern, labelled = false, className }: PatternSlotsProps) {
  return (
    <svg
      viewBox="0 0 240 132"
      aria-hidden="true"
      className={classNames('block rounded-sm border border-hairline bg-muted', className)}
    >
      {slotsByPattern[pattern].map(({ x, y, width, height, label }) => (
        <g key={`${x} ${y}`}>
          <rect
            x={x}
            y={y}
            width={width}
            height={height}
            rx={6}
            className="fill-card stroke-input"
            strokeWidth={labelled ? 1 : 3}
            strokeDasharray={labelled ? '4 4' : undefined}
          />
          {labelled && (
            <text
              x={x + width / 2}
              y={y + height / 2 + 3.5}
              textAnchor="middle"
              className="fill-muted-foreground font-sans text-[0.625rem]"
            >
              {label}
            </text>
          )}
        </g>
      ))}
    </svg>
  )
}
