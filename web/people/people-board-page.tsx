import { useQuery } from '@tanstack/react-query'
import {
  emailListProblem,
  emailsIn,
  mostEmails,
  problemsByEmail,
  withEmails,
} from '#web/domains/invitations/email-list.ts'
import { InvitedLinks } from '#web/domains/invitations/invited-links.tsx'
import { ErrorPanel } from '#web/ui/error-panel.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'
import { Skeleton, SkeletonGroup } from '#web/ui/skeleton.tsx'
import { useMyDomains } from '#web/use-my-domains.ts'
import { boardDomain, peopleQuery } from './board.ts'
import { samplesId, useBoardAddress } from './board-address.ts'
import { PeopleBoard } from './people-board.tsx'
import { sampleBoard } from './sample-board.ts'
import type { Inviting } from './wizard/people-wizard.tsx'

const inviting: Inviting = {
  addressesIn: (text) => withEmails([], emailsIn(text)),
  problemOf: emailListProblem,
  problemsByAddress: problemsByEmail,
  mostAtOnce: mostEmails,
  Links: InvitedLinks,
}

/** `?personId=` opens a person, `?domainId=` filters by domain, `?personId=demo-people` shows the sample. */
export function PeopleBoardPage() {
  const { personId } = useBoardAddress()
  return personId === samplesId ? <PeopleBoard board={sampleBoard} inviting={inviting} /> : <OwnPeople />
}

function OwnPeople() {
  const { domainId } = useBoardAddress()
  const list = useQuery(peopleQuery(domainId))
  const mine = useMyDomains()
  const failed = [list, mine].find(({ error, data }) => error && !data)

  if (failed)
    return (
      <>
        <PageHeader title="People Management" />
        <ErrorPanel
          title="Failed to Load People Board"
          retryLabel="Try Again"
          onRetry={() => void Promise.all([list.refetch(), mine.refetch()])}
          retrying={list.isFetching || mine.isFetching}
          reason={failed.error}
        >
          {failed.error?.message}
        </ErrorPanel>
      </>
    )
  if (!list.data || !mine.data)
    return (
      <>
        <PageHeader title="People Management" />
        <SkeletonGroup label="Loading People Board" className="flex flex-col gap-5">
          <p aria-hidden className="font-serif text-read text-muted-foreground italic">
            Loading People Board
          </p>
          <Skeleton className="h-16" />
          <div className="grid grid-cols-[190px_minmax(0,1fr)] gap-6 phone:grid-cols-1">
            <Skeleton className="h-56 phone:hidden" />
            <Skeleton className="h-96" />
          </div>
        </SkeletonGroup>
      </>
    )
  return <PeopleBoard board={{ ...list.data, domains: mine.data.map(boardDomain) }} inviting={inviting} />
}
