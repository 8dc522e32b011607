import { Check, Circle, Minus } from 'lucide-react'
import { Suspense } from 'react'
import { canActInDomain } from '#contract/domains/domain-actions.ts'
import { type DomainSetup, setupFlags, setupSteps } from '#contract/domains/domain-setup.ts'
import { type Domain, getOwnRole } from '#contract/domains/domains.ts'
import { MemberPanel } from '#web/domains/members/member-panel.tsx'
import { Button } from '#web/ui/controls/button.tsx'
import { LinkButton } from '#web/ui/controls/link-button.tsx'
import { Switch } from '#web/ui/controls/switch.tsx'
import type { ShowNotice } from '#web/ui/hooks/use-notice.tsx'
import { lazyComponent } from '#web/ui/panels/lazy-component.tsx'
import { Skeleton } from '#web/ui/panels/skeleton.tsx'
import { FrameDetailList } from '../../frames/frame-parts.tsx'
import type { SetupChoice } from './domain-setup.tsx'
import { InPlaceDomainForm } from './in-place-domain-form.tsx'

const InvitationPanel = lazyComponent(
  async () => (await import('#web/domains/invitations/invitation-panel.tsx')).InvitationPanel,
)
const CustomDomainPanel = lazyComponent(
  async () => (await import('#web/domains/custom-domain-panel.tsx')).CustomDomainPanel,
  <Skeleton className="h-24" />,
)

interface StepPanelProps {
  /** Index in `setupFlags`. */
  step: number
  domain: Domain
  setup: DomainSetup
  personId: string | undefined
  disabled: boolean
  onSave: (choice: SetupChoice) => void
  showNotice: ShowNotice
}

export function StepPanel({ step, domain, setup, personId, disabled, onSave, showNotice }: StepPanelProps) {
  const role = getOwnRole(domain) ?? 'connection'
  const isSample = personId === undefined
  const flag = setupFlags[step]
  if (flag === 'domainInfo') {
    if (isSample) {
      const { name, slug, description } = domain
      return <FrameDetailList details={Object.entries({ Name: name, Slug: slug, Description: description })} />
    }
    return (
      <>
        <p className="mb-4 text-muted-foreground">A domain has a name, a slug and a short description.</p>
        <InPlaceDomainForm domain={domain} onSaved={() => showNotice('success', 'Domain saved successfully')} />
      </>
    )
  }
  if (flag === 'setupSteps') {
    return (
      <DomainFirstSteps
        setup={setup}
        isOwner={personId === domain.ownerId}
        disabled={disabled}
        onSkip={(skipped) => onSave({ skipped })}
      />
    )
  }
  if (flag === 'members') {
    return (
      <>
        <Switch
          label="Just me"
          help="No one else for now. You can add members any time."
          checked={setup.justMe}
          disabled={disabled}
          onCheckedChange={(justMe) => onSave({ justMe })}
        />
        {personId !== undefined && (
          <Suspense fallback={<Skeleton className="mt-4 h-24" />}>
            <MemberPanel domain={domain} role={role} personId={personId} showNotice={showNotice} />
            <div className="mt-6 border-t border-border pt-5">
              <InvitationPanel domain={domain} />
            </div>
          </Suspense>
        )}
      </>
    )
  }
  return (
    <>
      <Switch
        label="Not now"
        help="The domain works without a custom domain."
        checked={setup.noCustomDomain}
        disabled={disabled}
        onCheckedChange={(noCustomDomain) => onSave({ noCustomDomain })}
      />
      {!isSample && canActInDomain(role, 'seeCustomDomain') && (
        <div className="mt-5">
          <CustomDomainPanel domain={domain} />
        </div>
      )}
    </>
  )
}

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
  /** Whether the viewer owns the domain: only the owner gets the links; admins can still skip steps. */
  isOwner: boolean
  disabled: boolean
  onSkip: (skipped: DomainSetupStep[]) => void
}

function DomainFirstSteps({ setup, isOwner, disabled, onSkip }: DomainFirstStepsProps) {
  const skipped = setupSteps.filter((step) => setup.steps[step].skipped)
  return (
    <ul className="divide-y divide-hairline">
      {setupSteps.map((step) => {
        const { done, skipped: isSkipped } = setup.steps[step]
        const { title, description, to, actionLabel } = stepTexts[step]
        const PendingIcon = isSkipped ? Minus : Circle
        const StatusIcon = done ? Check : PendingIcon
        const pendingText = isSkipped ? 'Skipped for now.' : description
        return (
          <li key={step} className="flex flex-wrap items-center gap-x-4 gap-y-2 py-3 first:pt-0 last:pb-0">
            <StatusIcon
              aria-hidden
              size={18}
              className={done ? 'shrink-0 text-primary' : 'shrink-0 text-muted-foreground'}
            />
            <div className="min-w-0 flex-1 basis-56">
              <p dir="auto" className="font-semibold">
                {title}
              </p>
              <p className="text-small text-muted-foreground">{done ? 'Done.' : pendingText}</p>
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
