import { writeResetEmail } from '../accounts/change-password.ts'
import { writeDeletionEmail } from '../accounts/own/deletion.ts'
import { writeLostDomainEmail } from '../domains/custom/recheck-custom-domains.ts'
import { writeInvitationEmail } from '../domains/invitations/invitations.ts'
import { type EmailWriters, retryEmails, retryEmailsSoon } from '../email/pending-emails.ts'
import type { Services } from '../services.ts'

const intervalMs = 60_000

export const emailWriters: EmailWriters = {
  'password-reset': writeResetEmail,
  'account-deletion': writeDeletionEmail,
  invitation: writeInvitationEmail,
  'custom-domain-lost': writeLostDomainEmail,
}

/** The returned function stops after the current email. */
export function startEmailJobs(services: Services): () => Promise<void> {
  const stopController = new AbortController()
  const retry = () => retryEmails(services, emailWriters, stopController.signal)
  const logFailure = (error: unknown) => services.log.error({ err: error }, 'emails could not be sent again')
  let currentRun: Promise<void> | undefined
  const start = (job: () => Promise<void>) => {
    currentRun ??= job()
      .catch(logFailure)
      .finally(() => {
        currentRun = undefined
      })
  }
  start(async () => {
    await retryEmailsSoon(services)
    await retry()
  })
  const timer = setInterval(() => start(retry), intervalMs)
  timer.unref()
  return async () => {
    clearInterval(timer)
    stopController.abort()
    await currentRun
  }
}
