import { useQuery } from '@tanstack/react-query'
import { truncate } from '#contract/truncate.ts'
import { getSignedInUserId } from '#web/offline/signed-in-user.ts'
import { useDebouncedText } from '#web/ui/hooks/use-debounced-text.ts'
import { isSearchable, maxSearchLength, typingPauseMs } from './use-keeper-search.ts'

const noExcerpts: ReadonlyMap<string, string> = new Map()

export function useDocumentSearch(typed: string): { excerpts: ReadonlyMap<string, string>; searching: boolean } {
  const searchText = truncate(typed.trim(), maxSearchLength)
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
  const person = getSignedInUserId()
  if (person === null) return noExcerpts
  const [{ openLibrary }, { searchTexts }] = await Promise.all([
    import('#web/library/store/library-store.ts'),
    import('#web/library/search-documents.ts'),
  ])
  const store = openLibrary(person)
  const matches = await searchTexts(store, await store.listDocuments(), query)
  return new Map([...matches].flatMap(([id, match]) => (match ? [[id, match.excerpt] as const] : [])))
}
