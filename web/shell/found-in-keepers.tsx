import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { Answer } from '#contract/endpoint.ts'
import { dashboards } from '#contract/keepers/dashboard.ts'
import { call } from '#web/api.ts'
import { keepersKey } from '#web/keepers/keeper-queries.ts'
import { Group, Item } from './palette-item.tsx'

type Found = Answer<typeof dashboards.find>[number]

const fewestLetters = 2
const mostLetters = 100
const typingPauseMs = 200

const kinds: Partial<Record<Found['entity'], string>> = {
  card: 'Memory card',
  moment: 'Moment',
  journey: 'Journey',
  topic: 'Topic',
  voice: 'Voice entry',
  logbook: 'Logbook entry',
}

/** What one keeps that is called so or says so, asked of the server when the hands rest. Keepers stand in the palette already. */
export function FoundInKeepers({ typed, onSelect }: { typed: string; onSelect: (found: Found) => void }) {
  const q = useRested(typed.trim().slice(0, mostLetters))
  const { data } = useQuery({
    queryKey: [...keepersKey, 'find', q],
    queryFn: async ({ signal }) => ({ q, found: await call(dashboards.find, { query: { q }, signal }) }),
    enabled: q.length >= fewestLetters,
    placeholderData: keepPreviousData,
    staleTime: 10_000,
  })
  const found = data?.found.filter(({ entity }) => entity !== 'keeper')
  if (!data || !found || found.length === 0 || q.length < fewestLetters) return null
  return (
    <Group heading="In your keepers">
      {found.map((each) => (
        <Item
          key={each.id}
          // With what was asked: it may stand further on in a text than what is shown of it.
          value={`${each.title} ${each.hint} ${each.id} ${data.q}`}
          onSelect={() => onSelect(each)}
          hint={[kinds[each.entity], each.hint].filter(Boolean).join(' · ')}
        >
          {each.title}
        </Item>
      ))}
    </Group>
  )
}

function useRested(typed: string): string {
  const [rested, setRested] = useState(typed)
  useEffect(() => {
    const timer = setTimeout(() => setRested(typed), typingPauseMs)
    return () => clearTimeout(timer)
  }, [typed])
  return rested
}
