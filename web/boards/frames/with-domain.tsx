import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { Domain } from '#contract/domains/domains.ts'
import { sampleDomain } from '#contract/samples/sample-domain.ts'
import { peopleQuery } from '#web/domains/people/people-board-data.ts'
import { useMyDomains } from '#web/queries/use-my-domains.ts'
import type { FrameBodyProps } from './frame-bodies.ts'
import { FrameNote } from './frame-boundary.tsx'
import { FrameQuery, FrameUnavailable, getEntityId, getFrameEntityId } from './frame-query.tsx'

interface WithDomainProps extends FrameBodyProps {
  children: (domain: Domain, isSample: boolean) => ReactNode
}

/** Resolves the domain of a frame, by default the person's primary one. */
export function WithDomain({ children, ...props }: WithDomainProps) {
  if (props.context.mode === 'sample') return children(sampleDomain, true)
  return <WithCurrentDomain {...props}>{(domain) => children(domain, false)}</WithCurrentDomain>
}

function WithCurrentDomain({ children, ...props }: WithDomainProps) {
  const { openSettings } = props
  const query = useMyDomains()
  const frameDomainId = getFrameEntityId('domain', props)
  // The entity of a people board is a domain or a person; for a person, the domain shared with them is used.
  const peopleEntityId = frameDomainId ? null : getEntityId('people', null, props)
  const couldBePerson =
    peopleEntityId !== null && query.data !== undefined && !query.data.some(({ id }) => id === peopleEntityId)
  const people = useQuery({ ...peopleQuery(null), enabled: couldBePerson })
  const sharedDomainId = people.data?.people.find(({ userId }) => userId === peopleEntityId)?.domainId

  function renderDomain(myDomains: Domain[]): ReactNode {
    const requestedId = frameDomainId ?? sharedDomainId ?? peopleEntityId
    const domain = requestedId
      ? myDomains.find(({ id }) => id === requestedId)
      : (myDomains.find(({ isPrimary }) => isPrimary) ?? myDomains[0])
    if (domain) return children(domain, false)
    if (!requestedId) return <FrameNote>You’re not in a domain yet.</FrameNote>
    return <FrameUnavailable entityName={couldBePerson ? 'person' : 'domain'} onChooseAnother={openSettings} />
  }

  return (
    <FrameQuery query={query} entityName="domain">
      {(myDomains) =>
        couldBePerson && !people.data ? (
          <FrameQuery query={people} entityName="person">
            {() => null}
          </FrameQuery>
        ) : (
          renderDomain(myDomains)
        )
      }
    </FrameQuery>
  )
}
