import { expect, it, vi } from 'vitest'
import type { Path } from '#contract/keepers/journeys.ts'
import type { KeeperWrite } from '../use-keeper-write.ts'
import { saveWaypoints } from './use-path-writes.ts'
import { addWaypoint } from './waypoint-list.ts'

const queuedWrites: unknown[] = []
vi.mock('#web/offline/write-queue.ts', () => ({
  getCurrentQueue: () => ({ load: async () => undefined, getWrites: () => queuedWrites }),
}))

it('a waypoint added offline survives adding another one', async () => {
  const path = { id: 'p', rev: 1, title: 'Main', waypoints: [] as Path['waypoints'] } as Path
  const write = vi.fn(async (_endpoint: unknown, input: { body: { waypoints: { title: string }[] } }) => {
    queuedWrites.push({ thing: 'p', endpoint: { method: 'PUT', path: '/', creates: false }, body: input.body })
    return { state: 'queued' }
  })
  const add = (id: string, title: string) =>
    saveWaypoints(write as unknown as KeeperWrite, path, addWaypoint(id, { title, note: '', dueOn: null }))
  await add('a', 'Pack')
  await add('b', 'Sail')
  expect(write.mock.lastCall?.[1].body.waypoints.map(({ title }) => title)).toEqual(['Pack', 'Sail'])
})
