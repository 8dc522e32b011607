import { classNames } from '#web/ui/hooks/class-names.ts'
import { BoardPreviewFrame } from './board-preview-frame.tsx'
import { ColumnLayout, RowLayout } from './flow-layouts.tsx'
import { type FrameCell, isDialogCell } from './presentation.ts'
import { getEnterAnimation, usePreview } from './preview-context.ts'

/** Dialogs first and wide, other frames below. */
export function DialogicLayout({ cells, layout }: { cells: readonly FrameCell[]; layout: 'column' | 'row' }) {
  const { className, style } = getEnterAnimation(usePreview().animation)
  const dialogs = cells.filter(isDialogCell)
  const content = cells.filter((cell) => !isDialogCell(cell))
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
      {content.length > 0 && (
        <div className="min-w-0 @container">
          {layout === 'row' ? <RowLayout cells={content} /> : <ColumnLayout cells={content} />}
        </div>
      )}
    </div>
  )
}
