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
  /** Who invites; `null`: they told no name. */
  from: string | null
  domain: string
  role: MemberRole
  note: string
  link: string
}

const mostAtOnce = 5
/** Whoever invites waits for this; a mail server that takes longer is a failed one to them. */
const patienceMs = 20_000

/**
 * Mails invitations where mail is set up, and answers the ids of those that were handed over. A mail that fails takes
 * nothing from its invitation, nor does one past a limit: the link can be copied.
 */
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
        // Its message may hold the address.
        const { code, responseCode } = error as { code?: string; responseCode?: number }
        const { invitationId } = letter
        services.log.error({ invitationId, code, responseCode }, 'the mail of an invitation could not be sent')
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
  const name = withoutLinks(showOneLine(from ?? '') || 'Somebody')
  const place = withoutLinks(showOneLine(domain))
  const words = [
    `${name} invites you to ${place} on Keeper, as ${rolesInSentences[role]}.`,
    note && `${name} writes:\n${quoted(withoutLinks(note))}`,
    `Open this link to accept. It works once, and for ${invitationDays} days:\n${link}`,
    'If you do not know who this is from, do nothing: nothing happens without you.',
  ]
  // A subject is read by people who never asked for it, so nothing in it is of somebody's making.
  return { subject: 'You are invited to a domain on Keeper', text: words.filter(Boolean).join('\n\n') }
}

/** Marked line by line, so that no note can pass for what Keeper says. */
function quoted(note: string): string {
  return note
    .split(/\r\n|[\r\n\u2028\u2029]/)
    .map((line) => `> ${line}`)
    .join('\n')
}
