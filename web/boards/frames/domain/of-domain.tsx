import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { Domain } from '#contract/domains/domains.ts'
import { sampleDomain } from '#web/domains/board/sample-domain.ts'
import { peopleQuery } from '#web/people/board.ts'
import { Button } from '#web/ui/button.tsx'
import { useMyDomains } from '#web/use-my-domains.ts'
import type { FrameBodyProps } from '../frame-bodies.ts'
import { FrameNote } from '../frame-boundary.tsx'
import { FrameQuery } from '../frame-query.tsx'
import { NotByLink } from '../not-by-link.tsx'
import { entityOf, ownEntityOf } from '../own-entity.ts'

interface OfDomainProps extends FrameBodyProps {
  children: (domain: Domain, isSample: boolean) => ReactNode
}

/** Resolves the domain of a frame, by default the person's primary one. */
export function OfDomain({ children, ...props }: OfDomainProps) {
  if (props.surroundings.mode === 'sample') return children(sampleDomain, true)
  return (
    <NotByLink surroundings={props.surroundings}>
      <OwnDomain {...props}>{(domain) => children(domain, false)}</OwnDomain>
    </NotByLink>
  )
}

function OwnDomain({ children, ...props }: OfDomainProps) {
  const { openSettings } = props
  const query = useMyDomains()
  const named = ownEntityOf('domain', props)
  // A people board belongs to a domain or a person; a person stands for the domain shared with them.
  const ofPeople = named ? null : entityOf('people', null, props)
  const mayBePerson = ofPeople !== null && query.data !== undefined && !query.data.some(({ id }) => id === ofPeople)
  const people = useQuery({ ...peopleQuery(null), enabled: mayBePerson })
  const met = people.data?.people.find(({ userId }) => userId === ofPeople)?.domainId

  function found(mine: Domain[]): ReactNode {
    const wanted = named ?? met ?? ofPeople
    const domain = wanted ? mine.find(({ id }) => id === wanted) : (mine.find(({ isPrimary }) => isPrimary) ?? mine[0])
    if (domain) return children(domain, false)
    if (!wanted) return <FrameNote>You aren’t in any domain yet.</FrameNote>
    return (
      <FrameNote>
        {`This ${mayBePerson ? 'person' : 'domain'} was deleted, or isn’t shared with you.`}
        {openSettings && (
          <Button size="small" className="mt-2.5" onClick={openSettings}>
            Choose Another
          </Button>
        )}
      </FrameNote>
    )
  }

  return (
    <FrameQuery query={query} what="domain">
      {(mine) =>
        mayBePerson && !people.data ? (
          <FrameQuery query={people} what="person">
            {() => null}
          </FrameQuery>
        ) : (
          found(mine)
        )
      }
    </FrameQuery>
  )
}
