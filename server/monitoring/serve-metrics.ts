import { createHash, timingSafeEqual } from 'node:crypto'
import { stat } from 'node:fs/promises'
import { sql } from 'kysely'
import { findNewestBackup } from '#server/db/backup.ts'
import { getSqliteFiles } from '#server/db/sqlite-files.ts'
import { getBearerToken } from '#server/http/bearer-token.ts'
import { createNoSuchAddressProblem, Problem } from '#server/http/problem.ts'
import { toProblemResponse } from '#server/http/problem-response.ts'
import { apiHeaders } from '#server/http/security-headers.ts'
import type { Services } from '#server/services.ts'
import type { GaugeReadings } from './metrics.ts'

/** Answers 404 unless KEEPER_METRICS_TOKEN is set, and 401 without that token. */
export async function serveMetrics(services: Services, request: Request): Promise<Response> {
  const { metrics, settings } = services
  if (!metrics || settings.metricsToken === null)
    return toProblemResponse(services, request, createNoSuchAddressProblem())
  if (!hasToken(request, settings.metricsToken)) {
    const response = toProblemResponse(
      services,
      request,
      new Problem('not-signed-in', { message: 'Send KEEPER_METRICS_TOKEN as a bearer token.' }),
    )
    response.headers.set('www-authenticate', 'Bearer realm="Keeper metrics"')
    return response
  }
  const text = metrics.render(await readGauges(services))
  return new Response(text, { headers: { ...apiHeaders, 'content-type': 'text/plain; version=0.0.4; charset=utf-8' } })
}

/** Compares hashes, so that the time doesn't reveal the length of the token. */
function hasToken(request: Request, token: string): boolean {
  return timingSafeEqual(toHash(getBearerToken(request) ?? ''), toHash(token))
}

function toHash(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}

/** Higher counts take long and say nothing new. */
const maxCount = 10_000
const cacheMs = 10_000

type SlowReadings = Pick<GaugeReadings, 'databaseBytes' | 'lastBackupMs' | 'sessions'> & {
  queueDepths: Record<'emails' | 'search_index' | 'imports', number>
}

const cachedReadings = new WeakMap<Services['db'], { readAt: number; readings: Promise<SlowReadings> }>()

/** Counts and sizes are at most ten seconds old, so that frequent scrapes cost little. */
async function readGauges(services: Services): Promise<GaugeReadings> {
  const now = performance.now()
  let current = cachedReadings.get(services.db)
  if (!current || now - current.readAt > cacheMs) {
    current = { readAt: now, readings: readSlowReadings(services) }
    current.readings.catch(() => cachedReadings.delete(services.db))
    cachedReadings.set(services.db, current)
  }
  const readings = await current.readings
  return {
    ...readings,
    queueDepths: { ...readings.queueDepths, runs: services.runs.size },
    streams: services.streams.counts,
    droppedSpans: services.traceExporter?.droppedCount ?? 0,
  }
}

async function readSlowReadings(services: Services): Promise<SlowReadings> {
  const { db, settings, now } = services
  const selectCount = (table: string, condition = sql`1 = 1`) =>
    sql<number>`(select count(*) from (select 1 as one from ${sql.table(table)} where ${condition} limit ${sql.lit(maxCount)}) as counted)`
  const [counts] = await db.longRead(
    sql<Record<'emails' | 'search_index' | 'imports' | 'sessions', number>>`select
      ${selectCount('pending_emails', sql`next_attempt_at is not null`)} as emails,
      ${selectCount('search_pending')} as search_index,
      ${selectCount('import_jobs', sql`state in ('waiting', 'running')`)} as imports,
      ${selectCount('sessions', sql`expires_at > ${now().getTime()}`)} as sessions`,
  )
  const { emails = 0, search_index = 0, imports = 0, sessions = 0 } = counts ?? {}
  const backup = await findNewestBackup(settings.dataDir, now())
  return {
    queueDepths: { emails: Number(emails), search_index: Number(search_index), imports: Number(imports) },
    sessions: Number(sessions),
    lastBackupMs: backup?.createdAt ?? null,
    databaseBytes: await readDatabaseBytes(services),
  }
}

async function readDatabaseBytes({ db, settings }: Services): Promise<number | null> {
  if (db.engine === 'sqlite') return (await stat(getSqliteFiles(settings.dataDir).database)).size
  const [row] = await db.longRead(sql<{ bytes: string }>`select pg_database_size(current_database()) as bytes`)
  return row ? Number(row.bytes) : null
}
