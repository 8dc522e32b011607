import { Problem } from '#server/http/problem.ts'
import { countAttempts, readAttempts } from '#server/http/throttle.ts'
import type { Services } from '#server/services.ts'
import { dayMs } from '#server/values/time-units.ts'

const megabyte = 1024 * 1024
/** Deleted bytes stay stored for a day (sweep-media.ts), so writes are limited per day, too. This only counts;
 * `refuseAboveDailyLimit` applies the limit, which depends on the quota. */
const dailyUploadCounter = { kind: 'file-kilobytes', limit: Number.POSITIVE_INFINITY, windowMs: dayMs }
const dailyQuotaFactor = 2

/** A person's media usage and quota. Two concurrent uploads can both take the last space; the disk is the final limit. */
export interface MediaQuota {
  files: number
  bytes: number
  /** `null`: unlimited. */
  maxBytes: number | null
}

export async function readMediaQuota({ db, settings }: Services, personId: string): Promise<MediaQuota> {
  const totals = await Promise.all(
    (['media', 'board_pictures'] as const).map((table) =>
      db
        .selectFrom(table)
        .select(({ fn }) => [
          fn.countAll<number | string>().as('files'),
          fn.sum<number | string | null>('bytes').as('bytes'),
          fn.sum<number | string | null>('small_bytes').as('smallBytes'),
        ])
        .where('person_id', '=', personId)
        .executeTakeFirstOrThrow(),
    ),
  )
  const sumColumn = (column: 'files' | 'bytes' | 'smallBytes') =>
    totals.reduce((runningTotal, row) => runningTotal + Number(row[column]), 0)
  const limit = settings.limits.mediaBytesPerPerson
  const bytes = sumColumn('bytes') + sumColumn('smallBytes')
  return { files: sumColumn('files'), bytes, maxBytes: limit === 0 ? null : limit }
}

/** `bytes` is 0 if unknown; then `limitToQuota` limits the stream. @throws Problem 413 stating the usage */
export async function requireMediaSpace(services: Services, personId: string, bytes: number): Promise<MediaQuota> {
  const quota = await readMediaQuota(services, personId)
  refuseAboveQuota(quota, bytes)
  return quota
}

/** Like {@link requireMediaSpace}, for uploads. @throws Problem 413; 429 above the daily limit, including deleted files */
export async function requireUploadSpace(services: Services, personId: string, bytes: number): Promise<MediaQuota> {
  const quota = await requireMediaSpace(services, personId, bytes)
  const { count, waitSeconds } = await readAttempts(services, dailyUploadCounter, personId)
  refuseAboveDailyLimit(quota, count * 1024 + bytes, waitSeconds)
  return quota
}

/** Passes chunks through while they fit the quota, and counts them at the end. @throws Problem 413, 429 */
export async function* limitToQuota(
  services: Services,
  personId: string,
  quota: MediaQuota,
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  let bytes = 0
  for await (const chunk of chunks) {
    bytes += chunk.byteLength
    refuseAboveQuota(quota, bytes)
    yield chunk
  }
  const { count, waitSeconds } = await countAttempts(services, dailyUploadCounter, personId, Math.ceil(bytes / 1024))
  refuseAboveDailyLimit(quota, count * 1024, waitSeconds)
}

function refuseAboveDailyLimit({ maxBytes }: MediaQuota, bytes: number, retryAfterSeconds: number): void {
  if (maxBytes === null || bytes <= maxBytes * dailyQuotaFactor) return
  const message =
    `You’ve reached today’s limit for files, including deleted ones: ` +
    `${formatMegabytes(maxBytes * dailyQuotaFactor)}. Send this file tomorrow, or ask your administrator for more space.`
  throw new Problem('too-many', { message, retryAfterSeconds })
}

function refuseAboveQuota({ bytes: usedBytes, maxBytes }: MediaQuota, bytes: number): void {
  if (maxBytes === null || usedBytes + bytes <= maxBytes) return
  const message =
    `Your files take ${formatMegabytes(usedBytes)} of the ${formatMegabytes(maxBytes)} each person has here, ` +
    `and this file doesn’t fit. Delete some, or ask your administrator for more space.`
  throw new Problem('too-large', { message, fields: { body: message } })
}

const formatMegabytes = (bytes: number) => `${Math.ceil(bytes / megabyte).toLocaleString('en-US')} MB`
