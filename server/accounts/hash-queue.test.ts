import { expect, test } from 'vitest'
import { HashQueue } from './hash-queue.ts'

/** Hashes that finish on command, in order of their start. */
function createHashes(queue: HashQueue) {
  const started: string[] = []
  const refused: string[] = []
  const finishers: (() => void)[] = []
  const enqueue = (address: string, { isSuspected } = { isSuspected: false }) => {
    void queue
      .run({ address, isSuspected }, () => {
        started.push(address)
        return new Promise<void>((resolve) => finishers.push(resolve))
      })
      .catch(() => refused.push(address))
  }
  const settle = () => new Promise((resolve) => setImmediate(resolve))
  return {
    started,
    refused,
    enqueue,
    settle,
    async finishNext() {
      finishers.shift()?.()
      await settle()
    },
  }
}

test("an address with many waiting hashes can't crowd out another", async () => {
  const { enqueue, started, refused, finishNext, settle } = createHashes(new HashQueue(1))
  for (let number = 0; number < 60; number++) enqueue('198.51.100.1')
  await settle()
  // One runs and 50 wait.
  expect(refused).toHaveLength(9)
  enqueue('203.0.113.1')
  await settle()
  expect(refused).toHaveLength(10)
  expect(refused).not.toContain('203.0.113.1')
  await finishNext()
  await finishNext()
  expect(started).toEqual(['198.51.100.1', '198.51.100.1', '203.0.113.1'])
})

test('suspected addresses delay no one and are evicted first', async () => {
  const { enqueue, started, refused, settle } = createHashes(new HashQueue(1))
  for (let number = 0; number < 51; number++) enqueue(`198.51.100.${number}`, { isSuspected: true })
  await settle()
  expect(refused).toEqual([])
  enqueue('203.0.113.1')
  enqueue('203.0.113.2')
  enqueue('198.51.100.99', { isSuspected: true })
  await settle()
  expect(refused).toHaveLength(2)
  expect(refused).toContain('198.51.100.99')
  expect(refused).not.toContain('203.0.113.2')
  expect(started).toEqual(['198.51.100.0', '203.0.113.1'])
})

test('a suspected hash never evicts an unsuspected one', async () => {
  const { enqueue, refused, settle } = createHashes(new HashQueue(1))
  enqueue('198.51.100.2', { isSuspected: true })
  for (let number = 0; number < 51; number++) enqueue('203.0.113.1')
  enqueue('198.51.100.1', { isSuspected: true })
  await settle()
  expect(refused).toEqual(['198.51.100.1'])
})

test('only suspected hashes pause after a suspected one', async () => {
  const { enqueue, started, finishNext } = createHashes(new HashQueue(1))
  enqueue('198.51.100.1', { isSuspected: true })
  enqueue('198.51.100.2', { isSuspected: true })
  await new Promise((resolve) => setTimeout(resolve, 60))
  await finishNext()
  expect(started).toEqual(['198.51.100.1'])
  enqueue('203.0.113.1')
  expect(started).toEqual(['198.51.100.1', '203.0.113.1'])
  await finishNext()
  await expect.poll(() => started).toEqual(['198.51.100.1', '203.0.113.1', '198.51.100.2'])
})

test('a failing hash frees its slot', async () => {
  const queue = new HashQueue(1)
  const failing = queue.run({ address: 'a', isSuspected: false }, () => Promise.reject(new Error('no')))
  const next = queue.run({ address: 'b', isSuspected: false }, () => Promise.resolve('hashed'))
  await expect(failing).rejects.toThrow('no')
  await expect(next).resolves.toBe('hashed')
})
