import { useStore } from '@xyflow/react'
import { Frame as FrameSign, Hand, MousePointer2, Redo2, Type, Undo2 } from 'lucide-react'
import type { MouseEvent, ReactNode } from 'react'
import { Kbd } from '#web/ui/controls/kbd.tsx'
import { classNames } from '#web/ui/hooks/class-names.ts'
import { Menu, MenuChoice, MenuItem, MenuSeparator } from '#web/ui/overlays/menu.tsx'
import { useBoard } from '../document/use-board-editor.tsx'
import { useCanvas } from './canvas-context.ts'
import { type ObservableValue, useObservable } from './observable-value.ts'

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
