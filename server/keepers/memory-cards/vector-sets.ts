import { prepareQuery } from '#server/db/database.ts'
import type { Services } from '#server/services.ts'
import { JobThread } from '#server/threads/job-thread.ts'
import { getThreadFile } from '#server/threads/thread-file.ts'
import { dayMs } from '#server/values/time-units.ts'
import type { ScannerJob, ScannerReply } from './card-scanner.ts'

/** Max memory for all sets: about a million cards of the built-in model. */
const maxBytes = 96 * 1024 * 1024
/** Memory of a card besides its sign bits. */
const idBytes = 64
/** Empty sets count too: there is one per searched keeper, even a deleted one. */
const emptySetBytes = 16 * 1024
const batchSize = 5_000
/** A vector can be committed this long after its timestamp. */
const maxCommitDelayMs = 5_000
/** Sets only grow, so they are reloaded after this time to drop deleted cards. */
const reloadAfterMs = dayMs

type ScannerThread = JobThread<ScannerJob, ScannerReply>

interface VectorSet {
  readonly name: string
  readonly createdAt: number
  readAt: number
  bytes: number
  pendingRead: Promise<unknown>
  isReloading: boolean
}

interface Scanner {
  thread: ScannerThread
  sets: Map<string, VectorSet>
  createdSetCount: number
}
const scanners = new WeakMap<Services, Scanner>()

/** Loads new vectors first. The ids, nearest first, can include deleted cards until the set is reloaded.
 * @param signBits one bit per vector dimension */
export async function findNearestCards(
  services: Services,
  target: { keeperId: string; model: string },
  signBits: Uint8Array,
  count: number,
): Promise<{ ids: string[]; size: number }> {
  const scanner = getScanner(services)
  const { thread, sets } = scanner
  const key = `${target.keeperId} ${target.model}`
  const setRead = { ...target, key, width: signBits.length }
  for (;;) {
    const set = sets.get(key) ?? createSet(services, scanner)
    markRecentlyUsed(sets, key, set)
    if (!set.isReloading && services.now().getTime() - set.createdAt > reloadAfterMs) {
      set.isReloading = true
      void reloadSet(services, scanner, { ...setRead, set })
    }
    const newRead = set.pendingRead.then(() => loadNewVectors(services, scanner, { ...setRead, set }))
    set.pendingRead = newRead.catch(() => undefined)
    await newRead
    if (sets.get(key) === set) {
      const { ids = [], size = 0 } = await thread.run({ kind: 'find-nearest', set: set.name, signBits, count })
      return { ids, size }
    }
    // The set was evicted or replaced during the read, which may have created it again.
    await thread.run({ kind: 'drop', set: set.name })
  }
}

function createSet(services: Services, scanner: Scanner): VectorSet {
  scanner.createdSetCount += 1
  const createdAt = services.now().getTime()
  return {
    name: `${scanner.createdSetCount}`,
    createdAt,
    readAt: 0,
    bytes: emptySetBytes,
    pendingRead: Promise.resolve(),
    isReloading: false,
  }
}

async function reloadSet(services: Services, scanner: Scanner, setRead: VectorSetRead): Promise<void> {
  const { thread, sets } = scanner
  const { key, set: oldSet } = setRead
  const set = createSet(services, scanner)
  let obsolete = set
  try {
    await loadNewVectors(services, scanner, { ...setRead, set })
    if (sets.get(key) === oldSet) {
      sets.set(key, set)
      obsolete = oldSet
    }
  } catch {
    // The next search uses the old set, reports the error and retries.
    oldSet.isReloading = false
  }
  await thread.run({ kind: 'drop', set: obsolete.name }).catch(() => undefined)
}

export async function stopScanner(services: Services): Promise<void> {
  const scanner = scanners.get(services)
  scanners.delete(services)
  await scanner?.thread.end()
}

function getScanner(services: Services): Scanner {
  const existing = scanners.get(services)
  if (existing && !existing.thread.hasEnded) return existing
  const thread: ScannerThread = new JobThread(getThreadFile('card-scanner', import.meta.url))
  const scanner = { thread, sets: new Map<string, VectorSet>(), createdSetCount: 0 }
  scanners.set(services, scanner)
  return scanner
}

interface VectorSetRead {
  keeperId: string
  model: string
  key: string
  set: VectorSet
  width: number
}

async function loadNewVectors(services: Services, { thread, sets }: Scanner, setRead: VectorSetRead): Promise<void> {
  const { keeperId, model, key, set, width } = setRead
  const startedAt = services.now().getTime()
  let position = { at: set.readAt - maxCommitDelayMs, id: '' }
  for (;;) {
    const query = vectorsSinceQuery.bind(services.db, { keeperId, model, ...position })
    const rows = await services.db.longRead(query)
    const last = rows.at(-1)
    if (!last) {
      await evictLeastRecentlyUsed(thread, sets, key)
      break
    }
    const matchingRows = rows.filter((row) => row.signs.length === width)
    const signBits = new Uint8Array(matchingRows.length * width)
    for (const [index, row] of matchingRows.entries()) signBits.set(row.signs, index * width)
    const ids = matchingRows.map((row) => row.card_id)
    const { size = 0 } = await thread.run({ kind: 'add', set: set.name, width, ids, signBits })
    set.bytes = emptySetBytes + size * (width + idBytes)
    await evictLeastRecentlyUsed(thread, sets, key)
    if (rows.length < batchSize) break
    position = { at: last.created_at, id: last.card_id }
  }
  set.readAt = startedAt
}

const vectorsSinceQuery = prepareQuery<{ keeperId: string; model: string; at: number; id: string }>()(
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
      .limit(batchSize),
)

/** A map iterates in insertion order, so the least recently used set comes first. */
function markRecentlyUsed(sets: Map<string, VectorSet>, key: string, set: VectorSet): void {
  sets.delete(key)
  sets.set(key, set)
}

async function evictLeastRecentlyUsed(
  thread: ScannerThread,
  sets: Map<string, VectorSet>,
  currentKey: string,
): Promise<void> {
  let bytes = [...sets.values()].reduce((total, set) => total + set.bytes, 0)
  for (const [key, { name, bytes: freedBytes }] of sets) {
    if (bytes <= maxBytes) return
    if (key === currentKey) continue
    sets.delete(key)
    bytes -= freedBytes
    await thread.run({ kind: 'drop', set: name })
  }
}
