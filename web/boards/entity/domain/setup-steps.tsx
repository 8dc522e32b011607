import { Check } from 'lucide-react'
import { type DomainSetup, setupFlags } from '#contract/domains/domain-setup.ts'

export const stepTitles = ['Domain information', 'First steps', 'Members', 'Custom domain'] as const

interface SetupStepsProps {
  setup: DomainSetup
  /** 0 to 3. */
  step: number
  onStep: (step: number) => void
}

export function SetupSteps({ setup, step, onStep }: SetupStepsProps) {
  return (
    <ol aria-label="Steps" className="grid gap-1 phone:grid-cols-2">
      {stepTitles.map((title, index) => {
        const done = setup[setupFlags[index] ?? 'domainInfo']
        return (
          <li key={title}>
            <button
              type="button"
              onClick={() => onStep(index)}
              aria-current={index === step ? 'step' : undefined}
              className="flex w-full items-center gap-2.5 rounded-md px-2.5 py-2 text-left text-ui text-muted-foreground hover:bg-secondary hover:text-foreground aria-[current]:bg-secondary aria-[current]:font-semibold aria-[current]:text-foreground"
            >
              <span
                aria-hidden
                className={
                  done
                    ? 'grid size-6 shrink-0 place-items-center rounded-full bg-primary text-primary-foreground'
                    : 'grid size-6 shrink-0 place-items-center rounded-full border border-input text-small tabular-nums'
                }
              >
                {done ? <Check size={14} /> : index + 1}
              </span>
              <span className="min-w-0">
                {title}
                <span className="sr-only">{done ? ', done' : ', not done'}</span>
              </span>
            </button>
          </li>
        )
      })}
    </ol>
  )
}
