import { dayMs } from '#server/hours-and-days.ts'
import { Problem } from '#server/http/problem.ts'
import { countTry, triesSoFar } from '#server/http/throttle.ts'
import type { Services } from '#server/services.ts'

const megabyte = 1024 * 1024
/** Deleted bytes stay stored for a day (sweep-media.ts), so writes are limited per day, too. */
const kilobytesWritten = { kind: 'file-kilobytes', limit: Number.POSITIVE_INFINITY, windowMs: dayMs }
/** Daily uploads as a multiple of the quota, so that a wrong file can be replaced. */
const timesInADay = 2

/** A person's media usage and quota. Concurrent uploads may both fit the last space; the disk is the final limit. */
export interface Room {
  files: number
  bytes: number
  /** `null`: unlimited. */
  mostBytes: number | null
}

/** Includes trashed files and those on boards. */
export async function roomOf({ db, settings }: Services, personId: string): Promise<Room> {
  const sums = await Promise.all(
    (['media', 'board_pictures'] as const).map((table) =>
      db
        .selectFrom(table)
        .select(({ fn }) => [
          fn.countAll<number | string>().as('files'),
          fn.sum<number | string | null>('bytes').as('bytes'),
        ])
        .where('person_id', '=', personId)
        .executeTakeFirstOrThrow(),
    ),
  )
  const total = (of: 'files' | 'bytes') => sums.reduce((sum, each) => sum + Number(each[of]), 0)
  const most = settings.limits.mediaBytesPerPerson
  return { files: total('files'), bytes: total('bytes'), mostBytes: most === 0 ? null : most }
}

/** `bytes` is 0 if unknown; then `withinRoom` limits the stream. @throws Problem 413 stating the usage */
export async function requireRoom(services: Services, personId: string, bytes: number): Promise<Room> {
  const room = await roomOf(services, personId)
  refuseBeyond(room, bytes)
  return room
}

/** Like {@link requireRoom}, for uploads. @throws Problem 413; 429 above the daily limit, including deleted files */
export async function requireRoomToWrite(services: Services, personId: string, bytes: number): Promise<Room> {
  const room = await requireRoom(services, personId, bytes)
  const { count, waitSeconds } = await triesSoFar(services, kilobytesWritten, personId)
  refuseBeyondADay(room, count * 1024 + bytes, waitSeconds)
  return room
}

/** Passes chunks through while they fit the quota, and counts them at the end. @throws Problem 413, 429 */
export async function* withinRoom(
  services: Services,
  personId: string,
  room: Room,
  pieces: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  let bytes = 0
  for await (const piece of pieces) {
    bytes += piece.byteLength
    refuseBeyond(room, bytes)
    yield piece
  }
  const { count, waitSeconds } = await countTry(services, kilobytesWritten, personId, Math.ceil(bytes / 1024))
  refuseBeyondADay(room, count * 1024, waitSeconds)
}

function refuseBeyondADay({ mostBytes }: Room, bytes: number, retryAfterSeconds: number): void {
  if (mostBytes === null || bytes <= mostBytes * timesInADay) return
  const message =
    `You’ve reached today’s limit for pictures and recordings, including deleted ones: ` +
    `${inMegabytes(mostBytes * timesInADay)}. Send this one tomorrow, or ask your administrator for more space.`
  throw new Problem('too-many', { message, retryAfterSeconds })
}

function refuseBeyond({ bytes: kept, mostBytes }: Room, bytes: number): void {
  if (mostBytes === null || kept + bytes <= mostBytes) return
  const message =
    `Your pictures and recordings take ${inMegabytes(kept)} of the ${inMegabytes(mostBytes)} each person has here, ` +
    `and this one doesn’t fit. Delete some, or ask your administrator for more space.`
  throw new Problem('too-large', { message, fields: { body: message } })
}

const inMegabytes = (bytes: number) => `${Math.ceil(bytes / megabyte).toLocaleString('en-US')} MB`
