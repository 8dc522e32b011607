import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { type ComponentType, createContext, useContext } from 'react'
import { type SoleVersion, sole } from '#contract/keepers/sole.ts'
import { isDemoKeeper } from '#contract/samples/demo-ids.ts'
import { callEnvelope } from '#web/api/api.ts'
import type { PagedList } from '#web/ui/controls/show-more.tsx'
import { keeperKey, keepersKey } from '../keeper-queries.ts'

export interface Sole {
  keeperId: string
  isDemo: boolean
  /** Newest first; loaded at least down to the active one. */
  versions: SoleVersion[]
  draft: SoleVersion | undefined
  activeVersion: SoleVersion | undefined
  list: PagedList
  refresh: () => Promise<unknown>
}

export function useSole(keeperId: string) {
  const isDemo = isDemoKeeper(keeperId)
  const queryClient = useQueryClient()
  const query = useInfiniteQuery({
    queryKey: keeperKey(keeperId, 'sole', 'versions'),
    initialPageParam: null as string | null,
    queryFn: ({ pageParam, signal }) =>
      pageParam === null ? readUntilActive(keeperId, signal) : fetchVersions(keeperId, pageParam, signal),
    getNextPageParam: ({ nextCursor }) => nextCursor,
    // Returning to a demo keeper resets it.
    ...(isDemo && { gcTime: 0, staleTime: 0 }),
  })
  const versions = query.data?.pages.flatMap((page) => page.versions) ?? []
  const keeperSole: Sole = {
    keeperId,
    isDemo,
    versions,
    draft: versions.find(({ status }) => status === 'draft'),
    activeVersion: versions.find(({ status }) => status === 'active'),
    list: query,
    refresh: () =>
      Promise.all([
        queryClient.invalidateQueries({ queryKey: keeperKey(keeperId) }),
        queryClient.invalidateQueries({ queryKey: keepersKey }),
      ]),
  }
  return { sole: keeperSole, query }
}

interface SoleVersionPage {
  /** Newest first. */
  versions: SoleVersion[]
  nextCursor: string | null
}

async function fetchVersions(keeperId: string, cursor: string | null, signal: AbortSignal): Promise<SoleVersionPage> {
  const query = { ...(cursor && { cursor }) }
  const { data = [], next_cursor } = await callEnvelope(sole.versions, { params: { id: keeperId }, query, signal })
  return { versions: data, nextCursor: next_cursor ?? null }
}

/** The active version must be visible however many drafts were rejected since. */
async function readUntilActive(keeperId: string, signal: AbortSignal): Promise<SoleVersionPage> {
  let { versions, nextCursor } = await fetchVersions(keeperId, null, signal)
  while (nextCursor !== null && !versions.some(({ status }) => status === 'active')) {
    const earlierPage = await fetchVersions(keeperId, nextCursor, signal)
    versions = [...versions, ...earlierPage.versions]
    nextCursor = earlierPage.nextCursor
  }
  return { versions, nextCursor }
}

export interface SoleParts {
  useRun: () => SoleRun
  PeoplePicker: ComponentType<{ excludedIds: string[]; busy: boolean; onPick: (person: { id: string }) => void }>
  useAgents: () => { id: string; name: string }[]
}

export interface SoleRun {
  /** `undefined` before the run starts. */
  status: 'running' | 'success' | 'failed' | undefined
  runId: string | undefined
  /** The result of the last tool call. */
  toolResult: string | null | undefined
  start(request: (signal: AbortSignal, onEvent: (event: string, data: unknown) => void) => Promise<void>): Promise<void>
  forget(): void
  /** The streamed answer with run details and a link to its trace. */
  content: React.ReactNode
}

const SolePartsContext = createContext<SoleParts | null>(null)
export const SolePartsProvider = SolePartsContext.Provider

export function useSoleParts(): SoleParts {
  const parts = useContext(SolePartsContext)
  if (!parts) throw new Error('useSoleParts outside of a SolePartsProvider')
  return parts
}
