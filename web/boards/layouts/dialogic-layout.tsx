import { classNames } from '#web/ui/class-names.ts'
import { ColumnLayout, GridLayout, RowLayout } from './flow-layouts.tsx'
import { type Cell, isDialog } from './presentation.ts'
import { comingIn, usePreview } from './preview-context.ts'
import { ShownFrame } from './shown-frame.tsx'

/** Talk is the main thing: dialogs stand wide and first; in a grid what they are about stands beside, else below. */
export function DialogicLayout({ cells, layout }: { cells: readonly Cell[]; layout: 'grid' | 'column' | 'row' }) {
  const { className, style } = comingIn(usePreview().animation)
  const dialogs = cells.filter(isDialog)
  const content = cells.filter((cell) => !isDialog(cell))
  const beside = layout === 'grid'
  return (
    <div
      className={classNames(
        'grid grid-cols-1 gap-4',
        beside &&
          content.length > 0 &&
          '@min-[760px]:grid-cols-[minmax(0,2fr)_minmax(240px,1fr)] @min-[760px]:items-start',
        layout === 'column' && 'mx-auto max-w-[760px]',
      )}
    >
      <ul
        aria-label="Dialogs"
        className={classNames(
          'grid min-w-0 grid-cols-1 gap-4',
          beside && dialogs.length === 1 && '@min-[760px]:sticky @min-[760px]:top-5',
        )}
      >
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
          {layout === 'row' ? (
            <RowLayout cells={content} />
          ) : layout === 'column' || content.length === 1 ? (
            <ColumnLayout cells={content} />
          ) : (
            <GridLayout cells={content} />
          )}
        </div>
      )}
    </div>
  )
}
