import { roleNamesInSentence } from '#contract/domains/domain-actions.ts'
import type { MemberRole } from '#contract/domains/domains.ts'
import { invitationDays } from '#contract/domains/invitations.ts'
import { toDisplayLine } from '#contract/one-line-text.ts'
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

/** `ada+anything@example.com` is delivered to `ada@example.com`. */
function getMailbox(email: string): string {
  const at = email.lastIndexOf('@')
  return `${email.slice(0, at).replace(/(?<=.)\+.*$/, '')}${email.slice(at)}`.toLowerCase()
}

export interface InvitationEmail {
  invitationId: string
  to: string
  from: string | null
  domain: string
  role: MemberRole
  note: string
  link: string
}

const concurrency = 5
const timeoutMs = 20_000

export async function emailInvitations(services: Services, emails: InvitationEmail[]): Promise<Set<string>> {
  const mailed = new Set<string>()
  if (!services.mailer.isSetUp) return mailed
  const queue = [...emails]
  let isTimedOut = false
  const sendOneByOne = async () => {
    for (let email = queue.shift(); email && !isTimedOut; email = queue.shift()) {
      try {
        if (!(await canEmailInvitation(services, email.to))) continue
        await services.mailer.send({ to: email.to, ...formatEmail(email) })
        mailed.add(email.invitationId)
      } catch (error) {
        // Logged without the message, which may contain the address.
        const { code, responseCode } = error as { code?: string; responseCode?: number }
        const { invitationId } = email
        services.log.error({ invitationId, code, responseCode }, 'the email of an invitation could not be sent')
      }
    }
  }
  const timeout = Promise.withResolvers<void>()
  const timer = setTimeout(timeout.resolve, timeoutMs)
  await Promise.race([Promise.all(Array.from({ length: concurrency }, sendOneByOne)), timeout.promise])
  isTimedOut = true
  clearTimeout(timer)
  return new Set(mailed)
}

function formatEmail({ from, domain, role, note, link }: InvitationEmail): { subject: string; text: string } {
  const name = defangLinks(toDisplayLine(from ?? '') || 'Someone')
  const domainName = defangLinks(toDisplayLine(domain))
  const paragraphs = [
    `${name} invites you to ${domainName} on Keeper, as ${roleNamesInSentence[role]}.`,
    note && `${name} writes:\n${quoteLines(defangLinks(note))}`,
    `Open this link within ${invitationDays} days to accept. It works once:\n${link}`,
    'If you don’t know the sender, ignore this email. Nothing happens unless you accept.',
  ]
  // The subject contains nothing user-written, since strangers read it.
  return { subject: 'You’re invited to a domain on Keeper', text: paragraphs.filter(Boolean).join('\n\n') }
}

/** Marked line by line, so that a note can't pose as text from Keeper. */
function quoteLines(note: string): string {
  return note
    .split(/\r\n|[\r\n\u2028\u2029]/)
    .map((line) => `> ${line}`)
    .join('\n')
}
