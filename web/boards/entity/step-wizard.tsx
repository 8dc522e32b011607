import { ArrowLeft, ArrowRight } from 'lucide-react'
import { type ReactNode, useEffect, useRef } from 'react'
import { useSearchParams } from 'react-router'
import { changeParams } from '#web/page/use-address-params.ts'
import { Button } from '#web/ui/controls/button.tsx'
import { classNames } from '#web/ui/hooks/class-names.ts'
import { Card } from '#web/ui/panels/card.tsx'

interface WizardStep {
  title: string
  /** Replaces the number. */
  mark?: ReactNode
  /** After the title. */
  note?: ReactNode
  /** Label of the button to the next step; without one it is a primary "Next". */
  skipLabel?: string | undefined
}

interface StepWizardProps {
  label: string
  steps: readonly WizardStep[]
  /** Shown without `?step=`. */
  initialStep?: number
  onMove?: () => void
  /** Above the card. */
  notices?: ReactNode
  /** Replaces the button to the next step in the last one. */
  finish: ReactNode
  className: string
  children: (step: number) => ReactNode
}

/** Steps in any order; `?step=` is the index of the open one. */
export function StepWizard(props: StepWizardProps) {
  const { label, steps, initialStep = 0, onMove, notices, finish, className, children } = props
  const [query, setQuery] = useSearchParams()
  const heading = useRef<HTMLHeadingElement>(null)
  const hasMoved = useRef(false)
  const firstStep = useRef(initialStep)
  const requestedStep = Number.parseInt(query.get('step') ?? '', 10)
  const lastStep = steps.length - 1
  const step = requestedStep >= 0 && requestedStep <= lastStep ? requestedStep : firstStep.current
  const { title, skipLabel } = steps[step] ?? {}

  // Keyboard and screen reader users start at the top of the step.
  // biome-ignore lint/correctness/useExhaustiveDependencies: focus moves when the step changes
  useEffect(() => {
    if (hasMoved.current) heading.current?.focus()
  }, [step])

  function goTo(next: number) {
    hasMoved.current = true
    onMove?.()
    setQuery((params) => changeParams(params, { step: String(next) }), { replace: true })
  }

  return (
    <div className={classNames('grid items-start gap-6 phone:grid-cols-1 phone:gap-4', className)}>
      <nav aria-label={label}>
        <ol aria-label="Steps" className="grid gap-1 phone:grid-cols-2">
          {steps.map((wizardStep, index) => (
            <li key={wizardStep.title}>
              <button
                type="button"
                onClick={() => goTo(index)}
                aria-current={index === step ? 'step' : undefined}
                className="flex w-full items-center gap-2.5 rounded-md px-2.5 py-2 text-start text-ui text-muted-foreground hover:bg-secondary hover:text-foreground aria-[current]:bg-secondary aria-[current]:font-semibold aria-[current]:text-foreground"
              >
                {wizardStep.mark || (
                  <span
                    aria-hidden
                    className="grid size-6 shrink-0 place-items-center rounded-full border border-input text-small tabular-nums"
                  >
                    {index + 1}
                  </span>
                )}
                <span className="min-w-0 flex-1">{wizardStep.title}</span>
                {wizardStep.note}
              </button>
            </li>
          ))}
        </ol>
      </nav>
      <div className="min-w-0">
        {notices}
        <Card className="min-h-64">
          <p className="text-small text-muted-foreground">{`Step ${step + 1} of ${steps.length}`}</p>
          <h2 dir="auto" ref={heading} tabIndex={-1} className="mb-4 outline-none">
            {title}
          </h2>
          {children(step)}
        </Card>
        <div className="mt-4 flex flex-wrap justify-between gap-3">
          <Button icon={<ArrowLeft aria-hidden size={14} />} disabled={step === 0} onClick={() => goTo(step - 1)}>
            Previous
          </Button>
          {step < lastStep ? (
            <Button
              variant={skipLabel ? 'outline' : 'primary'}
              icon={<ArrowRight aria-hidden size={14} />}
              className="flex-row-reverse"
              onClick={() => goTo(step + 1)}
            >
              {skipLabel ?? 'Next'}
            </Button>
          ) : (
            finish
          )}
        </div>
      </div>
    </div>
  )
}
