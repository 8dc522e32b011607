import { expect, test } from 'vitest'
import { FairQueue } from './fair-queue.ts'

function work(durationMs: number): void {
  const until = performance.now() + durationMs
  while (performance.now() < until);
}

const waitForTick = () => new Promise((resolve) => setImmediate(resolve))

/** Each call waits until the queue lets it start, then works for 3 ms. */
function simulateClient(queue: FairQueue, order: string[]) {
  return async (client: string) => {
    const ready = queue.waitToStart(client)
    if (ready) await ready
    order.push(client)
    work(3)
  }
}

test('a client with many requests waits behind one with a single request', async () => {
  const order: string[] = []
  const enqueue = simulateClient(new FairQueue(), order)
  const flood = Promise.all(Array.from({ length: 40 }, () => enqueue('ben')))
  expect(order.length).toBeLessThanOrEqual(3)
  await waitForTick()
  await enqueue('ada')
  expect(order.filter((client) => client === 'ben').length).toBeLessThanOrEqual(6)
  await flood
  expect(order).toHaveLength(41)
})

test("one client's requests run in order", async () => {
  const queue = new FairQueue()
  const order: number[] = []
  await Promise.all(
    Array.from({ length: 20 }, async (_, number) => {
      await queue.waitToStart('ben')
      order.push(number)
      work(2)
    }),
  )
  expect(order).toEqual(Array.from({ length: 20 }, (_, number) => number))
})

test('two flooding clients alternate', async () => {
  const order: string[] = []
  const enqueue = simulateClient(new FairQueue(), order)
  await Promise.all([
    ...Array.from({ length: 10 }, () => enqueue('ben')),
    ...Array.from({ length: 10 }, () => enqueue('cleo')),
  ])
  const remaining = order.slice(6)
  for (let index = 0; index + 1 < 12; index += 2)
    expect(remaining.slice(index, index + 2).toSorted()).toEqual(['ben', 'cleo'])
})

test('occasional requests never wait', async () => {
  const queue = new FairQueue()
  for (let round = 0; round < 5; round++) {
    expect(queue.waitToStart('ada')).toBeUndefined()
    work(6)
    expect(queue.waitToStart('ben')).toBeUndefined()
    await waitForTick()
  }
})

/** Counts idle event-loop ticks while 30 of 60 requests of one client run. */
async function measureTicksDuringFlood(queue: FairQueue): Promise<{ idleTicks: number; finished: Promise<number> }> {
  let [doneCount, previousDoneCount, idleTicks] = [0, 0, 0]
  const flood = Promise.all(
    Array.from({ length: 60 }, async () => {
      const ready = queue.waitToStart('ben')
      if (ready) await ready
      work(3)
      doneCount += 1
    }),
  )
  const idling = setInterval(() => {
    if (doneCount === previousDoneCount) idleTicks += 1
    previousDoneCount = doneCount
  }, 1)
  while (doneCount < 30) await new Promise((resolve) => setTimeout(resolve, 1))
  clearInterval(idling)
  return { idleTicks, finished: flood.then(() => doneCount) }
}

test('a flood leaves two thirds of the time to others, and the loop idles', async () => {
  const queue = new FairQueue()
  queue.waitToStart('ada')
  const { idleTicks, finished } = await measureTicksDuringFlood(queue)
  expect(idleTicks, 'ticks without any executed request').toBeGreaterThan(20)
  expect(queue.waitToStart('ada'), 'a request of another client does not wait').toBeUndefined()
  expect(await finished).toBe(60)
})

/** Four hundred concurrent requests of one client, 0.1 ms each; `progress` also counts event-loop ticks. */
function floodWithSmallRequests(queue: FairQueue) {
  const progress = { done: 0, ticks: 0 }
  const finished = Promise.all(
    Array.from({ length: 400 }, async () => {
      const ready = queue.waitToStart('ben')
      if (ready) await ready
      work(0.1)
      progress.done += 1
    }),
  )
  const countTick = () => {
    progress.ticks += 1
    if (progress.done < 400) setImmediate(countTick)
  }
  setImmediate(countTick)
  return { progress, finished }
}

test('a client alone runs as many requests per tick as fit its share', async () => {
  const { progress, finished } = floodWithSmallRequests(new FairQueue())
  await finished
  expect(progress.ticks, 'ticks for 400 requests of 0.1 ms').toBeLessThan(100)
})

test('a client alone drops to one per tick as soon as another one comes', async () => {
  const queue = new FairQueue()
  const { progress, finished } = floodWithSmallRequests(queue)
  expect(progress.done, 'control: not all in one tick').toBeLessThan(100)
  await waitForTick()
  const doneAlone = progress.done
  expect(queue.waitToStart('ada')).toBeUndefined()
  await waitForTick()
  await waitForTick()
  expect(progress.done - doneAlone, 'one per tick next to another client').toBeLessThanOrEqual(3)
  await finished
  expect(progress.done).toBe(400)
})

test('a client alone never rests, however many requests wait', async () => {
  const { idleTicks, finished } = await measureTicksDuringFlood(new FairQueue())
  expect(idleTicks).toBeLessThanOrEqual(5)
  expect(await finished).toBe(60)
})
