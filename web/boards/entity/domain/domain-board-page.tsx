import { Check } from 'lucide-react'
import { useSearchParams } from 'react-router'
import { canActInDomain } from '#contract/domains/domain-actions.ts'
import { type DomainSetup, setupFlags } from '#contract/domains/domain-setup.ts'
import { type Domain, getOwnRole } from '#contract/domains/domains.ts'
import { demoIds } from '#contract/samples/demo-ids.ts'
import { sampleDomain, sampleSetup } from '#contract/samples/sample-domain.ts'
import { useAuth } from '#web/accounts/auth-provider.tsx'
import { useCrumb } from '#web/page/crumb.ts'
import { useMyDomains } from '#web/queries/use-my-domains.ts'
import { LinkButton } from '#web/ui/controls/link-button.tsx'
import { useNotice } from '#web/ui/hooks/use-notice.tsx'
import { Badge } from '#web/ui/panels/badge.tsx'
import { Banner } from '#web/ui/panels/banner.tsx'
import { EmptyPanel } from '#web/ui/panels/empty-panel.tsx'
import { PageHeader } from '#web/ui/panels/page-header.tsx'
import { withNames } from '#web/ui/text/with-names.tsx'
import { BoardPending, SampleNote } from '../board-states.tsx'
import { StepWizard } from '../step-wizard.tsx'
import { type SetupChoice, SetupRing, useDomainSetup } from './domain-setup.tsx'
import { StepPanel } from './step-panel.tsx'

export function DomainBoardPage() {
  const [query] = useSearchParams()
  const domainId = query.get('domainId')
  if (domainId === demoIds.domain) return <DomainBoard domain={sampleDomain} setup={sampleSetup} />
  return <CurrentDomainBoard domainId={domainId} />
}

function CurrentDomainBoard({ domainId }: { domainId: string | null }) {
  const { user } = useAuth()
  const domainsQuery = useMyDomains()
  const domain =
    domainsQuery.data && (domainId ? domainsQuery.data.find(({ id }) => id === domainId) : domainsQuery.data[0])
  useCrumb(domain?.name)

  if (!domainsQuery.data) return <BoardPending queries={[domainsQuery]} />
  if (!domain) {
    return (
      <EmptyPanel title="Domain not found" action={<LinkButton to="/root/domain">Your domains</LinkButton>}>
        This domain was deleted, or you’re no longer a member.
      </EmptyPanel>
    )
  }
  const role = getOwnRole(domain)
  if (!canActInDomain(role, 'setUp')) {
    return (
      <EmptyPanel
        title={withNames`You can’t set up ${domain.name}`}
        action={<LinkButton to={`/root/domain/${domain.id}`}>Shared content</LinkButton>}
      >
        Only the domain’s owner and admins can.
      </EmptyPanel>
    )
  }
  return user && <EditableDomainBoard key={domain.id} domain={domain} personId={user.id} />
}

function EditableDomainBoard({ domain, personId }: { domain: Domain; personId: string }) {
  const { setup, saveChoice, failure } = useDomainSetup(domain.id)
  if (!setup.data) return <BoardPending queries={[setup]} />
  return (
    <DomainBoard
      domain={domain}
      personId={personId}
      setup={setup.data}
      isSaving={saveChoice.isPending}
      failure={failure?.message}
      onSave={saveChoice.mutate}
    />
  )
}

const stepTitles = ['Domain information', 'First steps', 'Members', 'Custom domain'] as const

interface DomainBoardProps {
  domain: Domain
  setup: DomainSetup
  /** Absent for the read-only sample. */
  personId?: string | undefined
  isSaving?: boolean
  failure?: string | undefined
  onSave?: (choice: SetupChoice) => void
}

function DomainBoard({ domain, setup, personId, isSaving = false, failure, onSave = () => {} }: DomainBoardProps) {
  const isSample = personId === undefined
  const { showNotice, noticeBanner } = useNotice('mb-4')
  const isDone = (step: number) => setup[setupFlags[step] ?? 'domainInfo']
  const isLastDone = isDone(stepTitles.length - 1)
  const steps = stepTitles.map((title, index) => ({
    title,
    mark: isDone(index) && (
      <span
        aria-hidden
        className="grid size-6 shrink-0 place-items-center rounded-full bg-primary text-primary-foreground"
      >
        <Check size={14} />
      </span>
    ),
    note: <span className="sr-only">{isDone(index) ? ', done' : ', not done'}</span>,
    skipLabel: isDone(index) ? undefined : 'Skip for now',
  }))
  return (
    <>
      <PageHeader
        leading={<SetupRing percent={setup.percent} />}
        title={domain.name}
        badges={isSample && <Badge tone="warning">sample</Badge>}
        subtitle={
          setup.next === null
            ? 'Everything is set up. You can still change each step.'
            : 'Set up your domain step by step. You can skip a step and come back any time.'
        }
      />
      {isSample && <SampleNote />}
      {noticeBanner}
      {failure && (
        <Banner tone="error" className="mb-4">
          {failure}
        </Banner>
      )}
      <StepWizard
        label="Setup"
        steps={steps}
        initialStep={setup.next ?? 0}
        className="grid-cols-[220px_minmax(0,1fr)]"
        finish={
          !isSample && (
            <LinkButton to={`/root/domain?domain=${domain.id}`} variant={isLastDone ? 'primary' : 'outline'}>
              {isLastDone ? 'Finish' : 'Finish later'}
            </LinkButton>
          )
        }
      >
        {(step) => (
          <StepPanel
            step={step}
            domain={domain}
            setup={setup}
            personId={personId}
            disabled={isSample || isSaving}
            onSave={onSave}
            showNotice={showNotice}
          />
        )}
      </StepWizard>
    </>
  )
}
