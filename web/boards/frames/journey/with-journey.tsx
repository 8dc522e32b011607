import { type QueryClient, queryOptions, useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { sharingInDomains } from '#contract/domains/sharing-in-domains.ts'
import type { Journey } from '#contract/keepers/journeys.ts'
import { demoJourneyId } from '#contract/samples/demo-ids.ts'
import { call, isNotFound } from '#web/api/api.ts'
import { dedupeById } from '#web/api/api-pages.ts'
import { type JourneyDetails, readJourneyDetails } from '#web/keepers/journeys/journey-queries.ts'
import { readSharedJourney, type SharedJourneyData } from '#web/keepers/shared/shared-queries.ts'
import { myDomainsQuery } from '#web/queries/use-my-domains.ts'
import { fillJourney, getJourneyUntil, useReplayDay } from '../../entity/journey/journey-time.ts'
import type { FrameBodyProps } from '../frame-bodies.ts'
import { FrameQuery, getFrameEntityId, NothingChosen } from '../frame-query.tsx'

type VisibleJourney = Pick<JourneyDetails, 'id' | 'title' | 'purpose' | 'status' | 'color' | 'paths' | 'beads'>

export interface FrameJourney {
  /** As of the replay date of the board, if any. */
  journey: VisibleJourney
  /** `own` is editable; `shared` belongs to another member of the domain. */
  source: { kind: 'own'; keeperId: string } | { kind: 'shared'; domainId: string } | { kind: 'sample' }
}

interface WithJourneyProps extends FrameBodyProps {
  children: (journey: FrameJourney) => ReactNode
}

/** Below `['keeper']`, so that changes to a keeper refetch it. */
export const frameJourneyQuery = (id: string) =>
  queryOptions({
    queryKey: ['keeper', 'on-board', 'journey-of-frame', id],
    queryFn: ({ signal, client }) => findJourney(id, signal, client),
    retry: false,
  })

export const sampleJourneyQuery = queryOptions({
  queryKey: ['keeper', 'on-board', 'sample-journey'],
  queryFn: ({ signal }) => readJourneyDetails(demoJourneyId, signal),
})

/** Resolves the journey of a frame: your own, or one shared in one of your domains. */
export function WithJourney({ children, ...props }: WithJourneyProps) {
  const { context, openSettings } = props
  const id = getFrameEntityId('journey', props)
  if (context.mode === 'sample') return <SampleJourney>{children}</SampleJourney>
  if (!id) return <NothingChosen entityName="journey" onChooseAnother={openSettings} />
  return (
    <WithJourneyId key={id} id={id} openSettings={openSettings}>
      {children}
    </WithJourneyId>
  )
}

interface WithJourneyIdProps {
  id: string
  openSettings: (() => void) | undefined
  children: WithJourneyProps['children']
}

function WithJourneyId({ id, openSettings, children }: WithJourneyIdProps) {
  const until = useReplayDay()
  return (
    <FrameQuery query={useQuery(frameJourneyQuery(id))} entityName="journey" onChooseAnother={openSettings}>
      {({ journey, source }) => children({ journey: toReplayed(journey, until), source })}
    </FrameQuery>
  )
}

type FullJourney = VisibleJourney & Partial<Journey>

async function findJourney(
  id: string,
  signal: AbortSignal,
  queryClient: QueryClient,
): Promise<{ journey: FullJourney; source: FrameJourney['source'] }> {
  try {
    const journey = await readJourneyDetails(id, signal)
    return { journey, source: { kind: 'own', keeperId: journey.keeperId } }
  } catch (reason) {
    const shared = isNotFound(reason) && (await findSharedJourney(id, signal, queryClient))
    if (shared) return shared
    throw reason
  }
}

const sharedContentStaleMs = 30_000

/** Searches only shared content, to avoid requests that would be refused. */
async function findSharedJourney(id: string, signal: AbortSignal, queryClient: QueryClient) {
  const myDomains = await queryClient.fetchQuery({ ...myDomainsQuery, staleTime: sharedContentStaleMs })
  for (const domain of myDomains) {
    const params = { id: domain.id }
    const sharedContent = await queryClient.fetchQuery({
      queryKey: ['shared', domain.id, 'list'],
      queryFn: () => call(sharingInDomains.list, { params, signal }),
      staleTime: sharedContentStaleMs,
    })
    const keepersWithJourneys = sharedContent.keepers.filter(({ parts }) => parts.includes('journeys'))
    let isShared = sharedContent.journeys.some((journey) => journey.id === id)
    for (const keeper of keepersWithJourneys) {
      if (isShared) break
      const sharedKeeper = await call(sharingInDomains.keeper, { params: { ...params, keeperId: keeper.id }, signal })
      isShared = sharedKeeper.journeysOfIt.some((journey) => journey.id === id)
    }
    if (!isShared) continue
    const journey = await readWholeJourney(domain.id, id, signal)
    const paths = journey.paths.map((path) => ({ ...path, ...unsharedPathFields, journeyId: id }))
    const points = journey.beads.map((point) => ({ ...point, pinned: false }))
    return {
      journey: { ...journey, keeperId: '', paths, beads: points },
      source: { kind: 'shared' as const, domainId: domain.id },
    }
  }
  return undefined
}

/** Loads all paths and points, oldest first. */
async function readWholeJourney(domainId: string, journeyId: string, signal: AbortSignal): Promise<SharedJourneyData> {
  const journey = await readSharedJourney(domainId, journeyId, undefined, signal)
  let points = journey.beads
  for (let cursor = journey.beads_cursor; cursor !== null; ) {
    // The limit is for the moments, which aren’t needed here; a page of points always has its full size.
    const previousPage = await call(sharingInDomains.journey, {
      params: { id: domainId, journeyId },
      query: { cursor, limit: 1 },
      signal,
    })
    points = [...previousPage.beads, ...points]
    cursor = previousPage.beads_cursor
  }
  return { ...journey, beads: dedupeById(points) }
}

/** Placeholder for path fields that aren't shared with readers. */
const unsharedPathFields = { keeperId: '', createdAt: '', updatedAt: '', rev: 0 }

function SampleJourney({ children }: { children: WithJourneyProps['children'] }) {
  const until = useReplayDay()
  return (
    <FrameQuery query={useQuery(sampleJourneyQuery)} entityName="journey">
      {(journey) => children({ journey: toReplayed(journey, until), source: { kind: 'sample' } })}
    </FrameQuery>
  )
}

const toReplayed = (journey: FullJourney, until: string | null): VisibleJourney =>
  getJourneyUntil(fillJourney(journey), until)
