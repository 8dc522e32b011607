import { useParams } from 'react-router'
import { AgentText } from '#web/agents/agent-text.tsx'
import { useCrumb, useCrumbAbove } from '#web/shell/crumb.ts'
import { Badge } from '#web/ui/badge.tsx'
import { LinkButton } from '#web/ui/link-button.tsx'
import { useMyDomains } from '#web/use-my-domains.ts'
import { statusLabels } from '../journeys/journey-list.tsx'
import { beadName, RiverLine } from '../journeys/river-line.tsx'
import { MomentMarkdown } from '../moments/moment-markdown.tsx'
import { pigmentInk } from '../pigments.ts'
import { MediaOfDomain } from './media-of-domain.tsx'
import { ReadPath } from './read-path.tsx'
import { ReadTimeline } from './read-timeline.tsx'
import { keeperInDomain, sharedInDomain } from './shared-addresses.ts'
import { isGone, useSharedJourney } from './shared-queries.ts'
import { KeptBy, SharedState } from './shared-states.tsx'

type Found = ReturnType<typeof useSharedJourney>

/** A read-only shared journey. */
export function SharedJourneyPage() {
  const { domainId = '', journeyId = '' } = useParams()
  const found = useSharedJourney(domainId, journeyId)
  const { journey, error } = found
  if (!journey || isGone(error))
    return (
      <SharedState
        title="Journey"
        query={found}
        wasHere={journey !== undefined}
        back={{ to: sharedInDomain(domainId), label: 'All shared items' }}
        what="journey"
      />
    )
  return (
    <MomentMarkdown value={AgentText}>
      <MediaOfDomain domainId={domainId}>
        <Reading domainId={domainId} journey={journey} found={found} />
      </MediaOfDomain>
    </MomentMarkdown>
  )
}

interface ReadingProps {
  domainId: string
  journey: NonNullable<Found['journey']>
  found: Found
}

function Reading({ domainId, journey, found }: ReadingProps) {
  const { items, hasNextPage, isFetchingNextPage, fetchNextPage } = found
  const domainName = useMyDomains().data?.find(({ id }) => id === domainId)?.name ?? 'this domain'
  useCrumbAbove(domainName, sharedInDomain(domainId))
  useCrumb(journey.title)
  const beads = new Map(journey.beads.map((bead) => [bead.id, bead]))
  const over = journey.status === 'completed'
  return (
    <article aria-label={journey.title} className="flex min-w-0 max-w-[1040px] flex-col gap-5">
      <header className="flex flex-wrap items-start gap-x-4 gap-y-3">
        <div className="min-w-0 flex-1 basis-72">
          <h1 className="wrap-break-word">{journey.title}</h1>
          <KeptBy {...journey.owner} domainName={domainName}>
            <Badge tone={over ? 'success' : journey.status === 'active' ? 'info' : 'neutral'}>
              {statusLabels[journey.status]}
            </Badge>
          </KeptBy>
          {journey.purpose && (
            <p className="mt-3 max-w-[42rem] font-serif text-read whitespace-pre-wrap wrap-break-word">
              {journey.purpose}
            </p>
          )}
        </div>
        {journey.keeperId && (
          <LinkButton to={`${keeperInDomain(domainId, journey.keeperId)}?part=journeys`}>Open its keeper</LinkButton>
        )}
      </header>
      <RiverLine
        journey={journey}
        hasEarlier={found.hasEarlierBeads}
        showBead={(bead, face) => (
          <span title={beadName(bead)} className="group grid size-8 place-items-center">
            {face}
            <span className="sr-only">{beadName(bead)}</span>
          </span>
        )}
      />
      {journey.paths.map((path) => (
        <ReadPath key={path.id} path={path} beads={beads} ink={pigmentInk(journey.color)} />
      ))}
      {items.length > 0 && (
        <section aria-label="Moments of the journey" className="mt-4">
          <ReadTimeline
            items={items}
            hasMore={hasNextPage}
            fetching={found.isFetching}
            loadingMore={isFetchingNextPage}
            failedMore={found.isFetchNextPageError}
            onMore={() => void fetchNextPage()}
          />
        </section>
      )}
    </article>
  )
}
