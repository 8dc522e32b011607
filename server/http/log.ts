import pino from 'pino'
import { hourMs } from '#server/values/time-units.ts'

export type Log = pino.Logger

const secretPatterns = [
  /\bsk-(?:ant-)?[A-Za-z0-9_-]{8,}/g,
  /\borg-[A-Za-z0-9]{8,}/g,
  /\bBearer\s+[A-Za-z0-9._~+/=-]{8,}/gi,
  /\bkpr_[A-Za-z0-9_-]{16,}/g,
]

export function scrubSecrets(text: string): string {
  let scrubbed = text
  for (const pattern of secretPatterns) scrubbed = scrubbed.replace(pattern, '[removed]')
  return scrubbed
}

const maxFieldLength = 2000

function cleanField(value: unknown, depth = 0): unknown {
  if (typeof value === 'string')
    return scrubSecrets(value.length > maxFieldLength ? `${value.slice(0, maxFieldLength)}…` : value)
  if (value === null || typeof value !== 'object') return value
  if (depth > 4) return '[deeper]'
  if (value instanceof Error) {
    const { name, message, stack, cause } = value
    return {
      name,
      message: cleanField(message),
      stack: cleanField(stack ?? ''),
      ...(cause !== undefined && { cause: cleanField(cause, depth + 1) }),
    }
  }
  if (Array.isArray(value)) return value.slice(0, 50).map((item) => cleanField(item, depth + 1))
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [
      key,
      /key|token|password|authorization|cookie|secret/i.test(key) ? '[removed]' : cleanField(item, depth + 1),
    ]),
  )
}

function escapeControls(line: string): string {
  return line.replace(
    /[\u007f-\u009f\u2028\u2029]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

/** Logs JSON lines in UTC to standard output. All fields are scrubbed; content written by people is never logged. */
export function createLog(level: string, destination?: pino.DestinationStream): Log {
  return pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: {
        level: (label) => ({ level: label }),
        log: (fields) => cleanField(fields) as Record<string, unknown>,
      },
      hooks: {
        streamWrite: escapeControls,
        logMethod(args, method) {
          method.apply(
            this,
            args.map((arg) => (typeof arg === 'string' ? scrubSecrets(arg) : arg)) as Parameters<typeof method>,
          )
        },
      },
    },
    destination,
  )
}

/** Subjects come from requests, so their number is limited. */
const maxSubjects = 100
const loggedSubjects = new WeakMap<Log, { startedAt: number; subjects: Set<string> }>()

/** Logs once an hour about the same subject: a misconfigured proxy repeats its mistake in every request. */
export function logOncePerSubject(log: Log, subject: string, write: () => void): void {
  const now = performance.now()
  let current = loggedSubjects.get(log)
  if (!current || now - current.startedAt > hourMs) {
    current = { startedAt: now, subjects: new Set() }
    loggedSubjects.set(log, current)
  }
  if (current.subjects.has(subject) || current.subjects.size >= maxSubjects) return
  current.subjects.add(subject)
  write()
}
