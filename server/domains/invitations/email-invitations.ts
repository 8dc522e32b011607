import type { EmailProblem } from '#contract/diagnostics/email.ts'
import { roleNamesInSentence } from '#contract/domains/domain-actions.ts'
import type { MemberRole } from '#contract/domains/domains.ts'
import { invitationDays } from '#contract/domains/invitations.ts'
import { toDisplayLine } from '#contract/one-line-text.ts'
import type { Email } from '#server/accounts/mailer.ts'
import { isServerProblem } from '#server/email/email-failure.ts'
import { type PendingEmailKey, queueEmail, sendOrQueueEmail } from '#server/email/pending-emails.ts'
import { defangLinks } from '#server/http/links-in-names.ts'
import { countAttempts } from '#server/http/throttle.ts'
import type { Services } from '#server/services.ts'
import { dayMs } from '#server/values/time-units.ts'

const receiverThrottles = [
  { kind: 'invitation-emails-a-day', limit: 3, windowMs: dayMs },
  { kind: 'invitation-emails-a-week', limit: 10, windowMs: 7 * dayMs },
] as const

async function canEmailInvitation(services: Services, to: string): Promise<boolean> {
  const limit = services.settings.limits.invitationEmailsPerDay
  if (limit === 0) return false
  const mailbox = getMailbox(to)
  for (const throttle of receiverThrottles)
    if (!(await countAttempts(services, throttle, mailbox)).isWithinLimit) return false
  return (await countAttempts(services, { kind: 'invitation-emails', limit, windowMs: dayMs }, 'server')).isWithinLimit
}

/** `ada+anything@example.com` is delivered to `ada@example.com`; a leading `+` belongs to the name. */
function getMailbox(email: string): string {
  const at = email.lastIndexOf('@')
  return `${email.slice(0, at).replace(/(?<=.)\+.*$/, '')}${email.slice(at)}`.toLowerCase()
}

export interface InvitationEmail {
  invitationId: string
  invitedBy: string
  to: string
  from: string | null
  domain: string
  role: MemberRole
  note: string
  link: string
}

const concurrency = 5
const timeoutMs = 20_000

/** Emails that fail because of the mail server are queued and sent later with the same link. @returns the IDs of the invitations that were emailed */
export async function emailInvitations(services: Services, emails: InvitationEmail[]): Promise<Set<string>> {
  const emailedIds = new Set<string>()
  if (!services.mailer.isSetUp) return emailedIds
  const queue = [...emails]
  let problem: EmailProblem | undefined
  const drainQueue = async () => {
    for (let email = queue.shift(); email; email = queue.shift()) {
      try {
        if (!(await canEmailInvitation(services, email.to))) continue
        const key = toPendingEmailKey(email)
        if (problem) await queueEmail(services, key, problem)
        else {
          const failure = await sendOrQueueEmail(services, key, formatEmail(email))
          if (failure === null) emailedIds.add(email.invitationId)
          else if (isServerProblem(failure)) problem = failure
        }
      } catch (error) {
        services.log.error({ err: error, invitationId: email.invitationId }, 'an invitation could not be emailed')
      }
    }
  }
  const timeout = Promise.withResolvers<void>()
  const timer = setTimeout(timeout.resolve, timeoutMs)
  await Promise.race([Promise.all(Array.from({ length: concurrency }, drainQueue)), timeout.promise])
  clearTimeout(timer)
  // After the timeout, the remaining emails are queued instead of sent.
  problem ??= 'server-busy'
  return new Set(emailedIds)
}

function toPendingEmailKey({ invitationId, invitedBy }: InvitationEmail): PendingEmailKey {
  return { kind: 'invitation', subjectId: invitationId, personId: invitedBy }
}

export function formatEmail({
  to,
  from,
  domain,
  role,
  note,
  link,
}: Omit<InvitationEmail, 'invitationId' | 'invitedBy'>): Email {
  const name = defangLinks(toDisplayLine(from ?? '') || 'Someone')
  const domainName = defangLinks(toDisplayLine(domain))
  const paragraphs = [
    `${name} invites you to ${domainName} on Keeper, as ${roleNamesInSentence[role]}.`,
    note && `${name} writes:\n${quoteLines(defangLinks(note))}`,
    `Open this link within ${invitationDays} days to accept. It works once:\n${link}`,
    'If you don’t know the sender, ignore this email. Nothing happens unless you accept.',
  ]
  // The subject contains nothing user-written, since strangers read it.
  return { to, subject: 'You’re invited to a domain on Keeper', text: paragraphs.filter(Boolean).join('\n\n') }
}

/** Marks each line, so that a note can't pose as text from Keeper. */
function quoteLines(note: string): string {
  return note
    .split(/\r\n|[\r\n\u2028\u2029]/)
    .map((line) => `> ${line}`)
    .join('\n')
}
