import { Check, Circle, Minus } from 'lucide-react'
import { type DomainSetup, setupSteps } from '#contract/domains/domain-setup.ts'
import { Button } from '#web/ui/controls/button.tsx'
import { LinkButton } from '#web/ui/controls/link-button.tsx'

type DomainSetupStep = (typeof setupSteps)[number]

const stepTexts: Record<DomainSetupStep, { title: string; description: string; to: string; actionLabel: string }> = {
  keeper: {
    title: 'A first keeper',
    description: 'Somewhere to keep moments and reflections.',
    to: '/keeper/new',
    actionLabel: 'Create a keeper',
  },
  agent: {
    title: 'A first agent',
    description: 'An agent answers from your keepers, once you allow it.',
    to: '/studio/agents?tab=agent',
    actionLabel: 'Create an agent',
  },
  theme: {
    title: 'A theme',
    description: 'How your pages look, in light and dark.',
    to: '/studio/themes',
    actionLabel: 'Choose one',
  },
  key: {
    title: 'Your own key',
    description: 'With a key from a model provider, agents give real answers, billed to you.',
    to: '/root/api-keys',
    actionLabel: 'Save a key',
  },
}

interface DomainFirstStepsProps {
  setup: DomainSetup
  /** Whether the viewer owns the domain; admins only see the progress. */
  isOwner: boolean
  disabled: boolean
  onSkip: (skipped: DomainSetupStep[]) => void
}

export function DomainFirstSteps({ setup, isOwner, disabled, onSkip }: DomainFirstStepsProps) {
  const skipped = setupSteps.filter((step) => setup.steps[step].skipped)
  return (
    <ul className="divide-y divide-hairline">
      {setupSteps.map((step) => {
        const { done, skipped: isSkipped } = setup.steps[step]
        const { title, description, to, actionLabel } = stepTexts[step]
        const StatusIcon = done ? Check : isSkipped ? Minus : Circle
        return (
          <li key={step} className="flex flex-wrap items-center gap-x-4 gap-y-2 py-3 first:pt-0 last:pb-0">
            <StatusIcon
              aria-hidden
              size={18}
              className={done ? 'shrink-0 text-primary' : 'shrink-0 text-muted-foreground'}
            />
            <div className="min-w-0 flex-1 basis-56">
              <p className="font-semibold">{title}</p>
              <p className="text-small text-muted-foreground">
                {done ? 'Done.' : isSkipped ? 'Skipped for now.' : description}
              </p>
            </div>
            {!done && (
              <div className="flex flex-wrap gap-2">
                <Button
                  variant="plain"
                  disabled={disabled}
                  aria-label={isSkipped ? `Don’t skip: ${title}` : `Skip: ${title}`}
                  onClick={() =>
                    onSkip(isSkipped ? skipped.filter((skippedStep) => skippedStep !== step) : [...skipped, step])
                  }
                >
                  {isSkipped ? 'Don’t skip' : 'Skip'}
                </Button>
                {isOwner && <LinkButton to={to}>{actionLabel}</LinkButton>}
              </div>
            )}
          </li>
        )
      })}
    </ul>
  )
}
