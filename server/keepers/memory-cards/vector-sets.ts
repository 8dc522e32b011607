import { preparedQuery } from '#server/db/database.ts'
import { dayMs } from '#server/hours-and-days.ts'
import type { Services } from '#server/services.ts'
import { AskedThread } from '#server/threads/asked-thread.ts'
import { threadFile } from '#server/threads/thread-start.ts'
import type { ScannerJob, ScannerReply } from './card-scanner.ts'

/**
 * Bytes the thread holds at most, of all keepers together: of each card its signs and 64 more. 96 MB are a million cards of
 * the built-in model.
 */
const mostBytes = 96 * 1024 * 1024
/** A set without cards weighs as much: there are as many as keepers that somebody searched, deleted ones too. */
const emptySetBytes = 16 * 1024
const rowsAtOnce = 5_000
/** A vector may be committed this much later than the time it carries. */
const latestCommitMs = 5_000
/** A set is added to and never taken from; so often it is read anew, without the cards that were deleted since. */
const renewedAfterMs = dayMs

/** Compares vectors, so that no scan holds up the requests of others. */
type ScannerThread = AskedThread<ScannerJob, ScannerReply>

interface VectorSet {
  /** What the thread calls it. */
  readonly name: string
  readonly beganAt: number
  /** When it was last read. */
  readAt: number
  bytes: number
  /** The readings of one set go one after the other. */
  reading: Promise<unknown>
  /** Another is read that will take its place. */
  isRenewing: boolean
}

interface Scanner {
  thread: ScannerThread
  /** By keeper and model, the least recently asked first. */
  sets: Map<string, VectorSet>
  begun: number
}
const scanners = new WeakMap<Services, Scanner>()

/**
 * The cards of one keeper whose vectors of one model differ from a vector in the fewest signs, nearest first; with it,
 * how many vectors there are. What was written since the last time is read first. Cards that are gone or in the bin
 * may be among them; those that are gone leave when the set is read anew.
 */
export async function nearestCards(
  services: Services,
  of: { keeperId: string; model: string },
  signs: Uint8Array,
  count: number,
): Promise<{ ids: string[]; size: number }> {
  const scanner = scannerOf(services)
  const { thread, sets } = scanner
  const key = `${of.keeperId} ${of.model}`
  const reading = { ...of, key, width: signs.length }
  for (;;) {
    const set = sets.get(key) ?? newSet(services, scanner)
    sets.delete(key)
    sets.set(key, set)
    if (!set.isRenewing && services.now().getTime() - set.beganAt > renewedAfterMs) {
      set.isRenewing = true
      void renew(services, scanner, { ...reading, set })
    }
    const read = set.reading.then(() => readNew(services, scanner, { ...reading, set }))
    set.reading = read.catch(() => undefined)
    await read
    if (sets.get(key) === set) {
      const { ids = [], size = 0 } = await thread.ask({ kind: 'nearest', set: set.name, signs, count })
      return { ids, size }
    }
    // Forgotten or replaced while it was read, and perhaps made again by what was read after that.
    await thread.ask({ kind: 'forget', set: set.name })
  }
}

function newSet(services: Services, scanner: Scanner): VectorSet {
  scanner.begun += 1
  const beganAt = services.now().getTime()
  return {
    name: `${scanner.begun}`,
    beganAt,
    readAt: 0,
    bytes: emptySetBytes,
    reading: Promise.resolve(),
    isRenewing: false,
  }
}

/** Puts a set that holds what there is now in the place of one that also holds what there was, once it is read. */
async function renew(services: Services, scanner: Scanner, reading: Reading): Promise<void> {
  const { thread, sets } = scanner
  const { key, set: before } = reading
  const set = newSet(services, scanner)
  let gone = set
  try {
    await readNew(services, scanner, { ...reading, set })
    if (sets.get(key) === before) {
      sets.set(key, set)
      gone = before
    }
  } catch {
    // Whoever searches next reads the old one, hears what is wrong, and begins this again.
    before.isRenewing = false
  }
  await thread.ask({ kind: 'forget', set: gone.name }).catch(() => undefined)
}

/** Ends the thread; the next search starts another. */
export async function endScanner(services: Services): Promise<void> {
  const scanner = scanners.get(services)
  scanners.delete(services)
  await scanner?.thread.end()
}

/** Started with the first search. One that broke down is replaced, and reads anew. */
function scannerOf(services: Services): Scanner {
  const known = scanners.get(services)
  if (known && !known.thread.isGone) return known
  const thread: ScannerThread = new AskedThread(threadFile('card-scanner', import.meta.url))
  const scanner = { thread, sets: new Map<string, VectorSet>(), begun: 0 }
  scanners.set(services, scanner)
  return scanner
}

interface Reading {
  keeperId: string
  model: string
  key: string
  set: VectorSet
  width: number
}

async function readNew(services: Services, { thread, sets }: Scanner, reading: Reading): Promise<void> {
  const { keeperId, model, key, set, width } = reading
  const began = services.now().getTime()
  let from = { at: set.readAt - latestCommitMs, id: '' }
  for (;;) {
    const query = vectorsSince.with(services.db, { keeperId, model, ...from })
    const rows = await services.db.longRead(query)
    const last = rows.at(-1)
    if (!last) {
      await forgetOldest(thread, sets, key)
      break
    }
    const fitting = rows.filter((row) => row.signs.length === width)
    const signs = new Uint8Array(fitting.length * width)
    for (const [at, row] of fitting.entries()) signs.set(row.signs, at * width)
    const ids = fitting.map((row) => row.card_id)
    const { size = 0 } = await thread.ask({ kind: 'know', set: set.name, width, ids, signs })
    // An id weighs as much as a short vector.
    set.bytes = emptySetBytes + size * (width + 64)
    await forgetOldest(thread, sets, key)
    if (rows.length < rowsAtOnce) break
    from = { at: last.created_at, id: last.card_id }
  }
  set.readAt = began
}

const vectorsSince = preparedQuery<{ keeperId: string; model: string; at: number; id: string }>()(
  (db, { keeperId, model, at, id }) =>
    db
      .selectFrom('card_vectors')
      .select(['card_id', 'signs', 'created_at'])
      .where('keeper_id', '=', keeperId)
      .where('model', '=', model)
      .where('created_at', '>=', at)
      .where((where) => where.or([where('created_at', '>', at), where('card_id', '>', id)]))
      .orderBy('created_at')
      .orderBy('card_id')
      .limit(rowsAtOnce),
)

async function forgetOldest(thread: ScannerThread, sets: Map<string, VectorSet>, present: string): Promise<void> {
  let bytes = [...sets.values()].reduce((sum, set) => sum + set.bytes, 0)
  for (const [key, { name, bytes: freed }] of sets) {
    if (bytes <= mostBytes) return
    if (key === present) continue
    sets.delete(key)
    bytes -= freed
    await thread.ask({ kind: 'forget', set: name })
  }
}
