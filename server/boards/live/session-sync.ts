import { sql } from 'kysely'
import {
  type BoardChange,
  type BoardParticipant,
  maxTabsPerPerson,
  presenceTimeoutMs,
} from '#contract/boards/board-live.ts'
import { toDisplayLine } from '#contract/one-line-text.ts'
import { type BatchResult, json } from '#server/db/database.ts'
import type { Services } from '#server/services.ts'
import { listReaderIds } from '../board-access.ts'
import { broadcastToBoard } from './board-sessions.ts'

// Presence and unsaved changes of several processes go through two tables; each process notifies its own tabs.

const retentionMs = 30_000
const sweepIntervalMs = 15_000
const sequenceLockId = 5_337_240

export async function recordParticipant(
  services: Services,
  boardId: string,
  participant: BoardParticipant,
): Promise<void> {
  const { db, bus } = services
  const { tab, personId, may, cursor, selection } = participant
  const heard_at = services.now().getTime()
  const columns = { person_id: personId, may, cursor: json(cursor), selection: json(selection), heard_at }
  await db.batch([
    db
      .insertInto('board_guests')
      .values({ board_id: boardId, tab, ...columns })
      .onConflict((conflict) =>
        conflict
          .columns(['board_id', 'tab'])
          .doUpdateSet(columns)
          .where((where) =>
            where.or([
              where('board_guests.person_id', '=', personId),
              where('board_guests.heard_at', '<', heard_at - presenceTimeoutMs),
            ]),
          ),
      ),
    db
      .deleteFrom('board_guests')
      .where('board_id', '=', boardId)
      .where('person_id', '=', personId)
      .where('tab', 'not in', (subquery) =>
        subquery
          .selectFrom('board_guests as guest')
          .select('guest.tab')
          .where('guest.board_id', '=', boardId)
          .where('guest.person_id', '=', personId)
          .orderBy('guest.heard_at', 'desc')
          .orderBy('guest.tab')
          .limit(maxTabsPerPerson),
      ),
    bus.sendInBatch({ kind: 'board-guest', boardId, tab }),
  ])
}

export async function recordDeparture(
  services: Services,
  boardId: string,
  participant: BoardParticipant,
): Promise<void> {
  const { db, bus } = services
  await db.batch([
    db
      .updateTable('board_guests')
      .set({ heard_at: 0 })
      .where('board_id', '=', boardId)
      .where('tab', '=', participant.tab)
      .where('person_id', '=', participant.personId),
    bus.sendInBatch({ kind: 'board-guest', boardId, tab: participant.tab }),
  ])
}

export async function recordChange(
  services: Services,
  boardId: string,
  { tab, personId, change }: { tab: string; personId: string; change: BoardChange },
): Promise<number> {
  const { db, bus } = services
  const id = services.newId()
  const now = services.now().getTime()
  // Numbers rise after a sweep, since they are at least the time (ms), and despite skewed clocks, since they exceed the last.
  const seq = sql<number>`(select greatest(coalesce(max(seq), 0) + 1, ${now}::bigint)
    from board_changes where board_id = ${boardId})`
  const [, inserted] = await db.batch([
    // Locked until the commit, so that numbers, commits and notifications have the same order.
    sql`select pg_advisory_xact_lock(${sql.lit(sequenceLockId)}, hashtext(${boardId}))`,
    db
      .insertInto('board_changes')
      .values({ id, board_id: boardId, seq, tab, person_id: personId, change: json(change), passed_at: now })
      .returning('seq'),
    bus.sendInBatch({ kind: 'board-change', boardId, id }),
  ])
  return (inserted as BatchResult<{ seq: number }>).rows[0]?.seq ?? 0
}

export async function listAllParticipants(services: Services, boardId: string): Promise<BoardParticipant[]> {
  return listPresent(services, await readGuests(services, boardId))
}

type BoardGuest = { participant: BoardParticipant; lastSeenAt: number }

function listPresent(services: Services, guests: readonly BoardGuest[]): BoardParticipant[] {
  const cutoff = services.now().getTime() - presenceTimeoutMs
  return guests.filter(({ lastSeenAt }) => lastSeenAt >= cutoff).map(({ participant }) => participant)
}

async function readGuests({ db }: Services, boardId: string): Promise<BoardGuest[]> {
  const rows = await db
    .selectFrom('board_guests as guest')
    .innerJoin('people', 'people.id', 'guest.person_id')
    .select(['guest.tab', 'guest.person_id as personId', 'people.name', 'guest.may', 'guest.cursor'])
    .select(['guest.selection', 'guest.heard_at'])
    .where('guest.board_id', '=', boardId)
    .orderBy('guest.tab')
    .execute()
  return rows.map(({ heard_at, name, ...participant }) => ({
    participant: { ...participant, name: name && toDisplayLine(name) },
    lastSeenAt: heard_at,
  }))
}

interface PendingBoardEvents {
  tabs: Set<string>
  changes: string[]
}

export function syncBoardSessions(services: Services): () => void {
  const { bus, db, log } = services
  if (!bus.isOpen) return () => undefined
  const pendingEvents = new Map<string, PendingBoardEvents>()
  const publishingBoardIds = new Set<string>()
  const startedAt = services.now().getTime()
  const publishedAt = new Map<string, number>()

  const publishPending = async (boardId: string) => {
    if (publishingBoardIds.has(boardId)) return
    publishingBoardIds.add(boardId)
    try {
      for (let pending = pendingEvents.get(boardId); pending; pending = pendingEvents.get(boardId)) {
        pendingEvents.delete(boardId)
        for (const id of pending.changes) publishedAt.set(id, services.now().getTime())
        await publishEvents(services, boardId, pending)
      }
    } catch (error) {
      log.error({ err: error, boardId }, 'board events could not be published')
    } finally {
      publishingBoardIds.delete(boardId)
    }
  }
  const enqueue = (boardId: string, add: (pending: PendingBoardEvents) => void) => {
    const pending = pendingEvents.get(boardId) ?? { tabs: new Set(), changes: [] }
    pendingEvents.set(boardId, pending)
    add(pending)
    void publishPending(boardId)
  }
  const catchUp = async () => {
    const changeRows = await db
      .selectFrom('board_changes')
      .select(['id', 'board_id'])
      .where('passed_at', '>=', startedAt)
      .orderBy('seq')
      .execute()
    for (const { id, board_id } of changeRows)
      if (!publishedAt.has(id)) enqueue(board_id, (pending) => pending.changes.push(id))
  }
  const sweep = async () => {
    const cutoff = services.now().getTime() - retentionMs
    for (const [id, at] of publishedAt) if (at < cutoff - retentionMs) publishedAt.delete(id)
    await db.deleteFrom('board_guests').where('heard_at', '<', cutoff).execute()
    await db.deleteFrom('board_changes').where('passed_at', '<', cutoff).execute()
  }
  const logFailures = (task: () => Promise<void>) => () =>
    void task().catch((error: unknown) => log.error({ err: error }, 'board sessions could not be read'))
  const unsubscribers = [
    bus.on('board-guest', ({ boardId, tab }) => enqueue(boardId, ({ tabs }) => tabs.add(tab))),
    bus.on('board-change', ({ boardId, id }) => enqueue(boardId, ({ changes }) => changes.push(id))),
    bus.onMissed(logFailures(catchUp)),
  ]
  const timer = setInterval(logFailures(sweep), sweepIntervalMs)
  timer.unref()
  return () => {
    clearInterval(timer)
    for (const unsubscribe of unsubscribers) unsubscribe()
  }
}

async function publishEvents(
  services: Services,
  boardId: string,
  { tabs, changes }: PendingBoardEvents,
): Promise<void> {
  const { db, live } = services
  const guests = await readGuests(services, boardId)
  const participants = listPresent(services, guests)
  if (!participants.some(({ personId }) => live.hasListener(personId))) return
  const board = await db.selectFrom('boards').select(['id', 'owner_id']).where('id', '=', boardId).executeTakeFirst()
  if (!board) return
  const readerIds = new Set(await listReaderIds(services, board))
  for (const { participant, lastSeenAt } of guests)
    if (tabs.has(participant.tab))
      broadcastToBoard(services, participants, readerIds, {
        type: 'board-presence',
        boardId,
        who: participant,
        gone: lastSeenAt === 0,
      })
  if (changes.length === 0) return
  const changeRows = await db
    .selectFrom('board_changes')
    .innerJoin('people', 'people.id', 'board_changes.person_id')
    .select(['board_changes.tab', 'board_changes.person_id as personId', 'people.name'])
    .select(['board_changes.seq', 'board_changes.change'])
    .where('board_changes.id', 'in', changes)
    .orderBy('board_changes.seq')
    .execute()
  for (const { name, ...change } of changeRows)
    broadcastToBoard(services, participants, readerIds, {
      type: 'board-change',
      boardId,
      name: name && toDisplayLine(name),
      ...change,
    })
}
