import { Problem } from '#server/http/problem.ts'
import type { Services } from '#server/services.ts'

const megabyte = 1024 * 1024

/**
 * Refuses bytes for which this Keeper gives somebody no room, before anything is written. What two send at once may both
 * find the last of it: the disk has the last word (`storage-full`).
 * @param bytes 0 when it is not known beforehand
 * @throws Problem 413 that says how much they keep
 */
export async function requireRoom({ db, settings }: Services, personId: string, bytes: number): Promise<void> {
  const most = settings.limits.mediaBytesPerPerson
  if (most === 0) return
  const { kept } = await db
    .selectFrom('media')
    .select(({ fn }) => fn.sum<number | string | null>('bytes').as('kept'))
    .where('person_id', '=', personId)
    .executeTakeFirstOrThrow()
  if (Number(kept) + bytes <= most) return
  const message =
    `Your pictures and recordings take ${inMegabytes(Number(kept))} of the ${inMegabytes(most)} that everybody has here, ` +
    `and this one does not fit. Delete some, or ask whoever runs this Keeper for more room.`
  throw new Problem('too-large', { message, fields: { body: message } })
}

const inMegabytes = (bytes: number) => `${Math.ceil(bytes / megabyte).toLocaleString('en-US')} MB`
