import { expect, it } from 'vitest'
import { withReadSlot } from './archive-reader.ts'

it('archives of one owner are read one at a time, without blocking others', async () => {
  const started: string[] = []
  const ends = new Map<string, () => void>()
  const read = (ownerId: string, archive: string) =>
    withReadSlot(ownerId, async () => {
      started.push(archive)
      await new Promise<void>((end) => ends.set(archive, end))
    })
  const settle = () => new Promise((resolve) => setImmediate(resolve))
  const all = ['mallory 1', 'mallory 2', 'mallory 3', 'ada 1', 'ben 1', 'ada 2'].map((archive) =>
    read(archive.split(' ')[0] ?? '', archive),
  )
  await settle()
  expect(started).toEqual(['mallory 1', 'ada 1'])
  ends.get('ada 1')?.()
  await settle()
  expect(started.at(-1), 'before the others of who reads already').toBe('ben 1')
  ends.get('mallory 1')?.()
  await settle()
  expect(started.at(-1)).toBe('mallory 2')
  for (const archive of ['ben 1', 'mallory 2', 'ada 2', 'mallory 3']) {
    ends.get(archive)?.()
    await settle()
  }
  await Promise.all(all)
  expect(started).toHaveLength(6)
})

it('an archive that cannot be read releases its slot', async () => {
  await expect(withReadSlot('ada', () => Promise.reject(new Error('unreadable')))).rejects.toThrow('unreadable')
  expect(await withReadSlot('ada', async () => 'read')).toBe('read')
})
