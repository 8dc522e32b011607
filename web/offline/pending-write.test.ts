import { expect, it } from 'vitest'
import { keeperMedia } from '#contract/keepers/media.ts'
import { moments } from '#contract/keepers/moments.ts'
import { reflections } from '#contract/keepers/reflections.ts'
import { voice } from '#contract/keepers/voice.ts'
import { joined, nextToSend, type PendingWrite, pendingWrite } from './pending-write.ts'

const kept = { what: 'Moment', keeperId: 'k' }
const upload = (id: string) =>
  pendingWrite(
    keeperMedia.upload,
    { params: { id: 'k' }, query: { id }, bytes: new Blob(['x'], { type: 'image/png' }) },
    kept,
  )
const edit = (mediaIds: string[]) =>
  pendingWrite(moments.update, { params: { id: 'm' }, body: { mediaIds }, ifMatch: 1 }, kept)
const reflection = (id: string) =>
  pendingWrite(reflections.create, { params: { id: 'k' }, body: { id, content: 'Words.' } }, kept)

const fileOf = ({ query }: PendingWrite) => (query as { id?: string } | undefined)?.id

function sent(writes: PendingWrite[]): (string | undefined)[] {
  let queue = writes.reduce<PendingWrite[]>(joined, [])
  const order: (string | undefined)[] = []
  for (let next = nextToSend(queue); next; next = nextToSend(queue)) {
    order.push(fileOf(next) ?? next.thing)
    queue = queue.filter((each) => each !== next)
  }
  return order
}

it('a picture referenced by a merged edit is sent before it', () => {
  const writes = [reflection('r'), upload('b'), edit(['a', 'b']), reflection('s'), upload('other'), upload('c')]
  expect(sent([...writes, edit(['a', 'b', 'c'])])).toEqual(['r', 'b', 'c', 'm', 's', 'other'])
})

it('a recording is sent before the entry that references it', () => {
  const changed = (body: object) =>
    pendingWrite(voice.update, { params: { id: 'v' }, body: body as Record<string, unknown>, ifMatch: 1 }, kept)
  expect(sent([changed({ belief: 'b' }), upload('sound'), changed({ audioId: 'sound' })])).toEqual(['sound', 'v'])
})

it('a refused picture is not resent and does not block its edit', () => {
  const [first, second] = [upload('b'), edit(['b'])].reduce<PendingWrite[]>(joined, [])
  const refused = { ...first, state: 'refused' } as PendingWrite
  expect(nextToSend([refused, second as PendingWrite])).toBe(second)
})
