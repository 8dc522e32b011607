import { useQuery } from '@tanstack/react-query'
import { type Theme, themes } from '#contract/themes/themes.ts'
import { useAgentList } from '#web/agents/agent-queries.ts'
import { call } from '#web/api.ts'
import { boardListQuery } from '#web/boards/board-queries.ts'
import { dashboardAddress } from '#web/keepers/keeper-addresses.ts'
import { useKeepers } from '#web/keepers/keeper-queries.ts'
import { typeNameOf } from '#web/keepers/shelf/shelf-rules.ts'
import { whoseBrowser } from '#web/offline/whose-browser.ts'
import { placeWords } from './place-words.ts'
import { placeAt, placesToGo } from './places.ts'
import type { Entry } from './rank-entries.ts'
import { useFoundInDocuments } from './use-found-in-documents.ts'
import { useFoundInKeepers } from './use-found-in-keepers.ts'

interface Known {
  entries: Entry[]
  themes: Theme[]
  /** Lists that failed to load, such as `Boards`. */
  missing: string[]
  loading: boolean
  /** Keeper contents were searched only in this browser's cache. */
  kept: boolean
  again: () => void
}

/** `recent`: visited paths, newest first. */
export function usePaletteEntries(typed: string, recent: readonly string[]): Known {
  const keepers = useKeepers()
  const agents = useAgentList()
  const boards = useOwnBoards()
  const documents = useQuery({
    queryKey: ['palette', 'documents'],
    queryFn: documentsHere,
    networkMode: 'always',
    gcTime: 0,
  })
  const themesHere = useQuery({
    queryKey: ['themes', 'palette'],
    queryFn: ({ signal }) => call(themes.list, { signal }),
    networkMode: 'always',
  })
  const found = useFoundInKeepers(typed)
  const inDocuments = useFoundInDocuments(typed)
  const lists = { Keepers: keepers, Agents: agents, Boards: boards, Documents: documents, Themes: themesHere }
  const missing = Object.entries(lists).flatMap(([name, { isError, data }]) => (isError && !data ? [name] : []))
  if (found.failed) missing.push('Keeper contents')
  const titleOf = (path: string) => titleInKeeper(path, keepers.data) ?? placeAt(path)?.title ?? path

  return {
    entries: [
      ...recent.map(
        (path): Entry => ({ id: `recent ${path}`, group: 'Recent', title: titleOf(path), hint: path, to: path }),
      ),
      ...placesToGo().map(
        ({ path, to, title, hint }): Entry => ({
          id: `go ${to}`,
          group: 'Go to',
          title,
          hint,
          also: `${to} ${placeWords[path] ?? ''}`,
          to,
        }),
      ),
      ...(keepers.data ?? []).map((keeper): Entry => {
        const { id, title } = keeper
        const to = dashboardAddress(id)
        return { id: `keeper ${id}`, group: 'Keepers', title, hint: typeNameOf(keeper), also: 'keeper', to }
      }),
      ...found.entries,
      ...(boards.data?.boards ?? []).map(({ id, name, isShared }): Entry => {
        const to = `/studio/board-studio?board=${encodeURIComponent(id)}`
        return { id: `board ${id}`, group: 'Boards', title: name, hint: isShared ? 'Shared board' : 'Board', to }
      }),
      ...(documents.data ?? []).map(({ id, name, type, tags, description }): Entry => {
        const words = inDocuments.found.get(id)
        const to = `/library?document=${encodeURIComponent(id)}`
        return {
          id: `document ${id}`,
          group: 'Documents',
          title: name,
          hint: words ?? type,
          also: `${description} ${tags.join(' ')} ${type}`,
          ...(words !== undefined && { found: true }),
          to,
        }
      }),
      ...(agents.data?.agents ?? []).flatMap(({ id, name, slug, agent_class }): Entry[] => [
        {
          id: `agent ${id}`,
          group: 'Agents',
          title: name,
          hint: agent_class,
          also: `agent ${slug}`,
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
                // Chats always open in a tab of their own.
                ownTab: true,
              } as const,
            ]
          : []),
      ]),
    ],
    themes: themesHere.data?.filter(({ system }) => !system) ?? [],
    missing,
    loading: found.searching || inDocuments.searching || Object.values(lists).some(({ isPending }) => isPending),
    kept: found.kept,
    again() {
      for (const { isError, refetch } of Object.values(lists)) if (isError) void refetch()
      if (found.failed) found.again()
    },
  }
}

/** Sample boards mean the real list failed to load. */
function useOwnBoards() {
  const boards = useQuery({ ...boardListQuery, networkMode: 'always' })
  return boards.data?.from === 'samples' ? { ...boards, data: undefined, isError: true } : boards
}

/** Documents exist only in this browser. */
async function documentsHere() {
  const person = whoseBrowser()
  if (person === null) return []
  const { libraryOf } = await import('#web/library/store/library-store.ts')
  return libraryOf(person).documents()
}

function titleInKeeper(path: string, keepers: readonly { id: string; title: string }[] | undefined) {
  const keeper = keepers?.find(({ id }) => path.startsWith(`/keeper/${encodeURIComponent(id)}/`))
  const page = keeper && placeAt(path)?.title
  return page && `${page} · ${keeper.title}`
}
