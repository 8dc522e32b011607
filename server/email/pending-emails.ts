import type { EmailProblem, PendingEmailKind } from '#contract/diagnostics/email.ts'
import type { Email } from '#server/accounts/mailer.ts'
import type { Write } from '#server/db/database.ts'
import type { Services } from '#server/services.ts'
import { dayMs, hourMs } from '#server/values/time-units.ts'
import { classifyEmailFailure, isServerProblem, toEmailOutcome } from './email-failure.ts'

/** Identifies an email that can be written again from the database. */
export interface PendingEmailKey {
  kind: PendingEmailKind
  /** The person, invitation or domain that the email is about. */
  subjectId: string
  /** The account that the email belongs to; its row is deleted with it. */
  personId: string
}

/** Returns `null` if the email is no longer needed. Texts and links aren't stored, so they are written again. */
export type EmailWriter = (services: Services, subjectId: string) => Promise<Email | null>
export type EmailWriters = Record<PendingEmailKind, EmailWriter>

const initialWaitMs = 2 * 60_000
const maxWaitMs = hourMs
/** After this time an email is only listed in Diagnostics. */
const maxAgeMs: Record<PendingEmailKind, number> = {
  'password-reset': dayMs,
  'account-deletion': 3 * dayMs,
  invitation: 3 * dayMs,
  'custom-domain-lost': 3 * dayMs,
}
const listedForMs = 7 * dayMs
const batchSize = 50

/** Sends an email, or stores that it has to be sent again. Never rejects because of the mail server. @returns `null` if it was sent */
export async function sendOrQueueEmail(
  services: Services,
  key: PendingEmailKey,
  email: Email,
): Promise<EmailProblem | null> {
  try {
    await services.mailer.send(email)
    services.metrics?.countEmail(key.kind, 'sent')
    return null
  } catch (error) {
    const problem = logFailure(services, key, error)
    await queueEmail(services, key, problem)
    return problem
  }
}

function logFailure(services: Services, { kind, subjectId }: PendingEmailKey, error: unknown): EmailProblem {
  const problem = classifyEmailFailure(error)
  // Without the message, which may contain the address.
  const { code, responseCode } = error as { code?: string; responseCode?: number }
  services.log.error({ kind, subjectId, problem, code, responseCode }, 'an email could not be sent')
  services.metrics?.countEmail(kind, toEmailOutcome(problem))
  return problem
}

export async function queueEmail(
  services: Services,
  { kind, subjectId, personId }: PendingEmailKey,
  problem: EmailProblem,
): Promise<void> {
  const now = services.now().getTime()
  const columns = { created_at: now, attempts: 1, problem, next_attempt_at: getNextAttemptAt(problem, 1, now) }
  await services.db
    .insertInto('pending_emails')
    .values({ id: services.newId(), kind, subject_id: subjectId, person_id: personId, ...columns })
    .onConflict((conflict) => conflict.columns(['kind', 'subject_id']).doUpdateSet(columns))
    .execute()
}

function getNextAttemptAt(problem: EmailProblem, attempts: number, now: number): number | null {
  if (problem === 'address-refused') return null
  return now + Math.min(initialWaitMs * 2 ** (attempts - 1), maxWaitMs)
}

export function deletePendingEmail({ db }: Services, kind: PendingEmailKind, subjectId: string): Write {
  return db.deleteFrom('pending_emails').where('kind', '=', kind).where('subject_id', '=', subjectId)
}

/** Makes every waiting email due. For the server's start, which often follows a corrected setting. */
export async function retryEmailsSoon({ db, now }: Services): Promise<void> {
  const nowMs = now().getTime()
  await db.updateTable('pending_emails').set({ next_attempt_at: nowMs }).where('next_attempt_at', '>', nowMs).execute()
}

/** Sends due emails; each is claimed by one process. Ends early if the mail server fails. */
export async function retryEmails(services: Services, writers: EmailWriters, signal?: AbortSignal): Promise<void> {
  const { db, mailer } = services
  const now = services.now().getTime()
  await db
    .deleteFrom('pending_emails')
    .where('created_at', '<', now - listedForMs)
    .execute()
  if (!mailer.isSetUp) return
  const dueEmails = await db
    .selectFrom('pending_emails')
    .selectAll()
    .where('next_attempt_at', '<=', now)
    .orderBy('next_attempt_at')
    .orderBy('id')
    .limit(batchSize)
    .execute()
  for (const { id, kind, subject_id: subjectId, person_id: personId, ...row } of dueEmails) {
    if (signal?.aborted) return
    const isTooOld = row.created_at + maxAgeMs[kind] < now
    const attempts = row.attempts + 1
    const nextAttemptAt = isTooOld ? null : getNextAttemptAt(row.problem, attempts, now)
    const claim = await db.write(
      db
        .updateTable('pending_emails')
        .set({ attempts, next_attempt_at: nextAttemptAt })
        .where('id', '=', id)
        .where('next_attempt_at', '=', row.next_attempt_at),
    )
    if (claim.changes === 0 || isTooOld) continue
    const email = await writers[kind](services, subjectId)
    const deleteEmail = db
      .deleteFrom('pending_emails')
      .where('id', '=', id)
      .where('next_attempt_at', '=', nextAttemptAt)
    if (!email) {
      await deleteEmail.execute()
      continue
    }
    try {
      await mailer.send(email)
      services.metrics?.countEmail(kind, 'sent')
      await deleteEmail.execute()
    } catch (error) {
      const problem = logFailure(services, { kind, subjectId, personId }, error)
      const next_attempt_at = getNextAttemptAt(problem, attempts, now)
      await db.updateTable('pending_emails').set({ problem, next_attempt_at }).where('id', '=', id).execute()
      if (isServerProblem(problem)) return
    }
  }
}
