import { useQuery } from '@tanstack/react-query'
import { truncate } from '#contract/truncate.ts'
import { getSignedInUserId } from '#web/offline/signed-in-user.ts'
import { useDebouncedText } from '#web/ui/use-debounced-text.ts'
import { maxSearchLength, minSearchLength, typingPauseMs } from './use-keeper-search.ts'

const noExcerpts: ReadonlyMap<string, string> = new Map()

export function useDocumentSearch(typed: string): { excerpts: ReadonlyMap<string, string>; searching: boolean } {
  const searchText = truncate(typed.trim(), maxSearchLength)
  const settledText = useDebouncedText(searchText, typingPauseMs)
  const isSearchable = searchText.length >= minSearchLength
  const { data, isFetching } = useQuery({
    queryKey: ['palette', 'document-texts', settledText],
    queryFn: () => findDocumentExcerpts(settledText),
    enabled: isSearchable && settledText === searchText,
    networkMode: 'always',
    gcTime: 0,
  })
  const isCurrent = isSearchable && settledText === searchText
  return { excerpts: (isCurrent && data) || noExcerpts, searching: isSearchable && (!isCurrent || isFetching) }
}

async function findDocumentExcerpts(query: string): Promise<ReadonlyMap<string, string>> {
  const person = getSignedInUserId()
  if (person === null) return noExcerpts
  const [{ openLibrary }, { findExcerpt }] = await Promise.all([
    import('#web/library/store/library-store.ts'),
    import('#web/library/search-documents.ts'),
  ])
  const excerpts = new Map<string, string>()
  for await (const batch of openLibrary(person).readTextBatches())
    for (const { id, text } of batch) {
      const excerpt = findExcerpt(text, query)
      if (excerpt) excerpts.set(id, `${excerpt.before}${excerpt.match}${excerpt.after}`)
    }
  return excerpts
}
