import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { Domain } from '#contract/domains/domains.ts'
import type { PeopleOfDomains } from '#contract/domains/people.ts'
import { peopleQuery } from '#web/people/board.ts'
import { sampleBoard } from '#web/people/sample-board.ts'
import { OfDomain } from '../domain/of-domain.tsx'
import type { FrameBodyProps } from '../frame-bodies.ts'
import { FrameQuery } from '../frame-query.tsx'

export interface PeopleOfFrame extends PeopleOfDomains {
  domain: Domain
  isSample: boolean
}

interface OfPeopleProps extends FrameBodyProps {
  children: (people: PeopleOfFrame) => ReactNode
}

/** Loads the people of a frame's domain that the current role can see. */
export function OfPeople({ children, ...props }: OfPeopleProps) {
  return (
    <OfDomain {...props}>
      {(domain, isSample) =>
        isSample ? (
          children({ ...sampleBoard, domain, isSample })
        ) : (
          <PeopleOfDomain domain={domain}>{children}</PeopleOfDomain>
        )
      }
    </OfDomain>
  )
}

function PeopleOfDomain({ domain, children }: { domain: Domain; children: OfPeopleProps['children'] }) {
  const query = useQuery(peopleQuery(domain.id))
  return (
    <FrameQuery query={query} what="domain">
      {(people) => children({ ...people, domain, isSample: false })}
    </FrameQuery>
  )
}

export const personAddress = (domainId: string, personId?: string) =>
  `/studio/people-board?domainId=${encodeURIComponent(domainId)}${personId ? `&personId=${encodeURIComponent(personId)}` : ''}`
