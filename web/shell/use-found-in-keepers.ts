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
  /** An answer to what stands in the box is on its way. */
  searching: boolean
  failed: boolean
  /** The server is out of reach: only what this browser keeps was searched. */
  kept: boolean
  again: () => void
}

/**
 * What one keeps that is called so or says so, asked of the server when the hands rest, and without it of what this
 * browser keeps. An answer to another text than the one in the box is not shown. Keepers stand in the palette already.
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
