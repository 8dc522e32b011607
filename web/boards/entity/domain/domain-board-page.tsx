import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { ArrowLeft, ArrowRight, Check } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { useSearchParams } from 'react-router'
import { canActInDomain } from '#contract/domains/domain-actions.ts'
import { type DomainSetup, domainSetups, setupFlags } from '#contract/domains/domain-setup.ts'
import type { Domain } from '#contract/domains/domains.ts'
import { demoIds } from '#contract/samples/demo-ids.ts'
import { sampleDomain, sampleSetup } from '#contract/samples/sample-domain.ts'
import { useAuth } from '#web/accounts/auth-provider.tsx'
import { call } from '#web/api/api.ts'
import { NoticeBanner, useNotice } from '#web/domains/notice-banner.tsx'
import { domainsKey, useMyDomains } from '#web/queries/use-my-domains.ts'
import { useCrumb } from '#web/shell/crumb.ts'
import { Button } from '#web/ui/controls/button.tsx'
import { LinkButton } from '#web/ui/controls/link-button.tsx'
import { Badge } from '#web/ui/panels/badge.tsx'
import { Banner } from '#web/ui/panels/banner.tsx'
import { Card } from '#web/ui/panels/card.tsx'
import { EmptyPanel } from '#web/ui/panels/empty-panel.tsx'
import { ErrorPanel } from '#web/ui/panels/error-panel.tsx'
import { PageHeader } from '#web/ui/panels/page-header.tsx'
import { Skeleton, SkeletonGroup } from '#web/ui/panels/skeleton.tsx'
import { SetupRing } from './setup-ring.tsx'
import { StepPanel } from './step-panel.tsx'

export function DomainBoardPage() {
  const [query] = useSearchParams()
  const domainId = query.get('domainId')
  if (domainId === demoIds.domain) return <DomainBoard domain={sampleDomain} setup={sampleSetup} />
  return <CurrentDomainBoard domainId={domainId} />
}

function CurrentDomainBoard({ domainId }: { domainId: string | null }) {
  const { user } = useAuth()
  const list = useMyDomains()
  const domain = list.data && (domainId ? list.data.find(({ id }) => id === domainId) : list.data[0])
  useCrumb(domain?.name)

  if (list.isPending) return <BoardSkeleton />
  if (list.isError && !list.data) {
    return (
      <ErrorPanel
        title="Error Loading Board"
        retryLabel="Try Again"
        onRetry={() => list.refetch()}
        retrying={list.isFetching}
        reason={list.error}
      >
        {list.error.message}
      </ErrorPanel>
    )
  }
  if (!domain) {
    return (
      <EmptyPanel title="Domain not found" action={<LinkButton to="/root/domain">Your domains</LinkButton>}>
        This domain was deleted, or you’re no longer a member.
      </EmptyPanel>
    )
  }
  const role = domain.permissions[0]?.role
  if (!role || !canActInDomain(role, 'setUp')) {
    return (
      <EmptyPanel
        title={`You can’t set up ${domain.name}`}
        action={<LinkButton to={`/root/domain/${domain.id}`}>Shared content</LinkButton>}
      >
        Only the domain’s owner and admins can.
      </EmptyPanel>
    )
  }
  return user && <SetUp key={domain.id} domain={domain} personId={user.id} />
}

function SetUp({ domain, personId }: { domain: Domain; personId: string }) {
  const queryClient = useQueryClient()
  const params = { id: domain.id }
  const queryKey = [...domainsKey, 'setup', domain.id]
  const setup = useQuery({ queryKey, queryFn: ({ signal }) => call(domainSetups.show, { params, signal }) })
  const choose = useMutation({
    mutationFn: (body: SetupChoice) => call(domainSetups.choose, { params, body }),
    onSuccess: (next) => queryClient.setQueryData(queryKey, next),
  })
  if (setup.isPending) return <BoardSkeleton />
  if (setup.isError && !setup.data) {
    return (
      <ErrorPanel
        title="Error Loading Board"
        retryLabel="Try Again"
        onRetry={() => setup.refetch()}
        retrying={setup.isFetching}
        reason={setup.error}
      >
        {setup.error.message}
      </ErrorPanel>
    )
  }
  return (
    <DomainBoard
      domain={domain}
      personId={personId}
      setup={setup.data}
      choosing={choose.isPending}
      failure={choose.error?.message}
      onChoose={choose.mutate}
    />
  )
}

function BoardSkeleton() {
  return (
    <SkeletonGroup className="grid grid-cols-[240px_minmax(0,1fr)] gap-6 phone:grid-cols-1">
      <Skeleton className="h-64" />
      <Skeleton className="h-96" />
    </SkeletonGroup>
  )
}

const stepTitles = ['Domain information', 'First steps', 'Members', 'Custom domain'] as const

interface SetupStepsProps {
  setup: DomainSetup
  /** 0 to 3. */
  step: number
  onStep: (step: number) => void
}

function SetupSteps({ setup, step, onStep }: SetupStepsProps) {
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

export interface SetupChoice {
  justMe?: boolean
  noCustomDomain?: boolean
  skipped?: (keyof DomainSetup['steps'])[]
}

interface DomainBoardProps {
  domain: Domain
  setup: DomainSetup
  /** Absent for the read-only sample. */
  personId?: string | undefined
  choosing?: boolean
  failure?: string | undefined
  onChoose?: (choice: SetupChoice) => void
}

const lastStep = stepTitles.length - 1

export function DomainBoard({
  domain,
  setup,
  personId,
  choosing = false,
  failure,
  onChoose = () => {},
}: DomainBoardProps) {
  const sample = personId === undefined
  const { notice, notify, dismiss } = useNotice()
  const [query, setQuery] = useSearchParams()
  const heading = useRef<HTMLHeadingElement>(null)
  const hasMoved = useRef(false)
  const initialStep = useRef(setup.next ?? 0)
  const requestedStep = Number.parseInt(query.get('step') ?? '', 10)
  const step = requestedStep >= 0 && requestedStep <= lastStep ? requestedStep : initialStep.current

  const isDone = setup[setupFlags[step] ?? 'domainInfo']

  // Keyboard and screen reader users start at the top of the step.
  // biome-ignore lint/correctness/useExhaustiveDependencies: focus moves when the step changes
  useEffect(() => {
    if (hasMoved.current) heading.current?.focus()
  }, [step])

  function goTo(next: number) {
    hasMoved.current = true
    setQuery(
      (params) => {
        params.set('step', String(next))
        return params
      },
      { replace: true },
    )
  }

  return (
    <>
      <PageHeader
        leading={<SetupRing percent={setup.percent} />}
        title={domain.name}
        badges={sample && <Badge tone="warning">sample</Badge>}
        subtitle={
          setup.next === null
            ? 'Everything is set up. You can still change each step.'
            : 'Set up your domain step by step. You can skip a step and come back any time.'
        }
      />
      {sample && (
        <Banner tone="info" className="mb-4">
          This is a read-only sample.
        </Banner>
      )}
      <NoticeBanner notice={notice} onDismiss={dismiss} className="mb-4" />
      {failure && (
        <Banner tone="error" className="mb-4">
          {failure}
        </Banner>
      )}
      <div className="grid grid-cols-[220px_minmax(0,1fr)] items-start gap-6 phone:grid-cols-1 phone:gap-4">
        <nav aria-label="Setup">
          <SetupSteps setup={setup} step={step} onStep={goTo} />
        </nav>
        <div className="min-w-0">
          <Card className="min-h-64">
            <p className="text-small text-muted-foreground">
              Step {step + 1} of {stepTitles.length}
            </p>
            <h2 ref={heading} tabIndex={-1} className="mb-4 outline-none">
              {stepTitles[step]}
            </h2>
            <StepPanel
              step={step}
              domain={domain}
              setup={setup}
              personId={personId}
              disabled={sample || choosing}
              onChoose={onChoose}
              notify={notify}
            />
          </Card>
          <div className="mt-4 flex justify-between gap-3">
            <Button icon={<ArrowLeft aria-hidden size={14} />} disabled={step === 0} onClick={() => goTo(step - 1)}>
              Previous
            </Button>
            {step < lastStep ? (
              <Button
                variant={isDone ? 'primary' : 'outline'}
                icon={<ArrowRight aria-hidden size={14} />}
                className="flex-row-reverse"
                onClick={() => goTo(step + 1)}
              >
                {isDone ? 'Next' : 'Skip for now'}
              </Button>
            ) : (
              !sample && (
                <LinkButton to={`/root/domain?domain=${domain.id}`} variant={isDone ? 'primary' : 'outline'}>
                  {isDone ? 'Finish' : 'Finish later'}
                </LinkButton>
              )
            )}
          </div>
        </div>
      </div>
    </>
  )
}
