import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import type { Domain } from '#contract/domains/domains.ts'
import type { DomainPeople } from '#contract/domains/people.ts'
import { sampleDomainPeople } from '#contract/samples/sample-people.ts'
import { getPeopleBoardPath, peopleQuery, toBoardDomain } from '#web/domains/people/people-board-data.ts'
import { useRoleChanges } from '#web/domains/people/use-role-changes.ts'
import { ActivityFeed } from '#web/domains/people/views/activity-feed.tsx'
import { CollaborationNetwork } from '#web/domains/people/views/collaboration-network.tsx'
import { PeopleOverview, RoleManager } from '#web/domains/people/views/people-overview.tsx'
import { quietLinkClasses } from '#web/ui/controls/quiet-link.ts'
import { Banner } from '#web/ui/panels/banner.tsx'
import { pluralize } from '#web/ui/text/pluralize.ts'
import type { FrameBodyProps } from './frame-bodies.ts'
import { FrameQuery } from './frame-query.tsx'
import { WithDomain } from './with-domain.tsx'

interface FramePeople extends DomainPeople {
  domain: Domain
  isSample: boolean
}

interface WithPeopleProps extends FrameBodyProps {
  children: (people: FramePeople) => ReactNode
}

function WithPeople({ children, ...props }: WithPeopleProps) {
  return (
    <WithDomain {...props}>
      {(domain, isSample) =>
        isSample ? (
          children({ ...sampleDomainPeople, domain, isSample })
        ) : (
          <WithDomainPeople domain={domain}>{children}</WithDomainPeople>
        )
      }
    </WithDomain>
  )
}

function WithDomainPeople({ domain, children }: { domain: Domain; children: WithPeopleProps['children'] }) {
  const query = useQuery(peopleQuery(domain.id))
  return (
    <FrameQuery query={query} entityName="domain">
      {(people) => children({ ...people, domain, isSample: false })}
    </FrameQuery>
  )
}

export function PeopleOverviewFrame(props: FrameBodyProps) {
  return (
    <WithPeople {...props}>
      {({ domain, people, summary, isSample }) => (
        <div className="flex min-h-full flex-col gap-2 px-3 py-2.5">
          <div className="flex flex-wrap items-baseline gap-x-3 gap-y-1">
            <p dir="auto" className="min-w-0 grow font-serif text-lead wrap-anywhere">
              {domain.name}
            </p>
            {!isSample && (
              <Link to={getPeopleBoardPath(domain.id)} className={quietLinkClasses}>
                People board
              </Link>
            )}
          </div>
          <p className="text-small text-muted-foreground">
            {pluralize(summary.active, 'member')}
            {summary.pending > 0 && `, ${summary.pending} pending`}
          </p>
          <PeopleOverview people={people} compact isSample={isSample} />
        </div>
      )}
    </WithPeople>
  )
}

/** Role changes aren't board edits, so undo works through the toast, or Ctrl+Z within the frame. */
export function RoleManagerFrame(props: FrameBodyProps) {
  return <WithPeople {...props}>{(people) => <Roles {...people} />}</WithPeople>
}

function Roles({ domain, people, isSample }: FramePeople) {
  const roles = useRoleChanges(people)
  const canChange = roles.people.some(({ userId, mayChange }) => userId !== null && mayChange)
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it handles keys that bubble up from its controls
    <div onKeyDown={roles.handleUndoKey} className="flex min-h-full flex-col gap-2 px-3 py-2.5">
      <p className="text-small text-muted-foreground">
        {canChange
          ? `Role changes in ${domain.name} take effect right away.`
          : `Roles in ${domain.name}. Only its owner and admins can change them.`}
      </p>
      {roles.failure && (
        <Banner key={roles.failure} tone="error" onDismiss={roles.dismissFailure}>
          {roles.failure}
        </Banner>
      )}
      <RoleManager people={roles.people} onRoleChange={roles.changeRole} compact isSample={isSample} />
    </div>
  )
}

/** Shared journeys as a drawing and as an accessible list. */
export function CollaborationNetworkFrame(props: FrameBodyProps) {
  return (
    <WithPeople {...props}>
      {({ people, journeys, isSample }) => (
        <div className="@container p-2.5">
          <CollaborationNetwork people={people} journeys={journeys} compact isSample={isSample} />
        </div>
      )}
    </WithPeople>
  )
}

export function ActivityFeedFrame(props: FrameBodyProps) {
  return (
    <WithDomain {...props}>
      {(domain, isSample) => (
        <div className="px-3 py-2.5">
          <ActivityFeed board={isSample ? sampleDomainPeople : { domains: [toBoardDomain(domain)] }} compact />
        </div>
      )}
    </WithDomain>
  )
}
