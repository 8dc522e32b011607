import { expect, it } from 'vitest'
import { keeperMedia } from '#contract/keepers/media.ts'
import { moments } from '#contract/keepers/moments.ts'
import { reflections } from '#contract/keepers/reflections.ts'
import { voice } from '#contract/keepers/voice.ts'
import {
  addToQueue,
  applyPendingWrites,
  createPendingWrite,
  findNextToSend,
  type PendingWrite,
} from './pending-write.ts'

const writeContext = { what: 'Moment', keeperId: 'k' }
const createUpload = (id: string) =>
  createPendingWrite(
    keeperMedia.upload,
    { params: { id: 'k' }, query: { id }, bytes: new Blob(['x'], { type: 'image/png' }) },
    writeContext,
  )
const createEdit = (mediaIds: string[]) =>
  createPendingWrite(moments.update, { params: { id: 'm' }, body: { mediaIds }, ifMatch: 1 }, writeContext)
const createReflection = (id: string) =>
  createPendingWrite(reflections.create, { params: { id: 'k' }, body: { id, content: 'Words.' } }, writeContext)

const getFileId = ({ query }: PendingWrite) => (query as { id?: string } | undefined)?.id

function listSent(writes: PendingWrite[]): (string | undefined)[] {
  let queue = writes.reduce<PendingWrite[]>(addToQueue, [])
  const order: (string | undefined)[] = []
  for (let next = findNextToSend(queue); next; next = findNextToSend(queue)) {
    order.push(getFileId(next) ?? next.thing)
    queue = queue.filter((other) => other !== next)
  }
  return order
}

it('a picture referenced by a merged edit is sent before it', () => {
  const writes = [
    createReflection('r'),
    createUpload('b'),
    createEdit(['a', 'b']),
    createReflection('s'),
    createUpload('other'),
    createUpload('c'),
  ]
  expect(listSent([...writes, createEdit(['a', 'b', 'c'])])).toEqual(['r', 'b', 'c', 'm', 's', 'other'])
})

it('a recording is sent before the entry that references it', () => {
  const createVoiceEdit = (body: object) =>
    createPendingWrite(
      voice.update,
      { params: { id: 'v' }, body: body as Record<string, unknown>, ifMatch: 1 },
      writeContext,
    )
  expect(
    listSent([createVoiceEdit({ belief: 'b' }), createUpload('sound'), createVoiceEdit({ audioId: 'sound' })]),
  ).toEqual(['sound', 'v'])
})

it('a refused picture is not resent and does not block its edit', () => {
  const [first, second] = [createUpload('b'), createEdit(['b'])].reduce<PendingWrite[]>(addToQueue, [])
  const refused = { ...first, state: 'refused' } as PendingWrite
  expect(findNextToSend([refused, second as PendingWrite])).toBe(second)
})

const createWrite = (entityId: string, body: Record<string, unknown>, creates = false) =>
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
    createWrite('m', { body: 'first', mediaIds: ['b'] }),
    createWrite('other', { body: 'of another' }),
    createWrite('m', { body: 'second', topics: ['Per'] }),
    createWrite('m', { body: 'made' }, true),
  ]
  expect(applyPendingWrites(moment, writes, { topics: (names: string[]) => names.map((name) => ({ name })) })).toEqual({
    ...moment,
    body: 'second',
    topics: [{ name: 'Per' }],
  })
  expect(applyPendingWrites(moment, [])).toBe(moment)
})
