import { sql } from 'kysely'
import { type BoardChange, mostTabsPerPerson, presenceEndsMs, type SomebodyThere } from '#contract/boards/board-live.ts'
import { showOneLine } from '#contract/one-line-text.ts'
import { type BatchResult, json } from '#server/db/database.ts'
import type { Services } from '#server/services.ts'
import { readersOf } from '../tell-boards.ts'
import { tellRoom } from './tell-room.ts'

/** Presence and unsaved changes of several processes go through two tables; each process notifies its own tabs. */

/** Longer than a broken listening connection takes to recover. */
const keptMs = 30_000
const sweepMs = 15_000
/** Arbitrary, but the same in every Keeper; with the board's hash it serializes the sequence numbers. */
const numberingLock = 5_337_240

/** Records that a tab is present; a tab belongs to the person who opened it. */
export async function noteGuest(services: Services, boardId: string, who: SomebodyThere): Promise<void> {
  const { db, bus } = services
  const { tab, personId, may, cursor, selection } = who
  const heard_at = services.now().getTime()
  const here = { person_id: personId, may, cursor: json(cursor), selection: json(selection), heard_at }
  await db.batch([
    db
      .insertInto('board_guests')
      .values({ board_id: boardId, tab, ...here })
      .onConflict((conflict) =>
        conflict
          .columns(['board_id', 'tab'])
          .doUpdateSet(here)
          .where((where) =>
            where.or([
              where('board_guests.person_id', '=', personId),
              where('board_guests.heard_at', '<', heard_at - presenceEndsMs),
            ]),
          ),
      ),
    db
      .deleteFrom('board_guests')
      .where('board_id', '=', boardId)
      .where('person_id', '=', personId)
      .where('tab', 'not in', (own) =>
        own
          .selectFrom('board_guests as heard')
          .select('heard.tab')
          .where('heard.board_id', '=', boardId)
          .where('heard.person_id', '=', personId)
          .orderBy('heard.heard_at', 'desc')
          .orderBy('heard.tab')
          .limit(mostTabsPerPerson),
      ),
    bus.sending({ kind: 'board-guest', boardId, tab }),
  ])
}

export async function noteLeaving(services: Services, boardId: string, who: SomebodyThere): Promise<void> {
  const { db, bus } = services
  await db.batch([
    db
      .updateTable('board_guests')
      .set({ heard_at: 0 })
      .where('board_id', '=', boardId)
      .where('tab', '=', who.tab)
      .where('person_id', '=', who.personId),
    bus.sending({ kind: 'board-guest', boardId, tab: who.tab }),
  ])
}

/** Numbers a change, sends it to every process, and returns its number, which rises per board. */
export async function noteChange(
  services: Services,
  boardId: string,
  { tab, personId, change }: { tab: string; personId: string; change: BoardChange },
): Promise<number> {
  const { db, bus } = services
  const id = services.newId()
  const now = services.now().getTime()
  // At least the time in ms, so that numbers keep rising after a sweep; above the last for skewed clocks.
  const seq = sql<number>`(select greatest(coalesce(max(seq), 0) + 1, ${now}::bigint)
    from board_changes where board_id = ${boardId})`
  const [, inserted] = await db.batch([
    // Held until the commit, so that numbers, commits and notifications have the same order.
    sql`select pg_advisory_xact_lock(${sql.lit(numberingLock)}, hashtext(${boardId}))`,
    db
      .insertInto('board_changes')
      .values({ id, board_id: boardId, seq, tab, person_id: personId, change: json(change), passed_at: now })
      .returning('seq'),
    bus.sending({ kind: 'board-change', boardId, id }),
  ])
  return (inserted as BatchResult<{ seq: number }>).rows[0]?.seq ?? 0
}

export async function guestsOfAll(services: Services, boardId: string): Promise<SomebodyThere[]> {
  const since = services.now().getTime() - presenceEndsMs
  return (await everyGuest(services, boardId)).filter(({ heardAt }) => heardAt >= since).map(({ who }) => who)
}

async function everyGuest({ db }: Services, boardId: string): Promise<{ who: SomebodyThere; heardAt: number }[]> {
  const rows = await db
    .selectFrom('board_guests as guest')
    .innerJoin('people', 'people.id', 'guest.person_id')
    .select(['guest.tab', 'guest.person_id as personId', 'people.name', 'guest.may', 'guest.cursor'])
    .select(['guest.selection', 'guest.heard_at'])
    .where('guest.board_id', '=', boardId)
    .orderBy('guest.tab')
    .execute()
  return rows.map(({ heard_at, name, ...who }) => ({
    who: { ...who, name: name && showOneLine(name) },
    heardAt: heard_at,
  }))
}

interface News {
  tabs: Set<string>
  /** Ids of changes by sequence number. */
  changes: string[]
}

/** Publishes board events of all processes to this one's tabs and sweeps old rows; returns a function that stops it. */
export function keepRoomsInStep(services: Services): () => void {
  const { bus, db, log } = services
  if (!bus.isOpen) return () => undefined
  const news = new Map<string, News>()
  const telling = new Set<string>()
  const began = services.now().getTime()
  /** Recently published changes; after a gap only the others are published. */
  const told = new Map<string, number>()

  const tellAll = async (boardId: string) => {
    if (telling.has(boardId)) return
    telling.add(boardId)
    try {
      for (let some = news.get(boardId); some; some = news.get(boardId)) {
        news.delete(boardId)
        for (const id of some.changes) told.set(id, services.now().getTime())
        await tellNews(services, boardId, some)
      }
    } catch (error) {
      log.error({ err: error, boardId }, 'board events could not be published')
    } finally {
      telling.delete(boardId)
    }
  }
  const note = (boardId: string, add: (some: News) => void) => {
    const some = news.get(boardId) ?? { tabs: new Set(), changes: [] }
    news.set(boardId, some)
    add(some)
    void tellAll(boardId)
  }
  const lookAgain = async () => {
    const passed = await db
      .selectFrom('board_changes')
      .select(['id', 'board_id'])
      .where('passed_at', '>=', began)
      .orderBy('seq')
      .execute()
    for (const { id, board_id } of passed) if (!told.has(id)) note(board_id, (some) => some.changes.push(id))
  }
  const sweep = async () => {
    const before = services.now().getTime() - keptMs
    for (const [id, at] of told) if (at < before - keptMs) told.delete(id)
    await db.deleteFrom('board_guests').where('heard_at', '<', before).execute()
    await db.deleteFrom('board_changes').where('passed_at', '<', before).execute()
  }
  const orSay = (work: () => Promise<void>) => () =>
    void work().catch((error: unknown) => log.error({ err: error }, 'board sessions could not be read'))
  const ends = [
    bus.on('board-guest', ({ boardId, tab }) => note(boardId, ({ tabs }) => tabs.add(tab))),
    bus.on('board-change', ({ boardId, id }) => note(boardId, ({ changes }) => changes.push(id))),
    bus.onMissed(orSay(lookAgain)),
  ]
  const timer = setInterval(orSay(sweep), sweepMs)
  timer.unref()
  return () => {
    clearInterval(timer)
    for (const end of ends) end()
  }
}

async function tellNews(services: Services, boardId: string, { tabs, changes }: News): Promise<void> {
  const { db, live } = services
  const since = services.now().getTime() - presenceEndsMs
  const every = await everyGuest(services, boardId)
  const guests = every.filter(({ heardAt }) => heardAt >= since).map(({ who }) => who)
  if (!guests.some(({ personId }) => live.isHeardBy(personId))) return
  const board = await db.selectFrom('boards').select(['id', 'owner_id']).where('id', '=', boardId).executeTakeFirst()
  if (!board) return
  const readers = new Set(await readersOf(services, board))
  for (const { who, heardAt } of every)
    if (tabs.has(who.tab))
      tellRoom(services, guests, readers, { type: 'board-presence', boardId, who, gone: heardAt === 0 })
  if (changes.length === 0) return
  const passed = await db
    .selectFrom('board_changes as passed')
    .innerJoin('people', 'people.id', 'passed.person_id')
    .select(['passed.tab', 'passed.person_id as personId', 'people.name', 'passed.seq', 'passed.change'])
    .where('passed.id', 'in', changes)
    .orderBy('passed.seq')
    .execute()
  for (const { name, ...change } of passed)
    tellRoom(services, guests, readers, { type: 'board-change', boardId, name: name && showOneLine(name), ...change })
}
