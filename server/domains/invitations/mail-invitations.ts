import { rolesInSentences } from '#contract/domains/domain-deeds.ts'
import type { MemberRole } from '#contract/domains/domains.ts'
import { invitationDays } from '#contract/domains/invitations.ts'
import { showOneLine } from '#contract/one-line-text.ts'
import { withoutLinks } from '#server/http/links-in-names.ts'
import type { Services } from '#server/services.ts'
import { canMailInvitation } from './limit-invitation-emails.ts'

export interface Letter {
  invitationId: string
  to: string
  /** The sender's name; `null` if they have none. */
  from: string | null
  domain: string
  role: MemberRole
  note: string
  link: string
}

const mostAtOnce = 5
/** The inviting person waits for this; a slower mail server counts as failed. */
const patienceMs = 20_000

/** Returns the ids of sent emails. An invitation without an email stays valid: its link can be copied. */
export async function mailInvitations(services: Services, letters: Letter[]): Promise<Set<string>> {
  const mailed = new Set<string>()
  if (!services.mailer.isSetUp) return mailed
  const waiting = [...letters]
  let over = false
  const sendOneByOne = async () => {
    for (let letter = waiting.shift(); letter && !over; letter = waiting.shift()) {
      try {
        if (!(await canMailInvitation(services, letter.to))) continue
        await services.mailer.send({ to: letter.to, ...written(letter) })
        mailed.add(letter.invitationId)
      } catch (error) {
        // Logged without the message, which may contain the address.
        const { code, responseCode } = error as { code?: string; responseCode?: number }
        const { invitationId } = letter
        services.log.error({ invitationId, code, responseCode }, 'the email of an invitation could not be sent')
      }
    }
  }
  const patience = Promise.withResolvers<void>()
  const timer = setTimeout(patience.resolve, patienceMs)
  await Promise.race([Promise.all(Array.from({ length: mostAtOnce }, sendOneByOne)), patience.promise])
  over = true
  clearTimeout(timer)
  return new Set(mailed)
}

function written({ from, domain, role, note, link }: Letter): { subject: string; text: string } {
  const name = withoutLinks(showOneLine(from ?? '') || 'Someone')
  const place = withoutLinks(showOneLine(domain))
  const words = [
    `${name} invites you to ${place} on Keeper, as ${rolesInSentences[role]}.`,
    note && `${name} writes:\n${quoted(withoutLinks(note))}`,
    `Open this link within ${invitationDays} days to accept. It works once:\n${link}`,
    'If you don’t know the sender, ignore this email. Nothing happens unless you accept.',
  ]
  // The subject contains nothing user-written, since strangers read it.
  return { subject: 'You’re invited to a domain on Keeper', text: words.filter(Boolean).join('\n\n') }
}

/** Marked line by line, so that a note can't pose as text from Keeper. */
function quoted(note: string): string {
  return note
    .split(/\r\n|[\r\n\u2028\u2029]/)
    .map((line) => `> ${line}`)
    .join('\n')
}
