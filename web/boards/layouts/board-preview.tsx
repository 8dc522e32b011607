import { useMemo } from 'react'
import type { BoardConfig, Frame } from '#contract/boards/boards.ts'
import { useTheme } from '#web/theme/theme-provider.tsx'
import { EmptyPanel } from '#web/ui/empty-panel.tsx'
import { boardColours } from './board-colours.ts'
import { CanvasLayout } from './canvas-layout.tsx'
import { DialogicLayout } from './dialogic-layout.tsx'
import { ColumnLayout, GridLayout, RowLayout } from './flow-layouts.tsx'
import { FocusLayout } from './focus-layout.tsx'
import { type Cell, cellsOf, isDialog, presentationOf } from './presentation.ts'
import { Preview, type PreviewProps } from './preview-context.ts'
import { WizardLayout } from './wizard-layout.tsx'

export interface BoardPreviewProps extends PreviewProps {
  config: BoardConfig
  /** In reading order. */
  frames: readonly Frame[]
}

/** Renders a board in its layout and theme. Works without an editor, for links and samples. */
export function BoardPreview({ config, frames, surroundings, changeContent, openSettings }: BoardPreviewProps) {
  const { mode } = useTheme()
  const { layout } = presentationOf(config)
  const cells = useMemo(() => cellsOf(frames), [frames])
  const preview = useMemo(
    () => ({ surroundings, changeContent, ...(openSettings && { openSettings }), animation: config.animation }),
    [surroundings, changeContent, openSettings, config.animation],
  )
  return (
    <Preview value={preview}>
      <section
        aria-label={`${config.name || 'Untitled Board'}, preview`}
        data-layout={layout}
        style={boardColours(config.theme, mode)}
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
          <Laid key={layout} config={config} frames={frames} cells={cells} />
        )}
      </section>
    </Preview>
  )
}

function Laid({ config, frames, cells }: Pick<BoardPreviewProps, 'config' | 'frames'> & { cells: readonly Cell[] }) {
  const { layout, dialogsFirst } = presentationOf(config)
  if (layout === 'canvas') return <CanvasLayout frames={frames} />
  if (layout === 'wizard') return <WizardLayout cells={cells} />
  if (layout === 'focus') return <FocusLayout cells={cells} />
  if (layout === 'grid') return <GridLayout cells={cells} />
  if (dialogsFirst && cells.some(isDialog)) return <DialogicLayout cells={cells} layout={layout} />
  if (layout === 'column') return <ColumnLayout cells={cells} />
  return <RowLayout cells={cells} />
}
