import type { Services } from '#server/services.ts'
import { Problem } from './problem.ts'

/** What a stream tells: a run as it goes on, or what happens to a person, in each of their tabs. */
export type StreamKind = 'answers' | 'tabs'

/** Streams of each kind this process keeps open at once (trust.md row 53): tabs never take the place of answers. */
export const mostStreams = 500
const open: Record<StreamKind, number> = { answers: 0, tabs: 0 }

/** To be asked before anything is begun that nobody could follow then. @throws Problem `streams-full` */
export function requireStreamRoom(kind: StreamKind): void {
  if (open[kind] >= mostStreams) throw new Problem('streams-full', { retryAfterSeconds: 5 })
}

/** Returns the function that counts it out again, however often it is called. */
export function countStream(kind: StreamKind): () => void {
  open[kind]++
  let counted = true
  return () => {
    if (counted) open[kind]--
    counted = false
  }
}

/** What one may follow at once: tabs, and answers in each that one comes back to. */
const mostOf = { person: 16, visitor: 4 }
const taken = new WeakMap<Services, Map<string, number>>()
const words: Record<StreamKind, string> = {
  answers: 'Too many answers are being followed at once. Close a tab that shows one.',
  tabs: 'Keeper is open in too many tabs at once. Close one.',
}

/**
 * A place of one person, or one visitor, in this process. Returns the function that gives it back.
 * @throws Problem `too-many` when they have none left, `streams-full` when nobody has
 */
export function takeStreamPlace(
  services: Services,
  kind: StreamKind,
  { person, visitor }: { person: { id: string } | null; visitor: { id: string } | null },
): () => void {
  requireStreamRoom(kind)
  const places = taken.get(services) ?? new Map<string, number>()
  taken.set(services, places)
  const who = `${kind} ${person?.id ?? visitor?.id ?? ''}`
  const before = places.get(who) ?? 0
  if (before >= (person ? mostOf.person : mostOf.visitor))
    throw new Problem('too-many', { message: words[kind], retryAfterSeconds: 5 })
  places.set(who, before + 1)
  return () => {
    const left = (places.get(who) ?? 1) - 1
    if (left === 0) places.delete(who)
    else places.set(who, left)
  }
}
