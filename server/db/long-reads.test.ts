import { expect, test } from 'vitest'
import { asPerson, LongReads } from './long-reads.ts'

function reads(places: { atOnce: number; ofOne: number; ofMany?: number }, now?: () => number) {
  const longReads = new LongReads({ ofMany: 1, ...places }, now)
  const begun: string[] = []
  const ends = new Map<string, PromiseWithResolvers<string>>()
  return {
    begun,
    read(name: string, who?: string): Promise<string> {
      const end = Promise.withResolvers<string>()
      ends.set(name, end)
      const work = () =>
        longReads.inTurn((of) => {
          begun.push(of === 'many' ? `${name} of many` : name)
          return end.promise
        })
      return who === undefined ? work() : asPerson(who, work)
    },
    async end(name: string): Promise<void> {
      ends.get(name)?.resolve(name)
      await new Promise((resolve) => setImmediate(resolve))
    },
    fail: (name: string) => ends.get(name)?.reject(new Error(name)),
  }
}

test("a continuous reader waits for their own reads, and others don't", async () => {
  const { begun, read, end } = reads({ atOnce: 3, ofOne: 1 })
  for (const name of ['ben 1', 'ben 2', 'ben 3']) void read(name, 'ben')
  void read('ada 1', 'ada')
  expect(begun).toEqual(['ben 1', 'ada 1'])
  await end('ben 1')
  expect(begun).toEqual(['ben 1', 'ada 1', 'ben 2'])
  await end('ada 1')
  expect(begun).toEqual(['ben 1', 'ada 1', 'ben 2'])
})

test('when all slots are taken, the first allowed reader is next', async () => {
  const { begun, read, end } = reads({ atOnce: 2, ofOne: 1 })
  for (const name of ['ben 1', 'ben 2']) void read(name, 'ben')
  void read('ada 1', 'ada')
  void read('cleo 1', 'cleo')
  expect(begun).toEqual(['ben 1', 'ada 1'])
  await end('ada 1')
  expect(begun).toEqual(['ben 1', 'ada 1', 'cleo 1'])
})

test('background reads share one slot, next to those of people', () => {
  const { begun, read } = reads({ atOnce: 3, ofOne: 1 })
  for (const name of ['sweep 1', 'sweep 2']) void read(name)
  void read('ada 1', 'ada')
  expect(begun).toEqual(['sweep 1', 'ada 1'])
})

test('a failed read releases its slot and rejects', async () => {
  const { begun, read, fail } = reads({ atOnce: 1, ofOne: 1 })
  const first = read('ben 1', 'ben')
  const second = read('ada 1', 'ada')
  fail('ben 1')
  await expect(first).rejects.toThrow('ben 1')
  expect(begun).toEqual(['ben 1', 'ada 1'])
  fail('ada 1')
  await expect(second).rejects.toThrow('ada 1')
})

test('reads after the response still count for the person', async () => {
  const { begun, read } = reads({ atOnce: 3, ofOne: 1 })
  await asPerson('ben', async () => {
    await new Promise((resolve) => setTimeout(resolve, 1))
    for (const name of ['later 1', 'later 2']) void read(name)
  })
  expect(begun).toEqual(['later 1'])
})

test('heavy readers share one slot until they have rested', async () => {
  let now = 0
  const { begun, read, end } = reads({ atOnce: 3, ofOne: 1 }, () => now)
  void read('ben 1', 'ben')
  void read('cleo 1', 'cleo')
  now += 1_200
  await end('ben 1')
  await end('cleo 1')
  for (const who of ['ben', 'cleo', 'ada']) void read(`${who} 2`, who)
  expect(begun.slice(2)).toEqual(['ben 2 of many', 'ada 2'])
  await end('ben 2')
  expect(begun.slice(4)).toEqual(['cleo 2 of many'])
  await end('cleo 2')
  now += 2_000
  void read('ben 3', 'ben')
  expect(begun.slice(5), 'they have rested').toEqual(['ben 3'])
})

test('while others read, a heavy reader rests after each read', async () => {
  let now = 0
  const { begun, read, end } = reads({ atOnce: 3, ofOne: 1 }, () => now)
  void read('ben 1', 'ben')
  now += 1_200
  await end('ben 1')
  void read('ada 1', 'ada')
  void read('ben 2', 'ben')
  await end('ada 1')
  now += 20
  await end('ben 2')
  void read('ben 3', 'ben')
  void read('ada 2', 'ada')
  expect(begun.slice(1)).toEqual(['ada 1', 'ben 2 of many', 'ada 2'])
  await expect.poll(() => begun.at(-1)).toBe('ben 3 of many')
})
