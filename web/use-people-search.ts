import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { domains, type FoundPerson } from '#contract/domains/domains.ts'
import { call } from '#web/api.ts'
import { useAfterPause } from '#web/ui/use-after-pause.ts'

const fewestLetters = 2

interface PeopleSearch {
  /** The text is long enough to search. */
  asked: boolean
  /** Without the excluded people. */
  found: FoundPerson[]
  /** The number of matches with the excluded people; `undefined` before the first answer. */
  total: number | undefined
  error: Error | null
  isFetching: boolean
}

/** Finds people by name or email. Waits for a pause in typing, because the server limits searches per minute. */
export function usePeopleSearch(text: string, without: readonly string[]): PeopleSearch {
  const wanted = useAfterPause(text.trim())
  const { data, error, isFetching } = useQuery({
    queryKey: ['found-people', wanted],
    queryFn: ({ signal }) => call(domains.searchPeople, { query: { query: wanted }, signal }),
    enabled: wanted.length >= fewestLetters,
    placeholderData: keepPreviousData,
    staleTime: 60_000,
    retry: false,
  })
  const asked = wanted.length >= fewestLetters && text.trim().length >= fewestLetters
  const found = asked ? (data ?? []).filter(({ id }) => !without.includes(id)) : []
  return { asked, found, total: data?.length, error, isFetching }
}
