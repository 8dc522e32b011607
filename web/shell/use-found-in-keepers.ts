import { useQuery } from '@tanstack/react-query'
import type { Answer } from '#contract/endpoint.ts'
import { dashboards } from '#contract/keepers/dashboard.ts'
import { truncate } from '#contract/truncate.ts'
import { call, Unreachable } from '#web/api.ts'
import { entryAddress } from '#web/keepers/keeper-addresses.ts'
import { keepersKey } from '#web/keepers/keeper-queries.ts'
import { useAfterPause } from '#web/ui/use-after-pause.ts'
import { findInKept } from './find-in-kept.ts'
import type { Entry } from './rank-entries.ts'

export type Found = Answer<typeof dashboards.find>[number]

export const fewestLetters = 2
export const mostLetters = 100
export const typingPauseMs = 200

const kinds: Partial<Record<Found['entity'], string>> = {
  card: 'Memory card',
  moment: 'Moment',
  journey: 'Journey',
  topic: 'Topic',
  voice: 'Voice entry',
  logbook: 'Logbook entry',
}

export interface FoundInKeepers {
  entries: Entry[]
  /** A request for the typed text is pending. */
  searching: boolean
  failed: boolean
  /** The server can't be reached; only this browser's cache was searched. */
  kept: boolean
  again: () => void
}

/**
 * Debounced server search, falling back to this browser's cache. Results for outdated text are dropped; keepers are
 * already in the palette.
 */
export function useFoundInKeepers(typed: string): FoundInKeepers {
  const wanted = truncate(typed.trim(), mostLetters)
  const q = useAfterPause(wanted, typingPauseMs)
  const asks = wanted.length >= fewestLetters
  const query = useQuery({
    queryKey: [...keepersKey, 'find', q],
    queryFn: async ({ signal }) => {
      try {
        return { kept: false, found: await call(dashboards.find, { query: { q }, signal }) }
      } catch (reason) {
        if (!(reason instanceof Unreachable)) throw reason
        return { kept: true, found: await findInKept(q) }
      }
    },
    enabled: asks && q === wanted,
    networkMode: 'always',
    staleTime: 10_000,
  })
  const isCurrent = asks && q === wanted
  const found = isCurrent ? (query.data?.found ?? []) : []
  return {
    entries: found.flatMap((each): Entry[] =>
      each.entity === 'keeper'
        ? []
        : [
            {
              id: `found ${each.id}`,
              group: 'In your keepers',
              title: each.title,
              hint: [kinds[each.entity], each.hint].filter(Boolean).join(' · '),
              found: true,
              to: entryAddress(each),
            },
          ],
    ),
    searching: asks && (q !== wanted || query.isFetching),
    failed: isCurrent && query.isError && !query.isFetching,
    kept: isCurrent && query.data?.kept === true,
    again: () => void query.refetch(),
  }
}
