import { ArrowLeft, ArrowRight } from 'lucide-react'
import { type KeyboardEvent, useRef, useState } from 'react'
import { Button } from '#web/ui/controls/button.tsx'
import { handlesArrowKeys } from '#web/ui/fields/is-typing.ts'
import { classNames } from '#web/ui/hooks/class-names.ts'
import { CellView } from './cell-view.tsx'
import { type FrameCell, getCellName } from './presentation.ts'
import { getEnterAnimation, usePreview } from './preview-context.ts'

const maxStepMarks = 12

export function WizardLayout({ cells }: { cells: readonly FrameCell[] }) {
  const { animation } = usePreview()
  const [openId, setOpenId] = useState<string>()
  const heading = useRef<HTMLHeadingElement>(null)
  // If the open frame was deleted, go back to the first step.
  const stepIndex = Math.max(
    0,
    cells.findIndex(({ frames }) => frames.some(({ id }) => id === openId)),
  )
  const cell = cells[stepIndex]
  if (!cell) return null

  function goToStep(targetIndex: number) {
    const next = cells[Math.max(0, Math.min(cells.length - 1, targetIndex))]
    if (!next || next === cell) return
    setOpenId(next.frames[0].id)
    heading.current?.focus({ preventScroll: true })
    heading.current?.scrollIntoView({ block: 'nearest' })
  }
  function handleKeyDown(event: KeyboardEvent) {
    const targetIndex = { ArrowLeft: stepIndex - 1, ArrowRight: stepIndex + 1, Home: 0, End: cells.length - 1 }[
      event.key
    ]
    const isInsideFrame = event.target instanceof Element && event.target.closest('[data-frame]') !== null
    if (
      targetIndex === undefined ||
      isInsideFrame ||
      handlesArrowKeys(event.target) ||
      event.altKey ||
      event.ctrlKey ||
      event.metaKey
    )
      return
    event.preventDefault()
    goToStep(targetIndex)
  }

  const isFrame = cell.kind === 'frame'
  return (
    <section aria-label="Steps" onKeyDown={handleKeyDown} className="mx-auto flex max-w-[860px] flex-col gap-4">
      <header>
        <h2
          ref={heading}
          tabIndex={-1}
          className="text-[22px] leading-[28px] wrap-break-word text-(--board-text) outline-none"
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
      <footer className="flex justify-between gap-2">
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
        {openId !== undefined && `Step ${stepIndex + 1} of ${cells.length}: ${getCellName(cell)}`}
      </p>
    </section>
  )
}
