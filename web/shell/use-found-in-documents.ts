import { useQuery } from '@tanstack/react-query'
import { truncate } from '#contract/truncate.ts'
import { whoseBrowser } from '#web/offline/whose-browser.ts'
import { useAfterPause } from '#web/ui/use-after-pause.ts'
import { fewestLetters, mostLetters, typingPauseMs } from './use-found-in-keepers.ts'

const none: ReadonlyMap<string, string> = new Map()

/** Excerpts by document id, debounced. */
export function useFoundInDocuments(typed: string): { found: ReadonlyMap<string, string>; searching: boolean } {
  const wanted = truncate(typed.trim(), mostLetters)
  const words = useAfterPause(wanted, typingPauseMs)
  const asks = wanted.length >= fewestLetters
  const { data, isFetching } = useQuery({
    queryKey: ['palette', 'document-texts', words],
    queryFn: () => documentsThatSay(words),
    enabled: asks && words === wanted,
    networkMode: 'always',
    gcTime: 0,
  })
  const isCurrent = asks && words === wanted
  return { found: (isCurrent && data) || none, searching: asks && (!isCurrent || isFetching) }
}

async function documentsThatSay(words: string): Promise<ReadonlyMap<string, string>> {
  const person = whoseBrowser()
  if (person === null) return none
  const [{ libraryOf }, { excerptOf }] = await Promise.all([
    import('#web/library/store/library-store.ts'),
    import('#web/library/search-documents.ts'),
  ])
  const found = new Map<string, string>()
  for await (const some of libraryOf(person).texts())
    for (const { id, text } of some) {
      const place = excerptOf(text, words)
      if (place) found.set(id, `${place.before}${place.match}${place.after}`)
    }
  return found
}
