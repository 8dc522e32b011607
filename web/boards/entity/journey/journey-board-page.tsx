import { useQuery, useQueryClient } from '@tanstack/react-query'
import { BookOpenText } from 'lucide-react'
import { useSearchParams } from 'react-router'
import { demoIds, demoJourneyId } from '#contract/samples/demo-ids.ts'
import { readJourneyDetails } from '#web/keepers/journeys/journey-queries.ts'
import { getSharedJourneyPagePath } from '#web/keepers/shared/shared-queries.ts'
import { useCrumb } from '#web/shell/crumb.ts'
import { LinkButton } from '#web/ui/controls/link-button.tsx'
import { Badge } from '#web/ui/panels/badge.tsx'
import { Banner } from '#web/ui/panels/banner.tsx'
import { EmptyPanel } from '#web/ui/panels/empty-panel.tsx'
import { PageHeader } from '#web/ui/panels/page-header.tsx'
import { BoardEditorProvider } from '../../document/use-board-editor.tsx'
import { isUnavailable } from '../../frames/frame-query.tsx'
import { findJourney, getFrameJourneyKey } from '../../frames/journey/with-journey.tsx'
import { BoardError } from '../../layouts/board-error.tsx'
import { BoardSessionProvider } from '../../together/use-board-session.tsx'
import { BoardSkeleton, SampleNote } from '../board-states.tsx'
import { DeletedBoard } from '../deleted-board.tsx'
import { entityBoardQuery, isDeleted } from '../entity-board-query.ts'
import { JourneyBoard } from './journey-board.tsx'
import { fillJourney } from './journey-time.ts'

/** Board of the journey in `?journeyId=`, or the sample. */
export function JourneyBoardPage() {
  const [query] = useSearchParams()
  const journeyId = query.get('journeyId') || demoIds.journey
  return journeyId === demoIds.journey ? <SampleJourneyBoard /> : <JourneyBoardById key={journeyId} id={journeyId} />
}

/** The journey can be another person's, but the board is your own. */
function JourneyBoardById({ id }: { id: string }) {
  const queryClient = useQueryClient()
  const journeyQuery = useQuery({
    queryKey: getFrameJourneyKey(id),
    queryFn: ({ signal }) => findJourney(id, signal, queryClient),
    retry: false,
  })
  const board = useQuery({ ...entityBoardQuery('journey', id), enabled: journeyQuery.isSuccess })
  useCrumb(journeyQuery.data?.journey.title)

  if (isUnavailable(journeyQuery.error) || (isUnavailable(board.error) && !isDeleted(board))) {
    return (
      <EmptyPanel drawing="path" title="Journey not found" action={<LinkButton to="/keeper">All Keepers</LinkButton>}>
        This journey was deleted or is no longer shared with you.
      </EmptyPanel>
    )
  }
  if (!journeyQuery.data || !board.data) {
    const failed = [journeyQuery, board].find(({ isError }) => isError)
    if (!failed) return <BoardSkeleton />
    return <BoardError reason={failed.error} onRetry={() => failed.refetch()} retrying={failed.isFetching} />
  }
  const { journey, source } = journeyQuery.data
  return (
    <>
      <PageHeader
        title={journey.title}
        badges={journey.aiVisible === false && <Badge tone="outlined">Not for AI</Badge>}
        subtitle={journey.purpose}
        actions={
          source.kind === 'own' && (
            <LinkButton
              to={`/keeper/${encodeURIComponent(source.keeperId)}/journeys?journey=${encodeURIComponent(id)}`}
              icon={<BookOpenText aria-hidden size={15} />}
            >
              Journey page
            </LinkButton>
          )
        }
      />
      {source.kind === 'shared' && (
        <Banner
          tone="info"
          className="mb-4"
          action={
            <LinkButton size="small" to={getSharedJourneyPagePath(source.domainId, id)}>
              Read the journey in the domain
            </LinkButton>
          }
        >
          Someone shares this journey with you in a domain. You can view the journey and arrange this board for
          yourself, but only the owner can change the journey.
        </Banner>
      )}
      {isDeleted(board) ? (
        <DeletedBoard entityType="journey" entityId={id} />
      ) : (
        <BoardEditorProvider key={board.data.id} board={board.data}>
          <BoardSessionProvider>
            <JourneyBoard journey={fillJourney(journey)} />
          </BoardSessionProvider>
        </BoardEditorProvider>
      )}
    </>
  )
}

function SampleJourneyBoard() {
  const board = useQuery(entityBoardQuery('journey', demoIds.journey))
  const journey = useQuery({
    queryKey: ['keeper', 'on-board', 'sample-journey'],
    queryFn: ({ signal }) => readJourneyDetails(demoJourneyId, signal),
    networkMode: 'always',
  })
  if (!board.data || !journey.data) return <BoardSkeleton />
  return (
    <>
      <PageHeader
        title={board.data.name}
        badges={<Badge tone="warning">sample</Badge>}
        subtitle={board.data.description}
      />
      <SampleNote />
      <BoardEditorProvider board={board.data}>
        <JourneyBoard journey={journey.data} sample />
      </BoardEditorProvider>
    </>
  )
}
