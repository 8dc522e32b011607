import { expect, it, vi } from 'vitest'
import { searchCachedReads } from './use-keeper-search.ts'

const reads = [
  {
    url: '/api/keeper/keepers/1/moments?limit=50',
    answer: {
      data: [
        { id: 'm1', keeperId: '1', title: null, body: '# Fog\n\n- over the light**house** of [Skagen](https://x.org)' },
        { id: 'm2', keeperId: '1', title: '# 1 *lighthouse*', body: 'Seen.' },
      ],
    },
  },
]
vi.mock('#web/offline/local-store.ts', () => ({ getCurrentStore: () => ({ getAll: async () => reads }) }))

it('a cached entry shows its plain title, else its text without Markdown', async () => {
  const results = await searchCachedReads('light')
  expect(results.map(({ title }) => title)).toEqual(['Fog over the lighthouse of Skagen', '# 1 *lighthouse*'])
})
