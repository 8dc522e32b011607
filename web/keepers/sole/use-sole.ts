import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { type ComponentType, createContext, useContext, useMemo } from 'react'
import type { MemoryConsentInput } from '#contract/keepers/memory-checks.ts'
import { type SoleVersion, sole } from '#contract/keepers/sole.ts'
import { isDemoKeeper } from '#contract/samples/demo-ids.ts'
import { call, callEnvelope } from '#web/api/api.ts'
import { keeperKey, keepersKey } from '../keeper-queries.ts'
import type { PagedList } from '../list-end.tsx'

export interface Sole {
  keeperId: string
  demo: boolean
  backend: SoleBackend
  /** Newest first; loaded at least down to the active one. */
  versions: SoleVersion[]
  draft: SoleVersion | undefined
  active: SoleVersion | undefined
  list: PagedList
  refresh: () => Promise<unknown>
}

export function useSole(keeperId: string) {
  const demo = isDemoKeeper(keeperId)
  const backend = useMemo(() => createServerSole(keeperId), [keeperId])
  const queryClient = useQueryClient()
  const query = useInfiniteQuery({
    queryKey: keeperKey(keeperId, 'sole', 'versions'),
    initialPageParam: null as string | null,
    queryFn: ({ pageParam, signal }) =>
      pageParam === null ? readUntilActive(backend, signal) : backend.fetchVersions(pageParam, signal),
    getNextPageParam: ({ next }) => next,
    // Returning to a demo keeper resets it.
    ...(demo && { gcTime: 0, staleTime: 0 }),
  })
  const versions = query.data?.pages.flatMap((page) => page.versions) ?? []
  const sole: Sole = {
    keeperId,
    demo,
    backend,
    versions,
    draft: versions.find(({ status }) => status === 'draft'),
    active: versions.find(({ status }) => status === 'active'),
    list: query,
    refresh: () =>
      Promise.all([
        queryClient.invalidateQueries({ queryKey: keeperKey(keeperId) }),
        queryClient.invalidateQueries({ queryKey: keepersKey }),
      ]),
  }
  return { sole, query }
}

/** The active version must be visible however many drafts were rejected since. */
async function readUntilActive(backend: SoleBackend, signal: AbortSignal): Promise<SoleVersionPage> {
  let { versions, next } = await backend.fetchVersions(null, signal)
  while (next !== null && !versions.some(({ status }) => status === 'active')) {
    const earlierPage = await backend.fetchVersions(next, signal)
    versions = [...versions, ...earlierPage.versions]
    next = earlierPage.next
  }
  return { versions, next }
}

interface SoleVersionPage {
  versions: SoleVersion[]
  next: string | null
}

export type SoleBackend = ReturnType<typeof createServerSole>

export function createServerSole(keeperId: string) {
  const params = { id: keeperId }
  return {
    /** Newest first. */
    async fetchVersions(cursor: string | null, signal?: AbortSignal): Promise<SoleVersionPage> {
      const query = { ...(cursor && { cursor }) }
      const { data = [], next_cursor } = await callEnvelope(sole.versions, { params, query, ...(signal && { signal }) })
      return { versions: data, next: next_cursor ?? null }
    },
    /** Resolves to the version number of the new draft. */
    async submit(content: string) {
      return (await call(sole.submitDraft, { params, body: { content } })).version
    },
    /** Approves only the given statements, or all when omitted. */
    async approve(version: number, statementIds?: string[], goldenCheck?: MemoryConsentInput) {
      const body = { version, ...(statementIds && { statementIds }), ...(goldenCheck && { goldenCheck }) }
      await call(sole.approve, { params, body })
    },
    async reject(version: number, reason: string) {
      await call(sole.reject, { params, body: { version, reason } })
    },
    async restore(version: number) {
      await call(sole.restore, { params: { id: keeperId, version } })
    },
  }
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
