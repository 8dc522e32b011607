import { classNames } from '#web/ui/class-names.ts'
import { ColumnLayout, RowLayout } from './flow-layouts.tsx'
import { type Cell, isDialog } from './presentation.ts'
import { comingIn, usePreview } from './preview-context.ts'
import { ShownFrame } from './shown-frame.tsx'

/** Dialogs first and wide, other frames below. */
export function DialogicLayout({ cells, layout }: { cells: readonly Cell[]; layout: 'column' | 'row' }) {
  const { className, style } = comingIn(usePreview().animation)
  const dialogs = cells.filter(isDialog)
  const content = cells.filter((cell) => !isDialog(cell))
  return (
    <div className={classNames('grid grid-cols-1 gap-4', layout === 'column' && 'mx-auto max-w-[760px]')}>
      <ul aria-label="Dialogs" className="grid min-w-0 grid-cols-1 gap-4">
        {dialogs.map(({ frames: [frame] }) => (
          <li
            key={frame.id}
            className={className}
            style={{ ...style, height: `clamp(380px, ${frame.data.size.height}px, 70dvh)` }}
          >
            <ShownFrame frame={frame} />
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
