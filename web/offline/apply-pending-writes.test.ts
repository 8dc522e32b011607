import { expect, it } from 'vitest'
import { applyPendingWrites } from './apply-pending-writes.ts'
import type { PendingWrite } from './pending-write.ts'

const write = (entityId: string, body: Record<string, unknown>, creates = false) =>
  ({
    thing: entityId,
    body,
    endpoint: { method: creates ? 'POST' : 'PUT', path: '/', creates },
  }) as unknown as PendingWrite

it('an entry shows its pending edits and no other changes', () => {
  const moment = {
    id: 'm',
    body: 'old',
    title: null as string | null,
    topics: [{ name: 'Lake' }],
    media: ['a'],
    rev: 3,
  }
  const writes = [
    write('m', { body: 'first', mediaIds: ['b'] }),
    write('other', { body: 'of another' }),
    write('m', { body: 'second', topics: ['Per'] }),
    write('m', { body: 'made' }, true),
  ]
  expect(applyPendingWrites(moment, writes, { topics: (names: string[]) => names.map((name) => ({ name })) })).toEqual({
    ...moment,
    body: 'second',
    topics: [{ name: 'Per' }],
  })
  expect(applyPendingWrites(moment, [])).toBe(moment)
})
