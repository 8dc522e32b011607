import { ArrowLeft, ArrowRight, Images, SlidersHorizontal } from 'lucide-react'
import { type KeyboardEvent, useRef, useState } from 'react'
import { IconButton } from '#web/ui/controls/icon-button.tsx'
import { classNames } from '#web/ui/hooks/class-names.ts'
import { FrameIcon } from '../frames/frame-icons.tsx'
import { CellView } from './cell-view.tsx'
import { type FrameCell, getCellName } from './presentation.ts'
import { getEnterAnimation, usePreview } from './preview-context.ts'

/** One large frame above a strip of cards. */
export function FocusLayout({ cells }: { cells: readonly FrameCell[] }) {
  const { animation } = usePreview()
  const [openId, setOpenId] = useState<string>()
  const strip = useRef<HTMLUListElement>(null)
  const openIndex = Math.max(
    0,
    cells.findIndex(({ frames }) => frames.some(({ id }) => id === openId)),
  )
  const cell = cells[openIndex]
  if (!cell) return null

  function openCell(targetIndex: number, focus = false) {
    const next = cells[(targetIndex + cells.length) % cells.length]
    if (!next) return
    setOpenId(next.frames[0].id)
    const card = strip.current?.querySelectorAll('button')[cells.indexOf(next)]
    if (focus) card?.focus()
    card?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  }
  function handleKeyDown(event: KeyboardEvent) {
    const targetIndex = {
      ArrowLeft: openIndex - 1,
      ArrowUp: openIndex - 1,
      ArrowRight: openIndex + 1,
      ArrowDown: openIndex + 1,
      Home: 0,
      End: cells.length - 1,
    }[event.key]
    if (targetIndex === undefined || event.altKey || event.ctrlKey || event.metaKey) return
    event.preventDefault()
    openCell(targetIndex, true)
  }

  return (
    <section aria-label="One frame at a time" className="flex flex-col gap-3">
      <div key={cell.frames[0].id} {...getEnterAnimation(animation)}>
        <div className={cell.kind === 'frame' ? 'h-[clamp(300px,60dvh,720px)]' : undefined}>
          <CellView cell={cell} />
        </div>
      </div>
      {cells.length > 1 && (
        <div className="flex items-center gap-2">
          <IconButton label="Previous frame" outlined onClick={() => openCell(openIndex - 1)}>
            <ArrowLeft aria-hidden size={16} />
          </IconButton>
          <ul
            ref={strip}
            aria-label="All frames"
            onKeyDown={handleKeyDown}
            className="flex min-w-0 grow snap-x gap-2 overflow-x-auto scroll-smooth p-1"
          >
            {cells.map((stripCell, index) => (
              <li key={stripCell.frames[0].id} className="shrink-0 snap-start">
                <button
                  type="button"
                  aria-current={index === openIndex ? 'true' : undefined}
                  tabIndex={index === openIndex ? 0 : -1}
                  onClick={() => openCell(index)}
                  className={classNames(
                    'flex h-16 w-36 flex-col justify-center gap-1 rounded-md border bg-card px-3 text-start text-card-foreground shadow-e1 hover:bg-muted',
                    index === openIndex
                      ? 'border-(--board-mark) inset-ring inset-ring-(--board-mark)'
                      : 'border-(--board-border)',
                  )}
                >
                  <CellIcon cell={stripCell} />
                  <span className="w-full truncate text-small font-semibold">{getCellName(stripCell)}</span>
                </button>
              </li>
            ))}
          </ul>
          <IconButton label="Next frame" outlined onClick={() => openCell(openIndex + 1)}>
            <ArrowRight aria-hidden size={16} />
          </IconButton>
        </div>
      )}
      <p aria-live="polite" className="sr-only">
        {openId !== undefined && `${getCellName(cell)}, ${openIndex + 1} of ${cells.length}`}
      </p>
    </section>
  )
}

function CellIcon({ cell }: { cell: FrameCell }) {
  if (cell.kind === 'gallery') return <Images aria-hidden size={15} strokeWidth={1.75} />
  if (cell.kind === 'form') return <SlidersHorizontal aria-hidden size={15} strokeWidth={1.75} />
  return <FrameIcon name={cell.frames[0].data.icon} />
}
