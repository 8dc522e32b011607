import { rolesInSentences } from '#contract/domains/domain-deeds.ts'
import type { MemberRole } from '#contract/domains/domains.ts'
import { invitationDays } from '#contract/domains/invitations.ts'
import type { Services } from '#server/services.ts'

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
 * nothing from its invitation: the link can be copied.
 */
export async function mailInvitations(services: Services, letters: Letter[]): Promise<Set<string>> {
  const mailed = new Set<string>()
  if (!services.mailer.isSetUp) return mailed
  const waiting = [...letters]
  let over = false
  const sendOneByOne = async () => {
    for (let letter = waiting.shift(); letter && !over; letter = waiting.shift()) {
      try {
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
  const name = from === null ? 'Somebody' : inOneLine(from)
  const place = inOneLine(domain)
  const words = [
    `${name} invites you to ${place} on Keeper, as ${rolesInSentences[role]}.`,
    note && `${name} writes:\n${quoted(note)}`,
    `Open this link to accept. It works once, and for ${invitationDays} days:\n${link}`,
    'If you do not know who this is from, do nothing: nothing happens without you.',
  ]
  return { subject: `${name} invites you to ${place}`, text: words.filter(Boolean).join('\n\n') }
}

/** A name goes into a header of the mail: a line break in it would begin another one. */
function inOneLine(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu, ' ').trim()
}

/** Marked line by line, so that no note can pass for what Keeper says. */
function quoted(note: string): string {
  return note
    .split(/\r\n|[\r\n\u2028\u2029]/)
    .map((line) => `> ${line}`)
    .join('\n')
}
