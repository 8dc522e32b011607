import type { EmailProblem, EmailState, EmailTest } from '#contract/diagnostics/email.ts'
import type { Person } from '#server/accounts/person.ts'
import { insertAudit } from '#server/audit/write-audit.ts'
import { classifyEmailFailure, formatServerAnswer, toEmailOutcome } from '#server/email/email-failure.ts'
import { requireAttempt } from '#server/http/throttle.ts'
import type { Services } from '#server/services.ts'
import { getPublicUrl } from '#server/settings/public-url.ts'
import { toIsoTime, toIsoTimeOrNull } from '#server/values/iso-time.ts'

const testThrottle = { kind: 'test-email', limit: 5, windowMs: 10 * 60_000 }
const notSetUp = 'Email isn’t set up. Set SMTP_URL and restart Keeper; until then, people copy links.'

/** To the person's own address only. A refusal is a result, not an error. @throws Problem `too-many` */
export async function sendTestEmail(services: Services, person: Person): Promise<EmailTest> {
  const { db, log, mailer, settings } = services
  await requireAttempt(
    services,
    testThrottle,
    person.id,
    'You can send five test emails in ten minutes. Wait a few minutes.',
  )
  const commonFields = { to: person.email, sender: formatSender(services) }
  if (!mailer.isSetUp) return { ...commonFields, accepted: false, message: notSetUp, answer: null, ms: 0 }
  const startedAt = performance.now()
  let problem: EmailProblem | null = null
  let answer: string | null = null
  try {
    await mailer.send({
      to: person.email,
      subject: 'Keeper can send email',
      text: `This test was sent from Diagnostics on ${getPublicUrl(services)}. You can delete it.`,
    })
  } catch (error) {
    problem = classifyEmailFailure(error)
    answer = formatServerAnswer(error, settings.smtpUrl)
    const { code, responseCode } = error as { code?: string; responseCode?: number }
    log.warn({ problem, code, responseCode }, 'a test email could not be sent')
  }
  services.metrics?.countEmail('test', toEmailOutcome(problem))
  await db.batch([
    insertAudit(services, {
      action: 'test-email-sent',
      actor: person,
      personId: person.id,
      details: { outcome: problem ?? 'sent' },
    }),
  ])
  const ms = Math.round(performance.now() - startedAt)
  const message =
    problem === null
      ? `The mail server accepted the email. If it doesn’t arrive, check the spam folder of ${person.email}.`
      : explainProblem(services, problem)
  return { ...commonFields, accepted: problem === null, message, answer, ms }
}

function explainProblem({ settings }: Services, problem: EmailProblem): string {
  const sender = settings.mailSender?.address ?? 'the sender'
  const explanations: Record<EmailProblem, string> = {
    unreachable:
      'The mail server couldn’t be reached, or the connection broke. Check host, port and smtp:// or smtps:// in SMTP_URL.',
    'sign-in-refused':
      'The mail server refused to sign Keeper in. Check user and password in SMTP_URL; special characters must be percent-encoded (@ is %40).',
    'sender-refused': `The mail server doesn’t let Keeper send as ${sender}. Set KEEPER_MAIL_FROM to an address it allows, usually that of the account in SMTP_URL.`,
    'server-busy': 'The mail server accepts no email at the moment. Keeper tries again automatically.',
    'refused-by-policy':
      'The mail server refused this email because of its rules. Its answer says why; often the sender isn’t allowed (KEEPER_MAIL_FROM).',
    'try-later': 'The mail server asked Keeper to try again later. Keeper does so, except for test emails.',
    'address-refused': 'The mail server doesn’t deliver to your address. Check the email address of your account.',
  }
  return explanations[problem]
}

function formatSender({ settings: { mailSender } }: Services): string | null {
  return mailSender && `${mailSender.name} <${mailSender.address}>`
}

const maxListed = 20

export async function showEmailState(services: Services, person: Person): Promise<EmailState> {
  const { db, settings, mailer } = services
  const [rows, { count }] = await Promise.all([
    db
      .selectFrom('pending_emails')
      .innerJoin('people', 'people.id', 'pending_emails.person_id')
      .selectAll('pending_emails')
      .select('people.name')
      .orderBy('pending_emails.created_at', 'desc')
      .orderBy('pending_emails.id')
      .limit(maxListed)
      .execute(),
    db
      .selectFrom('pending_emails')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow(),
  ])
  const canSeePeople = person.permissions.has('manage_users')
  return {
    is_set_up: mailer.isSetUp,
    sender: formatSender(services),
    warning: mailer.isSetUp ? getSenderWarning(settings) : notSetUp,
    undelivered: rows.map(({ id, kind, problem, created_at, attempts, next_attempt_at, person_id, name }) => ({
      id,
      kind,
      problem,
      at: toIsoTime(created_at),
      attempts,
      next_attempt_at: toIsoTimeOrNull(next_attempt_at),
      person: canSeePeople ? { id: person_id, name } : null,
    })),
    undelivered_count: Number(count),
  }
}

function getSenderWarning({ isSenderGuessed }: Services['settings']): string | null {
  return isSenderGuessed
    ? 'No setting names a sender, so most mail servers refuse these emails. Set KEEPER_MAIL_FROM and restart Keeper.'
    : null
}
