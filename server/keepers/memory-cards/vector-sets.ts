import { preparedQuery } from '#server/db/database.ts'
import { dayMs } from '#server/hours-and-days.ts'
import type { Services } from '#server/services.ts'
import { AskedThread } from '#server/threads/asked-thread.ts'
import { threadFile } from '#server/threads/thread-start.ts'
import type { ScannerJob, ScannerReply } from './card-scanner.ts'

/** Memory limit of the thread, at signs plus 64 bytes per card: a million cards of the built-in model. */
const mostBytes = 96 * 1024 * 1024
/** Empty sets count too: there is one per searched keeper, even a deleted one. */
const emptySetBytes = 16 * 1024
const rowsAtOnce = 5_000
/** A vector can be committed this long after its timestamp. */
const latestCommitMs = 5_000
/** Sets only grow, so they are reloaded after this time to drop deleted cards. */
const renewedAfterMs = dayMs

/** A thread, so that scans do not block requests. */
type ScannerThread = AskedThread<ScannerJob, ScannerReply>

interface VectorSet {
  readonly name: string
  readonly beganAt: number
  readAt: number
  bytes: number
  /** Serializes the reads of one set. */
  reading: Promise<unknown>
  /** A replacement is being loaded. */
  isRenewing: boolean
}

interface Scanner {
  thread: ScannerThread
  /** By keeper and model, least recently used first. */
  sets: Map<string, VectorSet>
  begun: number
}
const scanners = new WeakMap<Services, Scanner>()

/** Loads new vectors, then returns the ids by Hamming distance, nearest first, and the size of the set. The ids can
 * include deleted cards until the set is reloaded. */
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
    // The set was evicted or replaced during the read, which may have created it again.
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

/** Replaces a set by a freshly loaded one without deleted cards. */
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
    // The next search uses the old set, reports the error and retries.
    before.isRenewing = false
  }
  await thread.ask({ kind: 'forget', set: gone.name }).catch(() => undefined)
}

export async function endScanner(services: Services): Promise<void> {
  const scanner = scanners.get(services)
  scanners.delete(services)
  await scanner?.thread.end()
}

/** Started by the first search; a crashed thread is replaced. */
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
    // An id takes as much memory as a short vector.
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
