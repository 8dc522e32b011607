import { dayMs } from '#server/hours-and-days.ts'
import { Problem } from '#server/http/problem.ts'
import { countTry, triesSoFar } from '#server/http/throttle.ts'
import type { Services } from '#server/services.ts'

const megabyte = 1024 * 1024
/** Bytes that no row names any more lie there for a day (sweep-media.ts): deleting makes no room to write without end. */
const kilobytesWritten = { kind: 'file-kilobytes', limit: Number.POSITIVE_INFINITY, windowMs: dayMs }
/** Of what somebody may keep: whoever sent the wrong film deletes it and sends the right one. */
const timesInADay = 2

/**
 * What this Keeper gives one person for pictures and recordings, and what they take. What two send at once may both find
 * the last of it: the disk has the last word (`storage-full`).
 */
export interface Room {
  files: number
  bytes: number
  /** `null`: there is no limit. */
  mostBytes: number | null
}

/** Those in the bin and on boards count too. */
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

/**
 * Refuses bytes for which somebody has no room, before anything is written.
 * @param bytes 0 when it is not known beforehand: then `withinRoom` ends what comes
 * @throws Problem 413 that says how much they keep
 */
export async function requireRoom(services: Services, personId: string, bytes: number): Promise<Room> {
  const room = await roomOf(services, personId)
  refuseBeyond(room, bytes)
  return room
}

/**
 * As {@link requireRoom}, for bytes that are to be sent.
 * @throws Problem 413; 429 for who wrote as much today as one may, deleted or not
 */
export async function requireRoomToWrite(services: Services, personId: string, bytes: number): Promise<Room> {
  const room = await requireRoom(services, personId, bytes)
  const { count, waitSeconds } = await triesSoFar(services, kilobytesWritten, personId)
  refuseBeyondADay(room, count * 1024 + bytes, waitSeconds)
  return room
}

/** The pieces as they come, as long as there is room for all of them; counts them once they were all. @throws Problem 413, 429 */
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
    `You sent as many pictures and recordings today as may be sent in a day, those you deleted included: ` +
    `${inMegabytes(mostBytes * timesInADay)}. Send this one tomorrow, or ask whoever runs this Keeper for more room.`
  throw new Problem('too-many', { message, retryAfterSeconds })
}

function refuseBeyond({ bytes: kept, mostBytes }: Room, bytes: number): void {
  if (mostBytes === null || kept + bytes <= mostBytes) return
  const message =
    `Your pictures and recordings take ${inMegabytes(kept)} of the ${inMegabytes(mostBytes)} that everybody has here, ` +
    `and this one does not fit. Delete some, or ask whoever runs this Keeper for more room.`
  throw new Problem('too-large', { message, fields: { body: message } })
}

const inMegabytes = (bytes: number) => `${Math.ceil(bytes / megabyte).toLocaleString('en-US')} MB`
