import { useStore } from '@xyflow/react'
import {
  AlignCenterHorizontal,
  AlignCenterVertical,
  AlignEndHorizontal,
  AlignEndVertical,
  AlignHorizontalDistributeCenter,
  AlignStartHorizontal,
  AlignStartVertical,
  AlignVerticalDistributeCenter,
  BringToFront,
  Copy,
  Ellipsis,
  SendToBack,
  SlidersHorizontal,
  Trash2,
} from 'lucide-react'
import { type ReactNode, useMemo } from 'react'
import { IconButton } from '#web/ui/controls/icon-button.tsx'
import { Kbd } from '#web/ui/controls/kbd.tsx'
import { Menu, MenuItem, MenuSeparator } from '#web/ui/overlays/menu.tsx'
import { getBoundingBox } from '../document/board-document.ts'
import { useBoard } from '../document/use-board-editor.tsx'
import { useCanvas } from './canvas-context.ts'
import { useObservable } from './observable-value.ts'
import type { Alignment } from './place-frames.ts'

const iconProps = { 'aria-hidden': true, size: 15, strokeWidth: 1.75 } as const
const alignmentButtons: [Alignment, string, ReactNode][] = [
  ['left', 'Align left', <AlignStartVertical key="left" {...iconProps} />],
  ['center', 'Align center', <AlignCenterVertical key="center" {...iconProps} />],
  ['right', 'Align right', <AlignEndVertical key="right" {...iconProps} />],
  ['top', 'Align top', <AlignStartHorizontal key="top" {...iconProps} />],
  ['middle', 'Align middle', <AlignCenterHorizontal key="middle" {...iconProps} />],
  ['bottom', 'Align bottom', <AlignEndHorizontal key="bottom" {...iconProps} />],
]
/** Pixels above the selection. */
const selectionGap = 12
const barHeight = 32
const viewportMargin = 8

export function SelectionBar() {
  const { actions, canArrange, guides, openSettings } = useCanvas()
  const frames = useBoard(({ document }) => document.frames)
  const selection = useBoard((state) => state.selection)
  const selected = useMemo(() => frames.filter(({ id }) => selection.has(id)), [frames, selection])
  const transform = useBarTransform(selected)
  // Hidden while frames are being dragged.
  const isBusy = useObservable(guides).length > 0
  const [firstFrame, ...more] = selected
  if (!firstFrame || !transform || isBusy) return null
  const hasMultiple = more.length > 0
  return (
    <div
      role="toolbar"
      aria-label={hasMultiple ? `${selected.length} frames` : firstFrame.data.name}
      data-selection-bar
      className="absolute top-0 left-0 z-20 flex max-w-[calc(100%-16px)] flex-wrap rounded-md border border-border bg-popover p-px shadow-e2"
      style={{ transform: transform }}
    >
      {hasMultiple &&
        canArrange &&
        alignmentButtons.map(([alignment, label, icon]) => (
          <IconButton key={alignment} size="small" label={label} onClick={() => actions.align(alignment)}>
            {icon}
          </IconButton>
        ))}
      {more.length > 1 && canArrange && (
        <>
          <IconButton size="small" label="Distribute horizontally" onClick={() => actions.distribute('x')}>
            <AlignHorizontalDistributeCenter {...iconProps} />
          </IconButton>
          <IconButton size="small" label="Distribute vertically" onClick={() => actions.distribute('y')}>
            <AlignVerticalDistributeCenter {...iconProps} />
          </IconButton>
        </>
      )}
      {!hasMultiple && (
        <IconButton size="small" label="Settings" onClick={() => openSettings(firstFrame.id)}>
          <SlidersHorizontal {...iconProps} />
        </IconButton>
      )}
      <IconButton size="small" label="Duplicate" onClick={() => actions.duplicate()}>
        <Copy {...iconProps} />
      </IconButton>
      <IconButton size="small" label="Delete" onClick={() => actions.remove()}>
        <Trash2 {...iconProps} />
      </IconButton>
      <Menu
        trigger={
          <IconButton size="small" label="Order">
            <Ellipsis {...iconProps} />
          </IconButton>
        }
      >
        {canArrange && (
          <>
            <MenuItem icon={<BringToFront {...iconProps} />} end={<Kbd>Ctrl ]</Kbd>} onSelect={() => actions.toFront()}>
              Bring to front
            </MenuItem>
            <MenuItem icon={<SendToBack {...iconProps} />} end={<Kbd>Ctrl [</Kbd>} onSelect={() => actions.toBack()}>
              Send to back
            </MenuItem>
            <MenuSeparator />
          </>
        )}
        <MenuItem end={<Kbd>Ctrl A</Kbd>} onSelect={() => actions.selectAll()}>
          Select all
        </MenuItem>
      </Menu>
    </div>
  )
}

/** A transform that places the bar above the selection, within the canvas. */
function useBarTransform(frames: Parameters<typeof getBoundingBox>[0]): string | undefined {
  const bounds = useMemo(() => getBoundingBox(frames), [frames])
  return useStore(({ transform: [x, y, zoom], width, height }) => {
    if (!bounds) return undefined
    const right = (bounds.x + bounds.width) * zoom + x
    const top = bounds.y * zoom + y
    const isOutside = right < 0 || bounds.x * zoom + x > width || top > height || top + bounds.height * zoom < 0
    if (isOutside) return undefined
    const position = {
      x: Math.round(Math.min(width - viewportMargin, Math.max(viewportMargin, right))),
      y: Math.round(
        Math.min(height - barHeight - viewportMargin, Math.max(viewportMargin, top - selectionGap - barHeight)),
      ),
    }
    return `translate(max(${viewportMargin}px, calc(${position.x}px - 100%)), ${position.y}px)`
  })
}
