import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { domains } from '#contract/domains/domains.ts'
import { sharingInDomains } from '#contract/domains/sharing-in-domains.ts'
import type { Journey } from '#contract/keepers/journeys.ts'
import { ApiError, call } from '#web/api.ts'
import { once } from '#web/api-pages.ts'
import { readWholeJourney, type WholeJourney } from '#web/keepers/journeys/journey-queries.ts'
import { readSharedJourney, type SharedJourneyPage } from '#web/keepers/shared/shared-queries.ts'
import { Button } from '#web/ui/button.tsx'
import { myDomainsQuery } from '#web/use-my-domains.ts'
import { journeyUntil, useLivedUntil } from '../../journey/journey-time.ts'
import type { FrameBodyProps } from '../frame-bodies.ts'
import { FrameNote } from '../frame-boundary.tsx'
import { FrameQuery } from '../frame-query.tsx'
import { NotByLink } from '../not-by-link.tsx'
import { ownEntityOf } from '../own-entity.ts'

type Shown = Pick<WholeJourney, 'id' | 'title' | 'purpose' | 'status' | 'color' | 'paths' | 'beads'>

export interface JourneyOfFrame {
  /** As of the replay date of the board, if any. */
  journey: Shown
  /** `own` is editable; `shared` belongs to another member of the domain. */
  whose: { kind: 'own'; keeperId: string } | { kind: 'shared'; domainId: string } | { kind: 'sample' }
}

interface OfJourneyProps extends FrameBodyProps {
  children: (journey: JourneyOfFrame) => ReactNode
}

/** Below `['keeper']`, so that changes to a keeper refetch it. */
export const journeyOfFrameKey = (id: string) => ['keeper', 'on-board', 'journey-of-frame', id] as const

/** Resolves the journey of a frame: your own, or one shared in one of your domains. */
export function OfJourney({ children, ...props }: OfJourneyProps) {
  const { surroundings, openSettings } = props
  const id = ownEntityOf('journey', props)
  if (surroundings.mode === 'sample') return <Sample>{children}</Sample>
  return (
    <NotByLink surroundings={surroundings}>
      {id ? (
        <Found key={id} id={id} openSettings={openSettings}>
          {children}
        </Found>
      ) : (
        <FrameNote>
          No journey chosen yet.
          {openSettings && (
            <Button size="small" className="mt-2.5" onClick={openSettings}>
              Choose One
            </Button>
          )}
        </FrameNote>
      )}
    </NotByLink>
  )
}

interface FoundProps {
  id: string
  openSettings: (() => void) | undefined
  children: OfJourneyProps['children']
}

function Found({ id, openSettings, children }: FoundProps) {
  const until = useLivedUntil()
  const queries = useQueryClient()
  const query = useQuery({
    queryKey: journeyOfFrameKey(id),
    queryFn: ({ signal }) => findJourney(id, signal, queries),
    retry: false,
  })
  return (
    <FrameQuery query={query} what="journey" onChooseAnother={openSettings}>
      {({ journey, whose }) => children({ journey: played(journey, until), whose })}
    </FrameQuery>
  )
}

type Queries = ReturnType<typeof useQueryClient>
type Whole = Shown & Partial<Journey>

export async function findJourney(
  id: string,
  signal: AbortSignal,
  queries: Queries,
): Promise<{ journey: Whole; whose: JourneyOfFrame['whose'] }> {
  try {
    const journey = await readWholeJourney(id, signal)
    return { journey, whose: { kind: 'own', keeperId: journey.keeperId } }
  } catch (reason) {
    const shared = reason instanceof ApiError && reason.status === 404 && (await findShared(id, signal, queries))
    if (shared) return shared
    throw reason
  }
}

/** Searches only shared content, to avoid requests that would be refused. */
async function findShared(id: string, signal: AbortSignal, queries: Queries) {
  const mine = await queries.fetchQuery({
    queryKey: myDomainsQuery.queryKey,
    queryFn: () => call(domains.mine, { signal }),
    staleTime: 30_000,
  })
  for (const domain of mine) {
    const params = { id: domain.id }
    const given = await queries.fetchQuery({
      queryKey: ['shared', domain.id, 'list'],
      queryFn: () => call(sharingInDomains.list, { params, signal }),
      staleTime: 30_000,
    })
    const inKeepers = given.keepers.filter(({ parts }) => parts.includes('journeys'))
    let found = given.journeys.some((journey) => journey.id === id)
    for (const keeper of found ? [] : inKeepers) {
      const whole = await call(sharingInDomains.keeper, { params: { ...params, keeperId: keeper.id }, signal })
      found ||= whole.journeysOfIt.some((journey) => journey.id === id)
    }
    if (!found) continue
    const journey = await readShared(domain.id, id, signal)
    const paths = journey.paths.map((path) => ({ ...path, ...unwritten, journeyId: id }))
    const beads = journey.beads.map((bead) => ({ ...bead, pinned: false }))
    return {
      journey: { ...journey, keeperId: '', paths, beads },
      whose: { kind: 'shared' as const, domainId: domain.id },
    }
  }
  return undefined
}

/** Loads all paths and points, oldest first. */
async function readShared(id: string, journeyId: string, signal: AbortSignal): Promise<SharedJourneyPage> {
  const journey = await readSharedJourney(id, journeyId, undefined, signal)
  let beads = journey.beads
  for (let cursor = journey.beads_cursor; cursor !== null; ) {
    const before = await call(sharingInDomains.journey, {
      params: { id, journeyId },
      query: { cursor, limit: 1 },
      signal,
    })
    beads = [...before.beads, ...beads]
    cursor = before.beads_cursor
  }
  return { ...journey, beads: once(beads) }
}

/** Placeholder for path fields that aren't shared with readers. */
const unwritten = { keeperId: '', createdAt: '', updatedAt: '', rev: 0 }

function Sample({ children }: { children: OfJourneyProps['children'] }) {
  const until = useLivedUntil()
  const query = useQuery({
    queryKey: ['keeper', 'on-board', 'sample-journey'],
    queryFn: async () => (await import('#web/keepers/demo/demo-journeys.ts')).demoJourney('sample-crossing'),
    networkMode: 'always',
  })
  return (
    <FrameQuery query={query} what="journey">
      {(journey) => children({ journey: played(journey, until), whose: { kind: 'sample' } })}
    </FrameQuery>
  )
}

function played(journey: Whole, until: string | null): Shown {
  const whole = {
    createdAt: '',
    updatedAt: '',
    rev: 0,
    keeperId: '',
    startedOn: null,
    endsOn: null,
    completedAt: null,
    aiVisible: true,
    _count: { Path: 0, Waypoint: 0, WaypointDone: 0, Moment: 0 },
    ...journey,
  }
  return journeyUntil(whole, until)
}
