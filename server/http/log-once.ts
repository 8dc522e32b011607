import { hourMs } from '#server/values/time-units.ts'
import type { Log } from './log.ts'

/** Subjects come from requests, so their number is limited. */
const maxSubjects = 100
const logged = new WeakMap<Log, { since: number; subjects: Set<string> }>()

/** Logs once an hour about the same subject: a misconfigured proxy sends the same thing with every request. */
export function logOncePerSubject(log: Log, subject: string, write: () => void): void {
  const now = performance.now()
  let current = logged.get(log)
  if (!current || now - current.since > hourMs) {
    current = { since: now, subjects: new Set() }
    logged.set(log, current)
  }
  if (current.subjects.has(subject) || current.subjects.size >= maxSubjects) return
  current.subjects.add(subject)
  write()
}
