import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { domains, type FoundPerson } from '#contract/domains/domains.ts'
import { call } from '#web/api.ts'
import { useAfterPause } from '#web/ui/use-after-pause.ts'

const fewestLetters = 2

interface PeopleSearch {
  /** Enough was typed to be looked for. */
  asked: boolean
  /** Without those who are left out. */
  found: FoundPerson[]
  /** How many there are with them; `undefined` while nothing has been answered. */
  total: number | undefined
  error: Error | null
  isFetching: boolean
}

/** People by name or e-mail. Asks after a pause in typing, because the server counts the searches of a minute. */
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
