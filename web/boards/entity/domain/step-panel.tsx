import { lazy, Suspense, useState } from 'react'
import { canActInDomain } from '#contract/domains/domain-actions.ts'
import type { DomainSetup } from '#contract/domains/domain-setup.ts'
import { type Domain, getRoleIn } from '#contract/domains/domains.ts'
import type { Notify } from '#web/domains/domain-detail.tsx'
import { DomainForm } from '#web/domains/domain-form.tsx'
import { MemberPanel } from '#web/domains/members/member-panel.tsx'
import { Switch } from '#web/ui/controls/switch.tsx'
import { Skeleton } from '#web/ui/panels/skeleton.tsx'
import type { SetupChoice } from './domain-board.tsx'
import { DomainFirstSteps } from './domain-first-steps.tsx'

const InvitationPanel = lazy(() =>
  import('#web/domains/invitations/invitation-panel.tsx').then((m) => ({ default: m.InvitationPanel })),
)
const CustomDomainPanel = lazy(() =>
  import('#web/domains/custom-domain-panel.tsx').then((m) => ({ default: m.CustomDomainPanel })),
)

interface StepPanelProps {
  step: number
  domain: Domain
  setup: DomainSetup
  personId: string | undefined
  disabled: boolean
  onChoose: (choice: SetupChoice) => void
  notify: Notify
}

export function StepPanel({ step, domain, setup, personId, disabled, onChoose, notify }: StepPanelProps) {
  // The key resets the form to the saved values.
  const [saveCount, setSaveCount] = useState(0)
  const role = getRoleIn(domain, personId) ?? 'connection'
  const isSample = personId === undefined
  if (step === 0) {
    if (isSample) return <DomainDetails domain={domain} />
    return (
      <>
        <p className="mb-4 text-muted-foreground">A domain has a name, a slug and a short description.</p>
        <DomainForm
          key={saveCount}
          domain={domain}
          onSaved={() => {
            setSaveCount((count) => count + 1)
            notify('success', 'Domain saved successfully')
          }}
          onCancel={() => setSaveCount((count) => count + 1)}
        />
      </>
    )
  }
  if (step === 1) {
    return (
      <DomainFirstSteps
        setup={setup}
        isOwner={personId === domain.ownerId}
        disabled={disabled}
        onSkip={(skipped) => onChoose({ skipped })}
      />
    )
  }
  if (step === 2) {
    return (
      <>
        <Switch
          label="Just me"
          help="No one else for now. You can add members any time."
          checked={setup.justMe}
          disabled={disabled}
          onCheckedChange={(justMe) => onChoose({ justMe })}
        />
        {personId !== undefined && (
          <Suspense fallback={<Skeleton className="mt-4 h-24" />}>
            <MemberPanel domain={domain} role={role} personId={personId} notify={notify} />
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
        onCheckedChange={(noCustomDomain) => onChoose({ noCustomDomain })}
      />
      {!isSample && canActInDomain(role, 'seeCustomDomain') && (
        <div className="mt-5">
          <Suspense fallback={<Skeleton className="h-24" />}>
            <CustomDomainPanel domain={domain} personId={personId} />
          </Suspense>
        </div>
      )}
    </>
  )
}

function DomainDetails({ domain }: { domain: Domain }) {
  return (
    <dl className="grid gap-3">
      {[
        ['Name', domain.name],
        ['Slug', domain.slug],
        ['Description', domain.description],
      ].map(([term, text]) => (
        <div key={term}>
          <dt className="text-small text-muted-foreground">{term}</dt>
          <dd>{text}</dd>
        </div>
      ))}
    </dl>
  )
}
