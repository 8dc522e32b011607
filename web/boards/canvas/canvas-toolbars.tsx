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
  type LucideIcon,
  MousePointer2,
  Redo2,
  SendToBack,
  SlidersHorizontal,
  Trash2,
  Type,
  Undo2,
} from 'lucide-react'
import { type MouseEvent, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { IconButton } from '#web/ui/controls/icon-button.tsx'
import { Kbd } from '#web/ui/controls/kbd.tsx'
import { classNames } from '#web/ui/hooks/class-names.ts'
import { Menu, MenuChoice, MenuItem, MenuSeparator } from '#web/ui/overlays/menu.tsx'
import { getBoundingBox } from '../document/board-document.ts'
import { useBoard } from '../document/use-board-editor.tsx'
import type { ZoomStep } from './canvas-actions.ts'
import { type ObservableValue, toolsHeight, useCanvas, useObservable } from './canvas-context.ts'
import type { Alignment } from './place-frames.ts'

export const canvasTools = ['select', 'hand', 'frame', 'text'] as const
export type CanvasTool = (typeof canvasTools)[number]
export const isDrawingTool = (tool: CanvasTool): boolean => tool === 'frame' || tool === 'text'

const iconProps = { 'aria-hidden': true, size: 16, strokeWidth: 1.75 } as const
const toolButtons: Record<CanvasTool, { label: string; Icon: LucideIcon }> = {
  select: { label: 'Select (V)', Icon: MousePointer2 },
  hand: { label: 'Hand (H)', Icon: Hand },
  frame: { label: 'Draw a frame (F)', Icon: FrameSign },
  text: { label: 'Text (T)', Icon: Type },
}

interface CanvasToolsBarProps {
  tool: CanvasTool
  /** A tool chosen by key has no pointer to draw with. */
  onToolChange: (tool: CanvasTool, input: 'key' | 'pointer') => void
  minimapVisible: ObservableValue<boolean>
}

export function CanvasToolsBar({ tool, onToolChange, minimapVisible }: CanvasToolsBarProps) {
  const { actions, canEdit } = useCanvas()
  const undoLabel = useBoard((state) => state.undoLabel)
  const redoLabel = useBoard((state) => state.redoLabel)
  const availableTools = canvasTools.filter((toolName) => canEdit || !isDrawingTool(toolName))
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
          {...toolButtons[toolName]}
          pressed={tool === toolName}
          onClick={({ detail: clickCount }) => onToolChange(toolName, clickCount === 0 ? 'key' : 'pointer')}
        />
      ))}
      <Divider />
      {canEdit && (
        <>
          <ToolButton
            label={`Undo${undoLabel ? `: ${undoLabel}` : ''}`}
            isDisabled={!undoLabel}
            Icon={Undo2}
            onClick={() => actions.undo()}
          />
          <ToolButton
            label={`Redo${redoLabel ? `: ${redoLabel}` : ''}`}
            isDisabled={!redoLabel}
            Icon={Redo2}
            onClick={() => actions.redo()}
          />
          <Divider />
        </>
      )}
      <ZoomMenu minimapVisible={minimapVisible} />
    </div>
  )
}

const zoomSteps: [ZoomStep, label: string, keys: string][] = [
  ['fit', 'Fit', 'Shift 1'],
  ['full-size', '100%', 'Ctrl 0'],
  ['in', 'Zoom in', 'Ctrl +'],
  ['out', 'Zoom out', 'Ctrl −'],
]

function ZoomMenu({ minimapVisible }: Pick<CanvasToolsBarProps, 'minimapVisible'>) {
  const percent = useStore(({ transform }) => Math.round(transform[2] * 100))
  const { actions, canEdit, gridSnapping } = useCanvas()
  const [isSnapping, hasMinimap] = [useObservable(gridSnapping), useObservable(minimapVisible)]
  return (
    <Menu
      side="top"
      trigger={
        <button
          type="button"
          aria-label={`Zoom, ${percent}%`}
          className="h-8 w-[50px] rounded-md text-[0.78125rem] font-medium tabular-nums hover:bg-fill phone:h-10"
        >
          {percent}%
        </button>
      }
    >
      {zoomSteps.map(([step, label, keys]) => (
        <MenuItem key={step} end={<Kbd>{keys}</Kbd>} onSelect={() => actions.zoomBy(step)}>
          {label}
        </MenuItem>
      ))}
      <MenuSeparator />
      {canEdit && (
        <MenuChoice checked={isSnapping} onCheckedChange={(checked) => gridSnapping.set(checked)}>
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
  Icon: LucideIcon
  pressed?: boolean
  /** Disabled, but still focusable for screen readers. */
  isDisabled?: boolean
  onClick: (event: MouseEvent) => void
}

function ToolButton({ label, Icon, pressed, isDisabled = false, onClick }: ToolButtonProps) {
  return (
    <button
      type="button"
      title={label}
      aria-label={label}
      aria-pressed={pressed}
      aria-disabled={isDisabled || undefined}
      onClick={isDisabled ? undefined : onClick}
      className={classNames(
        'grid h-8 w-[34px] place-items-center rounded-md phone:h-10 phone:w-9',
        pressed ? 'bg-primary text-primary-foreground' : 'hover:bg-fill',
        'aria-disabled:cursor-not-allowed aria-disabled:text-muted-foreground aria-disabled:hover:bg-transparent',
      )}
    >
      <Icon {...iconProps} />
    </button>
  )
}

function Divider() {
  return <span aria-hidden className="mx-1 h-5 w-px bg-border" />
}

const barIconProps = { 'aria-hidden': true, size: 15, strokeWidth: 1.75 } as const
const alignmentButtons: [Alignment, LucideIcon][] = [
  ['left', AlignStartVertical],
  ['center', AlignCenterVertical],
  ['right', AlignEndVertical],
  ['top', AlignStartHorizontal],
  ['middle', AlignCenterHorizontal],
  ['bottom', AlignEndHorizontal],
]
/** Pixels between the bar and the selection. */
const selectionGap = 12
const viewportMargin = 8
/** Until the bar is measured. */
const estimatedBarHeight = 34

export function SelectionBar() {
  const { actions, canArrange, guides, openSettings } = useCanvas()
  const frames = useBoard(({ document }) => document.frames)
  const selection = useBoard((state) => state.selection)
  const selectedFrames = useMemo(() => frames.filter(({ id }) => selection.has(id)), [frames, selection])
  const bar = useRef<HTMLDivElement>(null)
  const [height, setHeight] = useState(estimatedBarHeight)
  // biome-ignore lint/correctness/useExhaustiveDependencies: its buttons depend on the selection
  useLayoutEffect(() => setHeight((previous) => bar.current?.offsetHeight ?? previous), [selectedFrames])
  const transform = useBarTransform(selectedFrames, { height })
  // Hidden while frames are being dragged.
  const isBusy = useObservable(guides).length > 0
  const [firstFrame, ...otherFrames] = selectedFrames
  if (!firstFrame || !transform || isBusy) return null
  const hasMultiple = otherFrames.length > 0
  return (
    <div
      role="toolbar"
      aria-label={hasMultiple ? `${selectedFrames.length} frames` : firstFrame.data.name}
      data-selection-bar
      ref={bar}
      className="absolute top-0 left-0 z-20 flex max-w-[calc(100%-16px)] flex-wrap rounded-md border border-border bg-popover p-px shadow-e2"
      style={{ transform }}
    >
      {hasMultiple &&
        canArrange &&
        alignmentButtons.map(([alignment, Icon]) => (
          <BarButton
            key={alignment}
            label={`Align ${alignment}`}
            Icon={Icon}
            onClick={() => actions.align(alignment)}
          />
        ))}
      {otherFrames.length > 1 && canArrange && (
        <>
          <BarButton
            label="Distribute horizontally"
            Icon={AlignHorizontalDistributeCenter}
            onClick={() => actions.distribute('x')}
          />
          <BarButton
            label="Distribute vertically"
            Icon={AlignVerticalDistributeCenter}
            onClick={() => actions.distribute('y')}
          />
        </>
      )}
      {!hasMultiple && (
        <BarButton label="Settings" Icon={SlidersHorizontal} onClick={() => openSettings(firstFrame.id)} />
      )}
      <BarButton label="Duplicate" Icon={Copy} onClick={() => actions.duplicate()} />
      <BarButton label="Delete" Icon={Trash2} onClick={() => actions.remove()} />
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
              onSelect={() => actions.bringToFront()}
            >
              Bring to front
            </MenuItem>
            <MenuItem
              icon={<SendToBack {...barIconProps} />}
              end={<Kbd>Ctrl [</Kbd>}
              onSelect={() => actions.sendToBack()}
            >
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

function BarButton({ label, Icon, onClick }: { label: string; Icon: LucideIcon; onClick: () => void }) {
  return (
    <IconButton size="small" label={label} onClick={onClick}>
      <Icon {...barIconProps} />
    </IconButton>
  )
}

/** Puts the bar above the selection, below it if there is no space above, else at the top of the canvas. */
function useBarTransform(frames: Parameters<typeof getBoundingBox>[0], bar: { height: number }): string | undefined {
  const bounds = useMemo(() => getBoundingBox(frames), [frames])
  return useStore(({ transform: [x, y, zoom], width, height }) => {
    if (!bounds) return undefined
    const right = (bounds.x + bounds.width) * zoom + x
    const top = bounds.y * zoom + y
    const bottom = top + bounds.height * zoom
    const isOutside = right < 0 || bounds.x * zoom + x > width || top > height || bottom < 0
    if (isOutside) return undefined
    const above = top - selectionGap - bar.height
    const below = bottom + selectionGap
    const maxTop = height - toolsHeight - bar.height
    let barTop = viewportMargin
    if (above >= viewportMargin) barTop = Math.min(above, maxTop)
    else if (below <= maxTop) barTop = below
    const barRight = Math.round(Math.min(width - viewportMargin, right))
    return `translate(max(${viewportMargin}px, calc(${barRight}px - 100%)), ${Math.round(barTop)}px)`
  })
}
