import { describe, expect, it, vi } from 'vitest'
import { maxStreams, type StreamKind, type StreamSlot, StreamSlots } from './stream-slots.ts'

const [tabsOfPerson, answersOfPerson] = [16, 32]
const limits = { visitorConcurrency: 2 }

/** Creates slots with named streams, which end when their slot is taken. */
function createSlotPool() {
  const slots = new StreamSlots(limits)
  const open: { name: string; slot: StreamSlot }[] = []
  const evicted: string[] = []
  const take = (person: string, address: string, kind: StreamKind = 'tabs') => {
    const slot = slots.acquire(kind, { address, person: { id: person }, visitor: null })
    const name = `${person} at ${address}`
    const entry = { name, slot }
    slot.onEvicted(() => {
      open.splice(open.indexOf(entry), 1)
      evicted.push(name)
    })
    open.push(entry)
    return slot
  }
  const getRefusal = (person: string, address: string, kind?: StreamKind) => {
    try {
      take(person, address, kind)
    } catch (error) {
      return error
    }
    return undefined
  }
  const countOpen = (matches: (name: string) => boolean) => open.filter(({ name }) => matches(name)).length
  return { slots, take, getRefusal, evicted, open, countOpen }
}

/** Enough accounts to fill all slots from one address, each with its maximum of tabs. */
function fillSlots({ take, open }: ReturnType<typeof createSlotPool>, address = 'mallory', tabs = tabsOfPerson): void {
  for (let number = 0; open.length < maxStreams; number++)
    for (let tab = 0; tab < tabs && open.length < maxStreams; tab++) take(`account ${number}`, address)
}

const slotsFull = { kind: 'streams-full', details: { retryAfterSeconds: 5 } }

describe('stream slots', () => {
  it('while slots are free, only the per-person limit applies', () => {
    const { take, getRefusal, evicted, open } = createSlotPool()
    for (let tab = 0; tab < tabsOfPerson; tab++) take('ada', 'office')
    expect(getRefusal('ada', 'office')).toMatchObject({ kind: 'too-many', details: { retryAfterSeconds: 5 } })
    expect(getRefusal('ada', 'elsewhere')).toMatchObject({ kind: 'too-many' })
    for (let number = tabsOfPerson; number < maxStreams; number++) take(`colleague ${number}`, 'office')
    expect({ openCount: open.length, evicted }).toEqual({ openCount: maxStreams, evicted: [] })
  })

  it('a second address takes the oldest slot of an address that holds all, once', () => {
    const filled = createSlotPool()
    fillSlots(filled)
    const { getRefusal, evicted, open } = filled
    expect(getRefusal('ada', 'home')).toBeUndefined()
    expect(evicted).toEqual(['account 0 at mallory'])
    expect(open).toHaveLength(maxStreams)
    expect(getRefusal('account 0', 'mallory'), 'the stream that was closed').toMatchObject(slotsFull)
    expect(getRefusal('a fresh account', 'home'), 'other streams at the other address').toBeUndefined()
    expect(evicted).toEqual(['account 0 at mallory', 'account 1 at mallory'])
  })

  it('a new account at a flooding address takes slots from its accounts only', () => {
    const filled = createSlotPool()
    for (let number = 0; number < 10; number++) filled.take(`guest ${number}`, 'home')
    fillSlots(filled)
    for (let attempt = 0; attempt < 200; attempt++) filled.getRefusal('account 9', 'mallory')
    for (let number = 100; number < 200; number++) filled.getRefusal(`account ${number}`, 'mallory')
    expect(filled.evicted.every((name) => name.endsWith('mallory'))).toBe(true)
    expect(filled.countOpen((name) => name.endsWith('home'))).toBe(10)
  })

  it('everyone at one address gets a first stream before anyone keeps a second', () => {
    const filled = createSlotPool()
    fillSlots(filled, 'proxy')
    const people = Array.from({ length: maxStreams - 40 }, (_, number) => `person ${number}`)
    for (const person of people) expect(filled.getRefusal(person, 'proxy'), person).toBeUndefined()
    for (const person of people) expect(filled.countOpen((name) => name.startsWith(`${person} at`))).toBe(1)
    expect(filled.open).toHaveLength(maxStreams)
  })

  it('no one loses their only stream to someone who has one', () => {
    const filled = createSlotPool()
    fillSlots(filled, 'office', 1)
    expect(filled.getRefusal('ada', 'home')).toBeUndefined()
    expect(filled.getRefusal('ada', 'home')).toMatchObject(slotsFull)
    expect(
      filled.getRefusal('account 0', 'office'),
      'no one in the office loses a stream with one stream each',
    ).toMatchObject(slotsFull)
    expect(filled.evicted).toHaveLength(1)
  })

  it('clients that reconnect after every eviction reach a stable state', () => {
    const filled = createSlotPool()
    const addresses = ['one', 'two', 'three', 'four']
    const clients = addresses.flatMap((address, index) =>
      Array.from(
        { length: 60 * (index + 1) },
        (_, number) => [`${address} ${number % (10 * (index + 1))}`, address] as const,
      ),
    )
    for (const [person, address] of clients) filled.getRefusal(person, address)
    for (let round = 0; round < 4; round++) for (const [person, address] of clients) filled.getRefusal(person, address)
    const evictedCount = filled.evicted.length
    for (let round = 0; round < 4; round++) for (const [person, address] of clients) filled.getRefusal(person, address)
    expect(filled.evicted.length).toBe(evictedCount)
    expect(filled.open).toHaveLength(maxStreams)
  })

  it('tabs and answers have separate slots, and visitors fewer', () => {
    const filled = createSlotPool()
    fillSlots(filled)
    for (let number = 0; number < answersOfPerson; number++) filled.take('ada', 'home', 'answers')
    expect(filled.getRefusal('ada', 'home', 'answers')).toMatchObject({ kind: 'too-many' })
    const acquireAsVisitor = () =>
      filled.slots.acquire('answers', { address: 'home', person: null, visitor: { id: 'cookie' } })
    for (let number = 0; number < 2 * limits.visitorConcurrency; number++) acquireAsVisitor()
    expect(acquireAsVisitor).toThrow('You’re following too many answers at once')
    expect(filled.evicted).toEqual([])
  })

  it('releasing is idempotent, and eviction before the start ends the stream', () => {
    const filled = createSlotPool()
    const early = filled.slots.acquire('tabs', { address: 'mallory', person: { id: 'early' }, visitor: null })
    for (let tab = 1; tab < tabsOfPerson; tab++) filled.take('early', 'mallory')
    fillSlots(filled)
    filled.open.at(-1)?.slot.release()
    filled.open.at(-1)?.slot.release()
    filled.take('ada', 'home')
    filled.take('ada', 'home')
    const end = vi.fn()
    early.onEvicted(end)
    expect(end).toHaveBeenCalledTimes(1)
    early.release()
    const evictedCount = filled.evicted.length
    filled.take('ada', 'home')
    expect(filled.evicted, 'all slots were still taken').toHaveLength(evictedCount + 1)
  })
})
