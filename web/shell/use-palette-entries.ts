import { useQuery } from '@tanstack/react-query'
import { type Theme, themes } from '#contract/themes/themes.ts'
import { truncate } from '#contract/truncate.ts'
import { useAgentList } from '#web/agents/agent-queries.ts'
import { call } from '#web/api/api.ts'
import { boardListQuery } from '#web/boards/board-queries.ts'
import { getDashboardPath } from '#web/keepers/keeper-addresses.ts'
import { useKeepers } from '#web/keepers/keeper-queries.ts'
import { getTypeName } from '#web/keepers/shelf/keeper-list-rules.ts'
import { getSignedInUserId } from '#web/offline/signed-in-user.ts'
import { useDebouncedText } from '#web/ui/hooks/use-debounced-text.ts'
import { findPageRoute, getPaletteRoutes } from '../page/page-routes.ts'
import { getOpenKeeperId } from './navigation.ts'
import type { PaletteEntry } from './rank-entries.ts'
import { isSearchable, maxSearchLength, typingPauseMs, useKeeperSearch } from './use-keeper-search.ts'

const noExcerpts: ReadonlyMap<string, string> = new Map()

function useDocumentSearch(input: string): { excerpts: ReadonlyMap<string, string>; searching: boolean } {
  const searchText = truncate(input.trim(), maxSearchLength)
  const settledText = useDebouncedText(searchText, typingPauseMs)
  const canSearch = isSearchable(searchText)
  const { data, isFetching } = useQuery({
    queryKey: ['palette', 'document-texts', settledText],
    queryFn: () => findDocumentExcerpts(settledText),
    enabled: canSearch && settledText === searchText,
    networkMode: 'always',
    gcTime: 0,
  })
  const isCurrent = canSearch && settledText === searchText
  return { excerpts: (isCurrent && data) || noExcerpts, searching: canSearch && (!isCurrent || isFetching) }
}

async function findDocumentExcerpts(query: string): Promise<ReadonlyMap<string, string>> {
  const personId = getSignedInUserId()
  if (personId === null) return noExcerpts
  const [{ openLibrary }, { searchTexts }] = await Promise.all([
    import('#web/library/store/library-store.ts'),
    import('#web/library/search-documents.ts'),
  ])
  const store = openLibrary(personId)
  const matches = await searchTexts(store, await store.listDocuments(), query)
  return new Map([...matches].flatMap(([id, match]) => (match ? [[id, match.excerpt] as const] : [])))
}

export const routeKeywords: Readonly<Record<string, string>> = {
  '/root/profile': 'account name e-mail password sessions download delete',
  '/root/domain': 'members invite share',
  '/root/api-keys': 'your api keys provider openai anthropic usage',
  '/studio/kip': 'intent console thoughts',
  '/studio/people-board': 'invite members team',
  '/studio/admin': 'api usage analytics budget costs spending tool servers mcp trust',
  '/studio/admin/logs': 'runs trace failures',
  '/studio/kip/api-keys': 'provider openai anthropic',
  '/admin/roles': 'permissions rights',
  '/admin/users': 'people accounts deactivate reset link',
  '/admin/audit': 'history deeds csv',
  '/admin/backups': 'restore schedule archive',
  '/library': 'files upload pdf',
  '/search': 'find everywhere',
  '/keeper/bin': 'trash deleted restore',
  '/keeper/transfer': 'export import backup zip',
  '/keeper/:id/memory': 'sole draft story',
  '/keeper/:id/echo-writer': 'echoes later letter',
  '/debug': 'health checks report',
  '/api': 'calls openapi reference curl developer',
}

interface PaletteEntries {
  entries: PaletteEntry[]
  themes: Theme[]
  failedLists: string[]
  loading: boolean
  isFromCache: boolean
  retry: () => void
}

/** `recentPaths`: visited addresses, newest first. */
export function usePaletteEntries(input: string, recentPaths: readonly string[]): PaletteEntries {
  const keepers = useKeepers()
  const agents = useAgentList()
  const boards = useServerBoards()
  const documents = useQuery({
    queryKey: ['palette', 'documents'],
    queryFn: loadDocuments,
    networkMode: 'always',
    gcTime: 0,
  })
  const themeList = useQuery({
    queryKey: ['themes', 'palette'],
    queryFn: ({ signal }) => call(themes.list, { signal }),
    networkMode: 'always',
  })
  const keeperSearch = useKeeperSearch(input)
  const documentSearch = useDocumentSearch(input)
  const lists = { Keepers: keepers, Agents: agents, Boards: boards, Documents: documents, Themes: themeList }
  const failedLists = Object.entries(lists).flatMap(([name, { isError, data }]) => (isError && !data ? [name] : []))
  if (keeperSearch.failed) failedLists.push('Keeper contents')

  return {
    entries: [
      ...recentPaths.map((address): PaletteEntry => {
        const description = describePage(address, keepers.data, agents.data?.agents)
        return { id: `recent ${address}`, group: 'Recent', ...description, to: address }
      }),
      ...getPaletteRoutes().map(
        ({ path, to, title, hint }): PaletteEntry => ({
          id: `go ${to}`,
          group: 'Go to',
          title,
          hint,
          keywords: `${to} ${routeKeywords[path] ?? ''}`,
          to,
        }),
      ),
      ...(keepers.data ?? []).map((keeper): PaletteEntry => {
        const { id, title } = keeper
        const to = getDashboardPath(id)
        return { id: `keeper ${id}`, group: 'Keepers', title, hint: getTypeName(keeper), keywords: 'keeper', to }
      }),
      ...keeperSearch.entries,
      ...(boards.data?.boards ?? []).map(({ id, name, isShared }): PaletteEntry => {
        const to = `/studio/board-studio?board=${encodeURIComponent(id)}`
        return { id: `board ${id}`, group: 'Boards', title: name, hint: isShared ? 'Shared board' : 'Board', to }
      }),
      ...(documents.data ?? []).map(({ id, name, type, tags, description }): PaletteEntry => {
        const excerpt = documentSearch.excerpts.get(id)
        const to = `/library?document=${encodeURIComponent(id)}`
        return {
          id: `document ${id}`,
          group: 'Documents',
          title: name,
          hint: excerpt ?? type,
          keywords: `${description} ${tags.join(' ')} ${type}`,
          ...(excerpt !== undefined && { isServerMatch: true }),
          to,
        }
      }),
      ...(agents.data?.agents ?? []).flatMap(({ id, name, slug, agent_class }): PaletteEntry[] => [
        {
          id: `agent ${id}`,
          group: 'Agents',
          title: name,
          hint: agent_class,
          keywords: `agent ${slug}`,
          to: `/studio/agents/${slug}`,
        },
        ...(agent_class === 'Lead'
          ? [
              {
                id: `chat ${id}`,
                group: 'Agents',
                title: `Chat with ${name}`,
                hint: `/${slug}`,
                to: `/${slug}`,
                // Chats always open in a new tab.
                opensInNewTab: true,
              } as const,
            ]
          : []),
      ]),
    ],
    themes: themeList.data?.filter(({ system }) => !system) ?? [],
    failedLists,
    loading:
      keeperSearch.searching || documentSearch.searching || Object.values(lists).some(({ isPending }) => isPending),
    isFromCache: keeperSearch.isFromCache,
    retry() {
      for (const { isError, refetch } of Object.values(lists)) if (isError) void refetch()
      if (keeperSearch.failed) keeperSearch.retry()
    },
  }
}

/** Sample boards mean the real list failed to load. */
function useServerBoards() {
  const boards = useQuery({ ...boardListQuery, networkMode: 'always' })
  return boards.data?.source === 'samples' ? { ...boards, data: undefined, isError: true } : boards
}

/** The server doesn't have the documents in this browser. */
async function loadDocuments() {
  const personId = getSignedInUserId()
  if (personId === null) return []
  const { openLibrary } = await import('#web/library/store/library-store.ts')
  return openLibrary(personId).listDocuments()
}

/** A page by its name and the name of its keeper, agent or parent page. */
export function describePage(
  address: string,
  keepers: readonly { id: string; title: string }[] = [],
  agents: readonly { id: string; slug: string; name: string }[] = [],
): { title: string; hint: string } {
  const { pathname, search } = new URL(address, 'http://keeper')
  const route = findPageRoute(pathname)
  const [id, agentId] = [getOpenKeeperId({ pathname, search }), /^\/studio\/agents\/([^/]+)$/.exec(pathname)?.[1]]
  const keeper = keepers.find(
    (candidate, index) => encodeURIComponent(candidate.id) === id || (id === '1' && index === 0),
  )
  const agent = agents.find(({ id: candidateId, slug }) => agentId === slug || agentId === candidateId)
  const parents = route?.parents?.map((parent) => parent.title).join(' › ')
  return { title: agent?.name ?? route?.title ?? pathname, hint: keeper?.title ?? parents ?? '' }
}
