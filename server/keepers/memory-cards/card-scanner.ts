import { parentPort } from 'node:worker_threads'
import { SignsOfCards } from './signs-of-cards.ts'

/** What the scanner is asked: to know cards, to forget a set of them, to find the nearest. */
export type ScannerJob =
  | { kind: 'know'; set: string; width: number; ids: string[]; signs: Uint8Array }
  | { kind: 'forget'; set: string }
  | { kind: 'nearest'; set: string; signs: Uint8Array; count: number }

export interface ScannerMessage {
  id: number
  job: ScannerJob
}

export interface ScannerReply {
  id: number
  /** Nearest first. */
  ids?: string[]
  /** Cards of the set. */
  size?: number
  error?: string
}

const port = parentPort
if (!port) throw new Error('The scanner runs as a worker thread only')
const sets = new Map<string, SignsOfCards>()
port.on('message', ({ id, job }: ScannerMessage) => {
  try {
    port.postMessage({ id, ...answer(job) } satisfies ScannerReply)
  } catch (error) {
    port.postMessage({ id, error: String(error) } satisfies ScannerReply)
  }
})

function answer(job: ScannerJob): Omit<ScannerReply, 'id'> {
  if (job.kind === 'forget') {
    sets.delete(job.set)
    return {}
  }
  if (job.kind === 'nearest') {
    const set = sets.get(job.set)
    return { ids: set?.nearest(job.signs, job.count) ?? [], size: set?.size ?? 0 }
  }
  let set = sets.get(job.set)
  if (!set) {
    set = new SignsOfCards(job.width)
    sets.set(job.set, set)
  }
  for (const [at, card] of job.ids.entries()) set.put(card, job.signs.subarray(at * job.width, (at + 1) * job.width))
  return { size: set.size }
}
