import { expect, test } from 'vitest'
import { FairQueue } from './fair-queue.ts'

function work(ms: number): void {
  const until = performance.now() + ms
  while (performance.now() < until);
}

const waitForTick = () => new Promise((resolve) => setImmediate(resolve))

/** Waits for its turn, then works for 3 ms. */
function simulateClient(ticks: FairQueue, order: string[]) {
  return async (client: string) => {
    const ready = ticks.waitToStart(client)
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
  const ticks = new FairQueue()
  const order: number[] = []
  await Promise.all(
    Array.from({ length: 20 }, async (_, number) => {
      await ticks.waitToStart('ben')
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
  const ticks = new FairQueue()
  for (let round = 0; round < 5; round++) {
    expect(ticks.waitToStart('ada')).toBeUndefined()
    work(6)
    expect(ticks.waitToStart('ben')).toBeUndefined()
    await waitForTick()
  }
})

/** Counts idle event-loop ticks while 30 of 60 requests of one client run. */
async function measureTicksDuringFlood(ticks: FairQueue): Promise<{ idle: number; finished: Promise<number> }> {
  let [done, doneBefore, idle] = [0, 0, 0]
  const flood = Promise.all(
    Array.from({ length: 60 }, async () => {
      const ready = ticks.waitToStart('ben')
      if (ready) await ready
      work(3)
      done += 1
    }),
  )
  const idling = setInterval(() => {
    if (done === doneBefore) idle += 1
    doneBefore = done
  }, 1)
  while (done < 30) await new Promise((resolve) => setTimeout(resolve, 1))
  clearInterval(idling)
  return { idle, finished: flood.then(() => done) }
}

test('a flood leaves two thirds of the time to others, and the loop idles', async () => {
  const ticks = new FairQueue()
  ticks.waitToStart('ada')
  const { idle, finished } = await measureTicksDuringFlood(ticks)
  expect(idle, 'ticks without any executed request').toBeGreaterThan(20)
  expect(ticks.waitToStart('ada'), 'a request of another client does not wait').toBeUndefined()
  expect(await finished).toBe(60)
})

/** Four hundred concurrent requests of one client, 0.1 ms each; `progress` also counts event-loop ticks. */
function floodWithSmallRequests(ticks: FairQueue) {
  const progress = { done: 0, ticks: 0 }
  const finished = Promise.all(
    Array.from({ length: 400 }, async () => {
      const ready = ticks.waitToStart('ben')
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
  const ticks = new FairQueue()
  const { progress, finished } = floodWithSmallRequests(ticks)
  expect(progress.done, 'control: not all in one tick').toBeLessThan(100)
  await waitForTick()
  const alone = progress.done
  expect(ticks.waitToStart('ada')).toBeUndefined()
  await waitForTick()
  await waitForTick()
  expect(progress.done - alone, 'one per tick next to another client').toBeLessThanOrEqual(3)
  await finished
  expect(progress.done).toBe(400)
})

test('a client alone never rests, however many requests wait', async () => {
  const { idle, finished } = await measureTicksDuringFlood(new FairQueue())
  expect(idle).toBeLessThanOrEqual(5)
  expect(await finished).toBe(60)
})
