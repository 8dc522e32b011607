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
  Frame as FrameSign,
  Hand,
  MousePointer2,
  Redo2,
  SendToBack,
  SlidersHorizontal,
  Trash2,
  Type,
  Undo2,
} from 'lucide-react'
import { type MouseEvent, type ReactNode, useMemo } from 'react'
import { IconButton } from '#web/ui/controls/icon-button.tsx'
import { Kbd } from '#web/ui/controls/kbd.tsx'
import { classNames } from '#web/ui/hooks/class-names.ts'
import { Menu, MenuChoice, MenuItem, MenuSeparator } from '#web/ui/overlays/menu.tsx'
import { getBoundingBox } from '../document/board-document.ts'
import { useBoard } from '../document/use-board-editor.tsx'
import { type ObservableValue, useCanvas, useObservable } from './canvas-context.ts'
import type { Alignment } from './place-frames.ts'

export const canvasTools = ['select', 'hand', 'frame', 'text'] as const
export type CanvasTool = (typeof canvasTools)[number]

const iconProps = { 'aria-hidden': true, size: 16, strokeWidth: 1.75 } as const
const toolButtons: Record<CanvasTool, { label: string; icon: ReactNode }> = {
  select: { label: 'Select (V)', icon: <MousePointer2 {...iconProps} /> },
  hand: { label: 'Hand (H)', icon: <Hand {...iconProps} /> },
  frame: { label: 'Draw a frame (F)', icon: <FrameSign {...iconProps} /> },
  text: { label: 'Text (T)', icon: <Type {...iconProps} /> },
}

interface CanvasToolsBarProps {
  tool: CanvasTool
  /** `byKey`: chosen by keyboard, so there is no pointer to draw with. */
  onTool: (tool: CanvasTool, byKey: boolean) => void
  minimapVisible: ObservableValue<boolean>
}

export function CanvasToolsBar({ tool, onTool, minimapVisible }: CanvasToolsBarProps) {
  const { actions, canEdit } = useCanvas()
  const undoLabel = useBoard((state) => state.undoLabel)
  const redoLabel = useBoard((state) => state.redoLabel)
  const availableTools = canvasTools.filter((toolName) => canEdit || toolName === 'select' || toolName === 'hand')
  return (
    <div
      role="toolbar"
      aria-label="Canvas tools"
      data-canvas-tools
      className="absolute bottom-[18px] left-1/2 z-20 flex -translate-x-1/2 items-center gap-0.5 rounded-lg border border-border bg-popover p-1 shadow-e2"
    >
      {availableTools.map((toolName) => (
        <ToolButton
          key={toolName}
          label={toolButtons[toolName].label}
          pressed={tool === toolName}
          onClick={({ detail }) => onTool(toolName, detail === 0)}
        >
          {toolButtons[toolName].icon}
        </ToolButton>
      ))}
      <Divider />
      {canEdit && (
        <>
          <ToolButton
            label={`Undo${undoLabel ? `: ${undoLabel}` : ''}`}
            isDisabled={!undoLabel}
            onClick={() => actions.undo()}
          >
            <Undo2 {...iconProps} />
          </ToolButton>
          <ToolButton
            label={`Redo${redoLabel ? `: ${redoLabel}` : ''}`}
            isDisabled={!redoLabel}
            onClick={() => actions.redo()}
          >
            <Redo2 {...iconProps} />
          </ToolButton>
          <Divider />
        </>
      )}
      <ZoomMenu minimapVisible={minimapVisible} />
    </div>
  )
}

function ZoomMenu({ minimapVisible }: Pick<CanvasToolsBarProps, 'minimapVisible'>) {
  const percent = useStore(({ transform }) => Math.round(transform[2] * 100))
  const { actions, canEdit, snapToGrid } = useCanvas()
  const [isSnapping, hasMinimap] = [useObservable(snapToGrid), useObservable(minimapVisible)]
  return (
    <Menu
      side="top"
      trigger={
        <button
          type="button"
          aria-label={`Zoom, ${percent}%`}
          className="h-8 w-[50px] rounded-md text-[12.5px] font-medium tabular-nums hover:bg-fill phone:h-10"
        >
          {percent}%
        </button>
      }
    >
      <MenuItem end={<Kbd>Shift 1</Kbd>} onSelect={() => actions.zoomBy('fit')}>
        Fit
      </MenuItem>
      <MenuItem end={<Kbd>Ctrl 0</Kbd>} onSelect={() => actions.zoomBy('whole')}>
        100%
      </MenuItem>
      <MenuItem end={<Kbd>Ctrl +</Kbd>} onSelect={() => actions.zoomBy('in')}>
        Zoom in
      </MenuItem>
      <MenuItem end={<Kbd>Ctrl −</Kbd>} onSelect={() => actions.zoomBy('out')}>
        Zoom out
      </MenuItem>
      <MenuSeparator />
      {canEdit && (
        <MenuChoice checked={isSnapping} onCheckedChange={(checked) => snapToGrid.set(checked)}>
          Snap to grid
        </MenuChoice>
      )}
      <MenuChoice checked={hasMinimap} onCheckedChange={(checked) => minimapVisible.set(checked)}>
        Minimap
      </MenuChoice>
    </Menu>
  )
}

interface ToolButtonProps {
  label: string
  children: ReactNode
  pressed?: boolean
  /** Disabled, but still focusable for screen readers. */
  isDisabled?: boolean
  onClick: (event: MouseEvent) => void
}

function ToolButton({ label, children, pressed, isDisabled = false, onClick }: ToolButtonProps) {
  return (
    <button
      type="button"
      title={label}
      aria-label={label}
      aria-pressed={pressed}
      aria-disabled={isDisabled || undefined}
      onClick={(event) => !isDisabled && onClick(event)}
      className={classNames(
        'grid h-8 w-[34px] place-items-center rounded-md phone:h-10 phone:w-9',
        pressed ? 'bg-primary text-primary-foreground' : 'hover:bg-fill',
        'aria-disabled:cursor-not-allowed aria-disabled:text-muted-foreground aria-disabled:hover:bg-transparent',
      )}
    >
      {children}
    </button>
  )
}

function Divider() {
  return <span aria-hidden className="mx-1 h-5 w-px bg-border" />
}

const barIconProps = { 'aria-hidden': true, size: 15, strokeWidth: 1.75 } as const
const alignmentButtons: [Alignment, string, ReactNode][] = [
  ['left', 'Align left', <AlignStartVertical key="left" {...barIconProps} />],
  ['center', 'Align center', <AlignCenterVertical key="center" {...barIconProps} />],
  ['right', 'Align right', <AlignEndVertical key="right" {...barIconProps} />],
  ['top', 'Align top', <AlignStartHorizontal key="top" {...barIconProps} />],
  ['middle', 'Align middle', <AlignCenterHorizontal key="middle" {...barIconProps} />],
  ['bottom', 'Align bottom', <AlignEndHorizontal key="bottom" {...barIconProps} />],
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
            <AlignHorizontalDistributeCenter {...barIconProps} />
          </IconButton>
          <IconButton size="small" label="Distribute vertically" onClick={() => actions.distribute('y')}>
            <AlignVerticalDistributeCenter {...barIconProps} />
          </IconButton>
        </>
      )}
      {!hasMultiple && (
        <IconButton size="small" label="Settings" onClick={() => openSettings(firstFrame.id)}>
          <SlidersHorizontal {...barIconProps} />
        </IconButton>
      )}
      <IconButton size="small" label="Duplicate" onClick={() => actions.duplicate()}>
        <Copy {...barIconProps} />
      </IconButton>
      <IconButton size="small" label="Delete" onClick={() => actions.remove()}>
        <Trash2 {...barIconProps} />
      </IconButton>
      <Menu
        trigger={
          <IconButton size="small" label="Order">
            <Ellipsis {...barIconProps} />
          </IconButton>
        }
      >
        {canArrange && (
          <>
            <MenuItem
              icon={<BringToFront {...barIconProps} />}
              end={<Kbd>Ctrl ]</Kbd>}
              onSelect={() => actions.toFront()}
            >
              Bring to front
            </MenuItem>
            <MenuItem icon={<SendToBack {...barIconProps} />} end={<Kbd>Ctrl [</Kbd>} onSelect={() => actions.toBack()}>
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
