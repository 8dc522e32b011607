import { useQuery } from '@tanstack/react-query'
import { demoIds } from '#contract/samples/demo-ids.ts'
import { sampleDomainPeople } from '#contract/samples/sample-people.ts'
import { useMyDomains } from '#web/queries/use-my-domains.ts'
import { ErrorPanel } from '#web/ui/panels/error-panel.tsx'
import { PageHeader } from '#web/ui/panels/page-header.tsx'
import { Skeleton, SkeletonGroup } from '#web/ui/panels/skeleton.tsx'
import { PeopleBoard } from './people-board.tsx'
import { peopleQuery, toBoardDomain, usePeopleBoardRoute } from './people-board-data.ts'

export function PeopleBoardPage() {
  const { personId } = usePeopleBoardRoute()
  return personId === demoIds.people ? <PeopleBoard board={sampleDomainPeople} /> : <CurrentPeopleBoard />
}

function CurrentPeopleBoard() {
  const { domainId } = usePeopleBoardRoute()
  const list = useQuery(peopleQuery(domainId))
  const myDomains = useMyDomains()
  const failedQuery = [list, myDomains].find(({ error, data }) => error && !data)

  if (failedQuery)
    return (
      <>
        <PageHeader title="People Management" />
        <ErrorPanel
          title="Failed to Load People Board"
          retryLabel="Try Again"
          onRetry={() => void Promise.all([list.refetch(), myDomains.refetch()])}
          retrying={list.isFetching || myDomains.isFetching}
          reason={failedQuery.error}
        >
          {failedQuery.error?.message}
        </ErrorPanel>
      </>
    )
  if (!list.data || !myDomains.data)
    return (
      <>
        <PageHeader title="People Management" />
        <SkeletonGroup label="Loading People Board" className="flex flex-col gap-5">
          <p aria-hidden className="font-serif text-read text-muted-foreground italic">
            Loading People Board
          </p>
          <Skeleton className="h-16" />
          <Skeleton className="h-9" />
          <Skeleton className="h-96" />
        </SkeletonGroup>
      </>
    )
  return <PeopleBoard board={{ ...list.data, domains: myDomains.data.map(toBoardDomain) }} />
}
