import { Problem } from '#server/http/problem.ts'
import type { Services } from '#server/services.ts'
import type { Runner } from './runner.ts'

/** Streams of runs one may come back to at once, in this process (trust.md row 53): tabs, and runs in each. */
const most = { person: 16, visitor: 4 }
const taken = new WeakMap<Services, Map<string, number>>()

/** Returns the function that gives the place back. @throws Problem `too-many` when there is none left */
export function takeStreamPlace(services: Services, { person, visitor }: Runner): () => void {
  const places = taken.get(services) ?? new Map<string, number>()
  taken.set(services, places)
  const who = person?.id ?? visitor?.id ?? ''
  const before = places.get(who) ?? 0
  if (before >= (person ? most.person : most.visitor))
    throw new Problem('too-many', {
      message: 'Too many answers are being followed at once. Close a tab that shows one.',
      retryAfterSeconds: 5,
    })
  places.set(who, before + 1)
  return () => {
    const left = (places.get(who) ?? 1) - 1
    if (left === 0) places.delete(who)
    else places.set(who, left)
  }
}
