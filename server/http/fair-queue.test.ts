import { expect, test } from 'vitest'
import { FairQueue } from './fair-queue.ts'

function work(ms: number): void {
  const until = performance.now() + ms
  while (performance.now() < until);
}

const soon = () => new Promise((resolve) => setImmediate(resolve))

/** Waits for its turn, then works for 3 ms. */
function asking(turns: FairQueue, order: string[]) {
  return async (who: string) => {
    const turn = turns.turnOf(who)
    if (turn) await turn
    order.push(who)
    work(3)
  }
}

test('a client with many requests waits behind one with a single request', async () => {
  const order: string[] = []
  const ask = asking(new FairQueue(), order)
  const flood = Promise.all(Array.from({ length: 40 }, () => ask('ben')))
  expect(order.length).toBeLessThanOrEqual(3)
  await soon()
  await ask('ada')
  expect(order.filter((who) => who === 'ben').length).toBeLessThanOrEqual(6)
  await flood
  expect(order).toHaveLength(41)
})

test("one client's requests run in order", async () => {
  const turns = new FairQueue()
  const order: number[] = []
  await Promise.all(
    Array.from({ length: 20 }, async (_, number) => {
      await turns.turnOf('ben')
      order.push(number)
      work(2)
    }),
  )
  expect(order).toEqual(Array.from({ length: 20 }, (_, number) => number))
})

test('two flooding clients alternate', async () => {
  const order: string[] = []
  const ask = asking(new FairQueue(), order)
  await Promise.all([...Array.from({ length: 10 }, () => ask('ben')), ...Array.from({ length: 10 }, () => ask('cleo'))])
  const rest = order.slice(6)
  for (let at = 0; at + 1 < 12; at += 2) expect(rest.slice(at, at + 2).toSorted()).toEqual(['ben', 'cleo'])
})

test('occasional requests never wait', async () => {
  const turns = new FairQueue()
  for (let round = 0; round < 5; round++) {
    expect(turns.turnOf('ada')).toBeUndefined()
    work(6)
    expect(turns.turnOf('ben')).toBeUndefined()
    await soon()
  }
})

/** Counts idle event-loop ticks while 30 of 60 requests of one client run. */
async function idleTurnsBesideFlood(turns: FairQueue): Promise<{ idle: number; ended: Promise<number> }> {
  let [done, doneBefore, idle] = [0, 0, 0]
  const flood = Promise.all(
    Array.from({ length: 60 }, async () => {
      const turn = turns.turnOf('ben')
      if (turn) await turn
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
  return { idle, ended: flood.then(() => done) }
}

test('a flood leaves two thirds of the time to others, and the loop idles', async () => {
  const turns = new FairQueue()
  turns.turnOf('ada')
  const { idle, ended } = await idleTurnsBesideFlood(turns)
  expect(idle, 'turns of the loop in which nothing was carried out').toBeGreaterThan(20)
  expect(turns.turnOf('ada'), 'who asks meanwhile does not wait').toBeUndefined()
  expect(await ended).toBe(60)
})

/** Four hundred concurrent requests of one client, 0.1 ms each; `soFar` also counts event-loop ticks. */
function floodOfSmall(turns: FairQueue) {
  const soFar = { done: 0, turns: 0 }
  const ended = Promise.all(
    Array.from({ length: 400 }, async () => {
      const turn = turns.turnOf('ben')
      if (turn) await turn
      work(0.1)
      soFar.done += 1
    }),
  )
  const countTurn = () => {
    soFar.turns += 1
    if (soFar.done < 400) setImmediate(countTurn)
  }
  setImmediate(countTurn)
  return { soFar, ended }
}

test('a client alone runs as many requests per tick as fit its share', async () => {
  const { soFar, ended } = floodOfSmall(new FairQueue())
  await ended
  expect(soFar.turns, 'turns for 400 of a tenth of a millisecond').toBeLessThan(100)
})

test('a client alone drops to one per tick as soon as another one comes', async () => {
  const turns = new FairQueue()
  const { soFar, ended } = floodOfSmall(turns)
  expect(soFar.done, 'control: not all in one turn').toBeLessThan(100)
  await soon()
  const alone = soFar.done
  expect(turns.turnOf('ada')).toBeUndefined()
  await soon()
  await soon()
  expect(soFar.done - alone, 'one a turn beside somebody else').toBeLessThanOrEqual(3)
  await ended
  expect(soFar.done).toBe(400)
})

test('a client alone never rests, however many requests wait', async () => {
  const { idle, ended } = await idleTurnsBesideFlood(new FairQueue())
  expect(idle).toBeLessThanOrEqual(5)
  expect(await ended).toBe(60)
})
