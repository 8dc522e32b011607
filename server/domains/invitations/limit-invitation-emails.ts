import { countAttempts } from '#server/http/throttle.ts'
import type { Services } from '#server/services.ts'
import { dayMs } from '#server/values/time-units.ts'

const receiverThrottles = [
  { kind: 'invitation-emails-a-day', limit: 3, windowMs: dayMs },
  { kind: 'invitation-emails-a-week', limit: 10, windowMs: 7 * dayMs },
] as const

export async function canEmailInvitation(services: Services, to: string): Promise<boolean> {
  const limit = services.settings.limits.invitationEmailsPerDay
  if (limit === 0) return false
  const mailbox = getMailbox(to)
  for (const throttle of receiverThrottles)
    if (!(await countAttempts(services, throttle, mailbox)).isWithinLimit) return false
  return (await countAttempts(services, { kind: 'invitation-emails', limit, windowMs: dayMs }, 'server')).isWithinLimit
}

/** `ada+anything@example.com` is delivered to `ada@example.com`. */
function getMailbox(email: string): string {
  const at = email.lastIndexOf('@')
  return `${email.slice(0, at).replace(/(?<=.)\+.*$/, '')}${email.slice(at)}`.toLowerCase()
}
