import { Link } from 'react-router'
import type { SharedJourney } from '#contract/domains/sharing-in-domains.ts'
import { getPigmentFill } from '../pigments.ts'
import { getSharedJourneyPagePath } from './shared-queries.ts'

interface SharedJourneyLinkProps {
  domainId: string
  journey: Pick<SharedJourney, 'id' | 'title' | 'color'>
}

export function SharedJourneyLink({ domainId, journey }: SharedJourneyLinkProps) {
  return (
    <>
      <span aria-hidden className={`size-2.5 shrink-0 rounded-full ${getPigmentFill(journey.color)}`} />
      <Link
        dir="auto"
        to={getSharedJourneyPagePath(domainId, journey.id)}
        className="rounded-xs underline-offset-4 hover:underline"
      >
        {journey.title}
      </Link>
    </>
  )
}
