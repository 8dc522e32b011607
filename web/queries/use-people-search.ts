import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { domains, type UserSearchResult } from '#contract/domains/domains.ts'
import { call } from '#web/api/api.ts'
import { useDebouncedText } from '#web/ui/hooks/use-debounced-text.ts'

const minQueryLength = 2

interface PeopleSearch {
  isQueryLongEnough: boolean
  results: UserSearchResult[]
  /** Matches, including excluded people; `undefined` until the first response. */
  total: number | undefined
  error: Error | null
  isFetching: boolean
}

/** Finds people by name or email. Waits for a pause in typing, because the server limits searches per minute. */
export function usePeopleSearch(text: string, excludedIds: readonly string[]): PeopleSearch {
  const query = useDebouncedText(text.trim())
  const { data, error, isFetching } = useQuery({
    queryKey: ['people-search', query],
    queryFn: ({ signal }) => call(domains.searchPeople, { query: { query }, signal }),
    enabled: query.length >= minQueryLength,
    placeholderData: keepPreviousData,
    staleTime: 60_000,
    retry: false,
  })
  const isQueryLongEnough = query.length >= minQueryLength && text.trim().length >= minQueryLength
  const results = isQueryLongEnough ? (data ?? []).filter(({ id }) => !excludedIds.includes(id)) : []
  return { isQueryLongEnough, results, total: data?.length, error, isFetching }
}
