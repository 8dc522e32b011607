import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useSearchParams } from 'react-router'
import { canActInDomain } from '#contract/domains/domain-actions.ts'
import { domainSetups } from '#contract/domains/domain-setup.ts'
import type { Domain } from '#contract/domains/domains.ts'
import { demoIds } from '#contract/samples/demo-ids.ts'
import { sampleDomain, sampleSetup } from '#contract/samples/sample-domain.ts'
import { useAuth } from '#web/accounts/auth-provider.tsx'
import { call } from '#web/api/api.ts'
import { domainsKey, useMyDomains } from '#web/queries/use-my-domains.ts'
import { useCrumb } from '#web/shell/crumb.ts'
import { LinkButton } from '#web/ui/controls/link-button.tsx'
import { EmptyPanel } from '#web/ui/panels/empty-panel.tsx'
import { ErrorPanel } from '#web/ui/panels/error-panel.tsx'
import { Skeleton, SkeletonGroup } from '#web/ui/panels/skeleton.tsx'
import { DomainBoard, type SetupChoice } from './domain-board.tsx'

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
