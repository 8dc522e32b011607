import type { Services } from '#server/services.ts'
import { Problem } from './problem.ts'

/** What a stream tells: a run as it goes on, or what happens to a person, in each of their tabs. */
export type StreamKind = 'answers' | 'tabs'

/** Streams of each kind this process keeps open at once (trust.md row 53): tabs never take the place of answers. */
export const mostStreams = 500
const open: Record<StreamKind, number> = { answers: 0, tabs: 0 }

/** @throws Problem `streams-full` when nobody may open another */
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

/**
 * What a person may hold of each kind at once. Of answers twice as many as of tabs, begun and followed together: one beside
 * another in each tab, and still far below the runs one may have, which go on and are counted without being followed.
 */
const mostOfPerson: Record<StreamKind, number> = { answers: 32, tabs: 16 }
const taken = new WeakMap<Services, Map<string, number>>()
const words: Record<StreamKind, string> = {
  answers: 'You follow too many answers at once. Wait for one to end, stop one, or close a page that shows one.',
  tabs: 'Keeper is open in too many tabs at once. Close one.',
}

/**
 * A place of one person, or one visitor, in this process; to be taken before anything is begun that nobody could follow
 * then. Returns the function that gives it back, however often it is called.
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
  if (before >= (person ? mostOfPerson[kind] : mostOfVisitor(services)))
    throw new Problem('too-many', { message: words[kind], retryAfterSeconds: 5 })
  places.set(who, before + 1)
  let held = true
  return () => {
    if (!held) return
    held = false
    const left = (places.get(who) ?? 1) - 1
    if (left === 0) places.delete(who)
    else places.set(who, left)
  }
}

/** Each answer they may have begun, and each once more in another tab. */
function mostOfVisitor({ settings }: Services): number {
  return Math.min(2 * settings.limits.visitorRunsAtOnce, mostOfPerson.answers)
}
