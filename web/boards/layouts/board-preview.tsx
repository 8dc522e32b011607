import { LayoutPanelLeft } from 'lucide-react'
import { useMemo, useState } from 'react'
import type { BoardConfig, Frame } from '#contract/boards/boards.ts'
import { useTheme } from '#web/themes/base/theme-provider.tsx'
import { Button, returnFocusOnUnmount } from '#web/ui/controls/button.tsx'
import { classNames } from '#web/ui/hooks/class-names.ts'
import { useViewportClass } from '#web/ui/hooks/use-viewport-class.ts'
import { EmptyPanel } from '#web/ui/panels/empty-panel.tsx'
import { toBoardColors } from './board-colors.ts'
import { CanvasLayout } from './canvas-layout.tsx'
import { ColumnLayout, GridLayout, RowLayout } from './flow-layouts.tsx'
import { type FrameCell, getPresentation, groupIntoCells, isDialogCell } from './presentation.ts'
import {
  BoardPreviewFrame,
  getEnterAnimation,
  PreviewContext,
  type PreviewProps,
  usePreview,
} from './preview-context.tsx'
import { FocusLayout, WizardLayout } from './step-layouts.tsx'

interface BoardPreviewProps extends PreviewProps {
  config: BoardConfig
  /** In reading order. */
  frames: readonly Frame[]
}

/** Renders a board in its layout and theme. Works without an editor, for links and samples. */
export function BoardPreview({ config, frames, frameContext, changeContent }: BoardPreviewProps) {
  const { mode } = useTheme()
  const { layout } = getPresentation(config)
  const cells = useMemo(() => groupIntoCells(frames), [frames])
  const preview = useMemo(
    () => ({ frameContext, changeContent, animation: config.animation }),
    [frameContext, changeContent, config.animation],
  )
  return (
    <PreviewContext value={preview}>
      <section
        aria-label={`${config.name || 'Untitled Board'}, preview`}
        data-layout={layout}
        style={toBoardColors(config.theme, mode)}
        className="@container min-h-full bg-(--board-ground) p-5 pb-[72px] text-(--board-text) phone:p-3 phone:pb-[72px]"
      >
        {frames.length === 0 ? (
          <EmptyPanel
            drawing="frames"
            title="This board is empty"
            className="border-(--board-border) bg-card text-card-foreground"
          >
            Add frames in Edit to see them here.
          </EmptyPanel>
        ) : (
          <BoardLayoutView key={layout} config={config} frames={frames} cells={cells} />
        )}
      </section>
    </PreviewContext>
  )
}

function BoardLayoutView({
  config,
  frames,
  cells,
}: Pick<BoardPreviewProps, 'config' | 'frames'> & { cells: readonly FrameCell[] }) {
  const { layout, dialogsFirst } = getPresentation(config)
  if (layout === 'canvas') return <CanvasOrList frames={frames} cells={cells} />
  if (layout === 'wizard') return <WizardLayout cells={cells} />
  if (layout === 'focus') return <FocusLayout cells={cells} />
  if (layout === 'grid') return <GridLayout cells={cells} />
  if (dialogsFirst && cells.some(isDialogCell)) return <DialogicLayout cells={cells} layout={layout} />
  if (layout === 'column') return <ColumnLayout cells={cells} />
  return <RowLayout cells={cells} />
}

/** A phone shows the frames of a canvas as a list, because the whole canvas is too small to read there. */
function CanvasOrList({ frames, cells }: Pick<BoardPreviewProps, 'frames'> & { cells: readonly FrameCell[] }) {
  const isPhone = useViewportClass() === 'phone'
  const [showsCanvas, setShowsCanvas] = useState(false)
  if (!isPhone || showsCanvas)
    return <CanvasLayout frames={frames} onShowList={isPhone ? () => setShowsCanvas(false) : undefined} />
  return (
    <>
      <ColumnLayout cells={cells} />
      <div data-chrome className="mt-4 flex justify-center">
        <Button
          ref={returnFocusOnUnmount}
          icon={<LayoutPanelLeft aria-hidden size={15} />}
          onClick={() => setShowsCanvas(true)}
        >
          Show the canvas
        </Button>
      </div>
    </>
  )
}

/** Dialogs first and wide, other frames below. */
function DialogicLayout({ cells, layout }: { cells: readonly FrameCell[]; layout: 'column' | 'row' }) {
  const { className, style } = getEnterAnimation(usePreview().animation)
  const dialogs = cells.filter(isDialogCell)
  const otherCells = cells.filter((cell) => !isDialogCell(cell))
  return (
    <div className={classNames('grid grid-cols-1 gap-4', layout === 'column' && 'mx-auto max-w-[760px]')}>
      <ul aria-label="Dialogs" className="grid min-w-0 grid-cols-1 gap-4">
        {dialogs.map(({ frames: [frame] }) => (
          <li
            key={frame.id}
            className={className}
            style={{ ...style, height: `clamp(380px, ${frame.data.size.height}px, 70dvh)` }}
          >
            <BoardPreviewFrame frame={frame} />
          </li>
        ))}
      </ul>
      {otherCells.length > 0 && (
        <div className="min-w-0 @container">
          {layout === 'row' ? <RowLayout cells={otherCells} /> : <ColumnLayout cells={otherCells} />}
        </div>
      )}
    </div>
  )
}
