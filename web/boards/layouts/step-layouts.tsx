import { ArrowLeft, ArrowRight, Images, SlidersHorizontal } from 'lucide-react'
import { type KeyboardEvent, useRef, useState } from 'react'
import { Button } from '#web/ui/controls/button.tsx'
import { IconButton } from '#web/ui/controls/icon-button.tsx'
import { handlesArrowKeys } from '#web/ui/fields/field-keys.ts'
import { classNames } from '#web/ui/hooks/class-names.ts'
import { FrameIcon } from '../frames/frame-icons.tsx'
import { CellView } from './cell-view.tsx'
import { type FrameCell, getCellName } from './presentation.ts'
import { getEnterAnimation, usePreview } from './preview-context.tsx'

const maxStepMarks = 12

/** Starts with the first cell, and goes back to it if the open frame was deleted. */
function useOpenCell(cells: readonly FrameCell[]) {
  // A frame's id, because frames can regroup into other cells.
  const [openFrameId, setOpenFrameId] = useState<string>()
  const openIndex = Math.max(
    0,
    cells.findIndex(({ frames }) => frames.some(({ id }) => id === openFrameId)),
  )
  return { openFrameId, setOpenFrameId, openIndex, cell: cells[openIndex] }
}

const hasModifier = ({ altKey, ctrlKey, metaKey }: KeyboardEvent) => altKey || ctrlKey || metaKey

export function WizardLayout({ cells }: { cells: readonly FrameCell[] }) {
  const { animation } = usePreview()
  const { openFrameId, setOpenFrameId, openIndex: stepIndex, cell } = useOpenCell(cells)
  const heading = useRef<HTMLHeadingElement>(null)
  if (!cell) return null

  function goToStep(targetIndex: number) {
    const next = cells[Math.max(0, Math.min(cells.length - 1, targetIndex))]
    if (!next || next === cell) return
    setOpenFrameId(next.frames[0].id)
    heading.current?.focus({ preventScroll: true })
    heading.current?.scrollIntoView({ block: 'nearest' })
  }
  function handleKeyDown(event: KeyboardEvent) {
    const targetIndex = { ArrowLeft: stepIndex - 1, ArrowRight: stepIndex + 1, Home: 0, End: cells.length - 1 }[
      event.key
    ]
    const isInsideFrame = event.target instanceof Element && event.target.closest('[data-frame]') !== null
    if (targetIndex === undefined || hasModifier(event)) return
    if (isInsideFrame || handlesArrowKeys(event.target)) return
    event.preventDefault()
    goToStep(targetIndex)
  }

  const isFrame = cell.kind === 'frame'
  return (
    <section aria-label="Steps" onKeyDown={handleKeyDown} className="mx-auto flex max-w-[860px] flex-col gap-4">
      <header>
        <h2
          dir="auto"
          ref={heading}
          tabIndex={-1}
          className="text-[1.375rem] leading-[1.75rem] wrap-break-word text-(--board-text) outline-none"
        >
          {getCellName(cell)}
        </h2>
        <div className="mt-1.5 flex items-center gap-3">
          <p className="shrink-0 text-ui text-(--board-text) tabular-nums">{`Step ${stepIndex + 1} of ${cells.length}`}</p>
          <div
            role="progressbar"
            aria-label="Progress"
            aria-valuemin={0}
            aria-valuemax={cells.length}
            aria-valuenow={stepIndex + 1}
            aria-valuetext={`Step ${stepIndex + 1} of ${cells.length}`}
            className="h-1.5 min-w-0 grow overflow-hidden rounded-full border border-(--board-border) bg-card"
          >
            <div
              className="h-full rounded-full bg-(--board-primary) transition-[width] duration-300 ease-fade"
              style={{ width: `${((stepIndex + 1) / cells.length) * 100}%` }}
            />
          </div>
        </div>
        {cells.length > 1 && cells.length <= maxStepMarks && (
          <ol aria-label="Go to a step" className="mt-2.5 flex flex-wrap gap-1.5">
            {cells.map((stepCell, index) => (
              <li key={stepCell.frames[0].id}>
                <button
                  type="button"
                  aria-label={`Step ${index + 1}: ${getCellName(stepCell)}`}
                  title={getCellName(stepCell)}
                  aria-current={index === stepIndex ? 'step' : undefined}
                  onClick={() => goToStep(index)}
                  className={classNames(
                    'grid h-7 min-w-7 place-items-center rounded-full border px-2 text-small font-semibold tabular-nums phone:h-10 phone:min-w-10',
                    index === stepIndex
                      ? 'border-(--board-primary) bg-(--board-primary) text-(--board-button-text)'
                      : 'border-(--board-border) bg-card text-card-foreground hover:bg-muted',
                  )}
                >
                  {index + 1}
                </button>
              </li>
            ))}
          </ol>
        )}
      </header>
      <div key={cell.frames[0].id} {...getEnterAnimation(animation)}>
        <div className={isFrame ? 'h-[clamp(320px,56dvh,640px)]' : undefined}>
          <CellView cell={cell} />
        </div>
      </div>
      <footer className="flex flex-wrap justify-between gap-2">
        <Button
          icon={<ArrowLeft aria-hidden size={15} />}
          disabled={stepIndex === 0}
          onClick={() => goToStep(stepIndex - 1)}
        >
          Back
        </Button>
        <Button
          variant="primary"
          icon={<ArrowRight aria-hidden size={15} />}
          disabled={stepIndex === cells.length - 1}
          onClick={() => goToStep(stepIndex + 1)}
        >
          Next
        </Button>
      </footer>
      <p aria-live="polite" className="sr-only">
        {openFrameId !== undefined && `Step ${stepIndex + 1} of ${cells.length}: ${getCellName(cell)}`}
      </p>
    </section>
  )
}

/** One large frame above a strip of cards. */
export function FocusLayout({ cells }: { cells: readonly FrameCell[] }) {
  const { animation } = usePreview()
  const { openFrameId, setOpenFrameId, openIndex, cell } = useOpenCell(cells)
  const strip = useRef<HTMLUListElement>(null)
  if (!cell) return null

  function openCell(targetIndex: number, { movesFocus = false } = {}) {
    const next = cells[(targetIndex + cells.length) % cells.length]
    if (!next) return
    setOpenFrameId(next.frames[0].id)
    const card = strip.current?.querySelectorAll('button')[cells.indexOf(next)]
    if (movesFocus) card?.focus()
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
    if (targetIndex === undefined || hasModifier(event)) return
    event.preventDefault()
    openCell(targetIndex, { movesFocus: true })
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
                  <span dir="auto" className="w-full truncate text-small font-semibold">
                    {getCellName(stripCell)}
                  </span>
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
        {openFrameId !== undefined && `${getCellName(cell)}, ${openIndex + 1} of ${cells.length}`}
      </p>
    </section>
  )
}

function CellIcon({ cell }: { cell: FrameCell }) {
  if (cell.kind === 'gallery') return <Images aria-hidden size={15} strokeWidth={1.75} />
  if (cell.kind === 'form') return <SlidersHorizontal aria-hidden size={15} strokeWidth={1.75} />
  return <FrameIcon name={cell.frames[0].data.icon} />
}
