import { expect, test } from 'vitest'
import { LongReads, runAsPerson } from './long-reads.ts'

function createReads(limits: { concurrency: number; perPerson: number; heavy?: number }, now?: () => number) {
  const longReads = new LongReads({ heavy: 1, ...limits }, now)
  const started: string[] = []
  const ends = new Map<string, PromiseWithResolvers<string>>()
  return {
    started,
    read(name: string, personId?: string): Promise<string> {
      const end = Promise.withResolvers<string>()
      ends.set(name, end)
      const work = () =>
        longReads.run((load) => {
          started.push(load === 'heavy' ? `${name}, heavy` : name)
          return end.promise
        })
      return personId === undefined ? work() : runAsPerson(personId, work)
    },
    async end(name: string): Promise<void> {
      ends.get(name)?.resolve(name)
      await new Promise((resolve) => setImmediate(resolve))
    },
    fail: (name: string) => ends.get(name)?.reject(new Error(name)),
  }
}

test("a continuous reader waits for their own reads, and others don't", async () => {
  const { started, read, end } = createReads({ concurrency: 3, perPerson: 1 })
  for (const name of ['ben 1', 'ben 2', 'ben 3']) void read(name, 'ben')
  void read('ada 1', 'ada')
  expect(started).toEqual(['ben 1', 'ada 1'])
  await end('ben 1')
  expect(started).toEqual(['ben 1', 'ada 1', 'ben 2'])
  await end('ada 1')
  expect(started).toEqual(['ben 1', 'ada 1', 'ben 2'])
})

test('when all slots are taken, the first allowed reader is next', async () => {
  const { started, read, end } = createReads({ concurrency: 2, perPerson: 1 })
  for (const name of ['ben 1', 'ben 2']) void read(name, 'ben')
  void read('ada 1', 'ada')
  void read('cleo 1', 'cleo')
  expect(started).toEqual(['ben 1', 'ada 1'])
  await end('ada 1')
  expect(started).toEqual(['ben 1', 'ada 1', 'cleo 1'])
})

test('background reads share one slot in addition to the slots of people', () => {
  const { started, read } = createReads({ concurrency: 3, perPerson: 1 })
  for (const name of ['sweep 1', 'sweep 2']) void read(name)
  void read('ada 1', 'ada')
  expect(started).toEqual(['sweep 1', 'ada 1'])
})

test('a failed read releases its slot and rejects', async () => {
  const { started, read, fail } = createReads({ concurrency: 1, perPerson: 1 })
  const first = read('ben 1', 'ben')
  const second = read('ada 1', 'ada')
  fail('ben 1')
  await expect(first).rejects.toThrow('ben 1')
  expect(started).toEqual(['ben 1', 'ada 1'])
  fail('ada 1')
  await expect(second).rejects.toThrow('ada 1')
})

test('reads after the response still count for the person', async () => {
  const { started, read } = createReads({ concurrency: 3, perPerson: 1 })
  await runAsPerson('ben', async () => {
    await new Promise((resolve) => setTimeout(resolve, 1))
    for (const name of ['later 1', 'later 2']) void read(name)
  })
  expect(started).toEqual(['later 1'])
})

test('heavy readers share one slot until they have rested', async () => {
  let now = 0
  const { started, read, end } = createReads({ concurrency: 3, perPerson: 1 }, () => now)
  void read('ben 1', 'ben')
  void read('cleo 1', 'cleo')
  now += 1_200
  await end('ben 1')
  await end('cleo 1')
  for (const personId of ['ben', 'cleo', 'ada']) void read(`${personId} 2`, personId)
  expect(started.slice(2)).toEqual(['ben 2, heavy', 'ada 2'])
  await end('ben 2')
  expect(started.slice(4)).toEqual(['cleo 2, heavy'])
  await end('cleo 2')
  now += 2_000
  void read('ben 3', 'ben')
  expect(started.slice(5), 'the heavy reads of Ben are forgotten').toEqual(['ben 3'])
})

test('while others read, a heavy reader rests after each read', async () => {
  let now = 0
  const { started, read, end } = createReads({ concurrency: 3, perPerson: 1 }, () => now)
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
  expect(started.slice(1)).toEqual(['ada 1', 'ben 2, heavy', 'ada 2'])
  await expect.poll(() => started.at(-1)).toBe('ben 3, heavy')
})
