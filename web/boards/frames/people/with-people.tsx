import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { Domain } from '#contract/domains/domains.ts'
import type { DomainPeople } from '#contract/domains/people.ts'
import { samplePeopleBoard } from '#contract/samples/sample-people.ts'
import { peopleQuery } from '#web/domains/people/people-board-data.ts'
import { WithDomain } from '../domain/with-domain.tsx'
import type { FrameBodyProps } from '../frame-bodies.ts'
import { FrameQuery } from '../frame-query.tsx'

export interface FramePeople extends DomainPeople {
  domain: Domain
  isSample: boolean
}

interface WithPeopleProps extends FrameBodyProps {
  children: (people: FramePeople) => ReactNode
}

export function WithPeople({ children, ...props }: WithPeopleProps) {
  return (
    <WithDomain {...props}>
      {(domain, isSample) =>
        isSample ? (
          children({ ...samplePeopleBoard, domain, isSample })
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

export const getPersonRoute = (domainId: string, personId?: string) =>
  `/studio/people-board?domainId=${encodeURIComponent(domainId)}${personId ? `&personId=${encodeURIComponent(personId)}` : ''}`
