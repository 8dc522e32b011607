import { queryOptions } from '@tanstack/react-query'
import { type MemoryPattern, memoryPatterns } from '#contract/keepers/memory-patterns.ts'
import { Unreachable } from '#web/api.ts'
import { readAllPages } from '#web/api-pages.ts'

/** `static`: the service is out of reach, and what comes with Keeper is shown with the figures of the specification. */
export interface PatternList {
  from: 'server' | 'static'
  patterns: MemoryPattern[]
}

export const patternsKey = ['memory-patterns'] as const

const leastMs = 500

const pattern = (slug: string, name: string, description: string, count: number): MemoryPattern => ({
  id: `system-${slug}`,
  slug,
  name,
  description,
  system: true,
  mine: false,
  sections: [],
  captureFrom: [],
  promote: { minAgeHours: 24, needsHuman: true },
  createdAt: '2026-01-05T08:00:00.000Z',
  updatedAt: '2026-01-05T08:00:00.000Z',
  rev: 1,
  _count: { Keeper: count },
})
const staticPatterns = [
  pattern('sole', 'SOLE', 'One standing story in single statements, approved by a person.', 15),
  pattern('crmtimeline', 'CRM Timeline', 'Everything by date: people, meetings and promises on one timeline.', 8),
]

export const patternsQuery = queryOptions({
  queryKey: [...patternsKey, 'list'],
  async queryFn({ signal, client }): Promise<PatternList> {
    const first = client.getQueryData([...patternsKey, 'list']) === undefined
    const least = first ? new Promise((done) => setTimeout(done, leastMs)) : undefined
    const [loaded] = await Promise.allSettled([readAllPages<MemoryPattern>(memoryPatterns.list, {}, signal), least])
    if (loaded.status === 'fulfilled') return { from: 'server', patterns: loaded.value }
    if (loaded.reason instanceof Unreachable) return { from: 'static', patterns: staticPatterns }
    throw loaded.reason
  },
  // Asked also offline, because then there is something to show; and again until the server is back.
  networkMode: 'always',
  refetchInterval: ({ state }) => (state.data?.from === 'static' ? 10_000 : false),
})
