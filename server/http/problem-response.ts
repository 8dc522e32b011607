import { cleanOneLine } from '#contract/one-line-text.ts'
import { truncate } from '#contract/truncate.ts'
import { DatabaseBusy, DiskFull, TransactionExpired } from '#server/db/database-errors.ts'
import type { Services } from '#server/services.ts'
import type { Log } from './log.ts'
import { Problem } from './problem.ts'
import { apiHeaders } from './security-headers.ts'

interface ProblemResponseParts {
  status: number
  body: Record<string, unknown>
  headers: Record<string, string>
}

/** Expected problems keep their text; others are logged in full and answered generically, with the request id. */
export function buildProblemResponseParts(
  thrown: unknown,
  context: { path: string; requestId: string; log: Log },
): ProblemResponseParts {
  const problem = toProblem(thrown)
  if (problem.kind === 'internal')
    context.log.error({ requestId: context.requestId, err: problem.cause }, 'unexpected failure')
  if (problem.kind === 'storage-full') logDiskFull(context.log)
  const { code } = problem
  const message = cleanOneLine(truncate(problem.message, maxMessageLength))
  // Sign-in pages read error.message; all other calls have a text as error.
  const error = context.path.startsWith('/api/kam/auth/') ? { message, code } : message
  const { data, extra } = problem.details
  const fields = problem.details.fields && boundFields(problem.details.fields)
  return {
    status: problem.status,
    body: {
      success: false,
      error,
      code,
      requestId: context.requestId,
      ...(fields && { fields }),
      ...(data !== undefined && { data }),
      ...extra,
    },
    headers: createRetryAfterHeader(problem),
  }
}

export function createRetryAfterHeader({ details: { retryAfterSeconds } }: Problem): Record<string, string> {
  return retryAfterSeconds === undefined ? {} : { 'retry-after': String(Math.max(1, Math.ceil(retryAfterSeconds))) }
}

const maxMessageLength = 4000
const maxFields = 50
const maxFieldNameLength = 200
const maxFieldTextLength = 1000
const maxFieldBytes = 36 * 1024

function boundFields(fields: Record<string, string>): Record<string, string> {
  const bounded: [name: string, text: string][] = []
  let bytes = 0
  for (const [name, text] of Object.entries(fields).slice(0, maxFields)) {
    const field: [string, string] = [truncate(name, maxFieldNameLength), truncate(text, maxFieldTextLength)]
    bytes += Buffer.byteLength(JSON.stringify(field))
    if (bytes > maxFieldBytes) break
    bounded.push(field)
  }
  return Object.fromEntries(bounded)
}

const diskFullLogIntervalMs = 60_000
const diskFullLoggedAt = new WeakMap<Log, number>()

function logDiskFull(log: Log): void {
  const now = performance.now()
  if (now - (diskFullLoggedAt.get(log) ?? Number.NEGATIVE_INFINITY) < diskFullLogIntervalMs) return
  diskFullLoggedAt.set(log, now)
  log.error('the disk is full: writes fail until there is space; reads continue')
}

export function toProblemResponse(
  services: Pick<Services, 'newId' | 'log'>,
  request: Request,
  thrown: unknown,
): Response {
  const requestId = services.newId()
  const { status, body, headers } = buildProblemResponseParts(thrown, {
    path: new URL(request.url).pathname,
    requestId,
    log: services.log,
  })
  return new Response(JSON.stringify(body), {
    status,
    headers: { ...apiHeaders, 'x-request-id': requestId, ...headers },
  })
}

function toProblem(thrown: unknown): Problem {
  if (thrown instanceof Problem) return thrown
  if (thrown instanceof DiskFull) return new Problem('storage-full', { cause: thrown })
  if (thrown instanceof DatabaseBusy || thrown instanceof TransactionExpired)
    return new Problem('database-busy', { cause: thrown, retryAfterSeconds: 2 })
  return new Problem('internal', { cause: thrown })
}
