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
import { IconButton } from '#web/ui/icon-button.tsx'
import { Kbd } from '#web/ui/kbd.tsx'
import { Menu, MenuItem, MenuSeparator } from '#web/ui/menu.tsx'
import { getBoundingBox } from '../document/board-document.ts'
import { useBoard } from '../document/use-board-editor.tsx'
import { useCanvas } from './canvas-context.ts'
import { useObservable } from './observable-value.ts'
import type { Alignment } from './place-frames.ts'

const icon = { 'aria-hidden': true, size: 15, strokeWidth: 1.75 } as const
const alignmentButtons: [Alignment, string, ReactNode][] = [
  ['left', 'Align left', <AlignStartVertical key="left" {...icon} />],
  ['centre', 'Align center', <AlignCenterVertical key="centre" {...icon} />],
  ['right', 'Align right', <AlignEndVertical key="right" {...icon} />],
  ['top', 'Align top', <AlignStartHorizontal key="top" {...icon} />],
  ['middle', 'Align middle', <AlignCenterHorizontal key="middle" {...icon} />],
  ['bottom', 'Align bottom', <AlignEndHorizontal key="bottom" {...icon} />],
]
/** Pixels above the selection. */
const distance = 12
const barHeight = 32
const margin = 8

export function SelectionBar() {
  const { actions, canArrange, guides, openSettings } = useCanvas()
  const frames = useBoard(({ document }) => document.frames)
  const selection = useBoard((state) => state.selection)
  const selected = useMemo(() => frames.filter(({ id }) => selection.has(id)), [frames, selection])
  const transform = useBarTransform(selected)
  // Hidden while frames are being dragged.
  const isBusy = useObservable(guides).length > 0
  const [only, ...more] = selected
  if (!only || !transform || isBusy) return null
  const several = more.length > 0
  return (
    <div
      role="toolbar"
      aria-label={several ? `${selected.length} frames` : only.data.name}
      data-selection-bar
      className="absolute top-0 left-0 z-20 flex max-w-[calc(100%-16px)] flex-wrap rounded-md border border-border bg-popover p-px shadow-e2"
      style={{ transform: transform }}
    >
      {several &&
        canArrange &&
        alignmentButtons.map(([alignment, label, sign]) => (
          <IconButton key={alignment} size="small" label={label} onClick={() => actions.align(alignment)}>
            {sign}
          </IconButton>
        ))}
      {more.length > 1 && canArrange && (
        <>
          <IconButton size="small" label="Distribute horizontally" onClick={() => actions.distribute('x')}>
            <AlignHorizontalDistributeCenter {...icon} />
          </IconButton>
          <IconButton size="small" label="Distribute vertically" onClick={() => actions.distribute('y')}>
            <AlignVerticalDistributeCenter {...icon} />
          </IconButton>
        </>
      )}
      {!several && (
        <IconButton size="small" label="Settings" onClick={() => openSettings(only.id)}>
          <SlidersHorizontal {...icon} />
        </IconButton>
      )}
      <IconButton size="small" label="Duplicate" onClick={() => actions.duplicate()}>
        <Copy {...icon} />
      </IconButton>
      <IconButton size="small" label="Delete" onClick={() => actions.remove()}>
        <Trash2 {...icon} />
      </IconButton>
      <Menu
        trigger={
          <IconButton size="small" label="Order">
            <Ellipsis {...icon} />
          </IconButton>
        }
      >
        {canArrange && (
          <>
            <MenuItem icon={<BringToFront {...icon} />} end={<Kbd>Ctrl ]</Kbd>} onSelect={() => actions.toFront()}>
              Bring to front
            </MenuItem>
            <MenuItem icon={<SendToBack {...icon} />} end={<Kbd>Ctrl [</Kbd>} onSelect={() => actions.toBack()}>
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
    const at = {
      x: Math.round(Math.min(width - margin, Math.max(margin, right))),
      y: Math.round(Math.min(height - barHeight - margin, Math.max(margin, top - distance - barHeight))),
    }
    return `translate(max(${margin}px, calc(${at.x}px - 100%)), ${at.y}px)`
  })
}
