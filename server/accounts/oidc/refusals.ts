import { insertAudit } from '#server/audit/write-audit.ts'
import { Problem } from '#server/http/problem.ts'
import { countAttempts } from '#server/http/throttle.ts'
import type { Services } from '#server/services.ts'
import { hourMs } from '#server/values/time-units.ts'

/** One sentence per reason; `{label}` is the provider. */
const messages = {
  'not-set-up': 'No identity provider is set up on this server.',
  unavailable: '{label} can’t be reached right now, so no one was signed in. Try again in a moment.',
  misconfigured:
    '{label} doesn’t accept this server. Ask your administrator to check the issuer, the client ID, the client secret and the callback address.',
  expired: 'This sign-in has expired or was started in another browser. Start it again.',
  denied: '{label} didn’t sign you in. Start again if you still want to.',
  'wrong-time':
    'The answer of {label} isn’t valid at this time, so no one was signed in. Ask your administrator to compare the clocks of both servers.',
  'not-verified':
    'The answer of {label} couldn’t be verified, so no one was signed in. Tell your administrator if this happens again.',
  'other-person': 'You were signed in as someone else in the meantime, so nothing has changed. Start it again.',
  'other-identity':
    'You signed in to {label} as someone who isn’t connected to this account. Sign in there as the person you are here.',
  'not-recent':
    '{label} didn’t ask you to sign in again, so nothing was confirmed. Sign out there and try again, or use a passkey.',
  'no-sign-in-time':
    '{label} doesn’t say when you signed in there, so it can’t confirm that it’s you. Use a passkey, or tell your administrator.',
  'no-email': '{label} didn’t send your email address, and an account needs one. Tell your administrator.',
  'unverified-email':
    '{label} hasn’t verified your email address, so it can’t be used here. Verify it there, or tell your administrator.',
  'not-allowed': 'Your account at {label} isn’t allowed to use this server. Ask your administrator.',
} as const
export type RefusalReason = keyof typeof messages

/** A sign-in at the provider that is refused, for one of the known reasons. */
export class OidcRefused extends Error {
  readonly reason: RefusalReason

  constructor(reason: RefusalReason, cause?: unknown) {
    super(reason, cause === undefined ? undefined : { cause })
    this.reason = reason
  }
}

/** No usable answer of the provider; the message is for the log. */
export class ProviderUnavailable extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause })
  }
}

/** Limits audit rows per reason, because the audit log is never emptied. */
const auditThrottle = { kind: 'refused-oidc-audit', limit: 20, windowMs: hourMs }

/** Runs a sign-in; a failure is logged and audited without tokens, and becomes one clear sentence. @throws Problem */
export async function explainRefusals<Result>(
  services: Services,
  actor: { id: string } | null,
  run: () => Promise<Result>,
): Promise<Result> {
  try {
    return await run()
  } catch (error) {
    if (error instanceof Problem) throw error
    const reason = findReason(error)
    if (reason === undefined) throw error
    services.log.warn({ reason, ...describeForLog(error) }, 'a sign-in at the identity provider was refused')
    const { oidc } = services.settings
    if (oidc && (await countAttempts(services, auditThrottle, reason)).isWithinLimit) {
      const subject = new URL(oidc.issuer).hostname
      const entry = {
        action: 'oidc-refused',
        actor,
        personId: actor?.id ?? null,
        subject,
        details: { reason },
      } as const
      await services.db.batch([insertAudit(services, entry)])
    }
    throw toProblem(reason, oidc?.label ?? '')
  }
}

function toProblem(reason: RefusalReason, label: string): Problem {
  const message = messages[reason].replace('{label}', label)
  if (reason === 'not-set-up') return new Problem('not-found', { message })
  return new Problem(reason === 'unavailable' ? 'sign-in-unavailable' : 'sign-in-refused', { message })
}

function findReason(error: unknown): RefusalReason | undefined {
  const causes = listCauses(error)
  const refused = causes.find((cause) => cause instanceof OidcRefused)
  if (refused) return refused.reason
  if (causes.some((cause) => cause instanceof ProviderUnavailable)) return 'unavailable'
  const codes = causes.map(({ code }) => String(code))
  if (codes.some((code) => code === 'OAUTH_TIMEOUT' || code === 'OAUTH_ABORT')) return 'unavailable'
  if (codes.includes('OAUTH_JWT_TIMESTAMP_CHECK_FAILED')) return 'wrong-time'
  if (codes.includes('OAUTH_AUTHORIZATION_RESPONSE_ERROR'))
    return causes.some((cause) => getErrorCode(cause) === 'access_denied') ? 'denied' : 'misconfigured'
  if (codes.includes('OAUTH_RESPONSE_BODY_ERROR') || codes.includes('OAUTH_WWW_AUTHENTICATE_CHALLENGE'))
    return causes.some((cause) => getErrorCode(cause) === 'invalid_grant') ? 'expired' : 'misconfigured'
  const isOtherSubject = causes.some(({ cause }) => (cause as { attribute?: unknown } | undefined)?.attribute === 'sub')
  if (!isOtherSubject && codes.some((code) => misconfigurationPattern.test(code))) return 'misconfigured'
  return codes.some((code) => code.startsWith('OAUTH_')) || causes.some(({ name }) => name === 'ClientError')
    ? 'not-verified'
    : undefined
}

const misconfigurationPattern = /^OAUTH_(?:RESPONSE_IS_NOT|MISSING_SERVER|INVALID_SERVER|JSON_ATTRIBUTE)/

type ErrorWithCode = Error & { code?: unknown; error?: unknown; claim?: unknown }

const maxCauses = 8

function listCauses(error: unknown): ErrorWithCode[] {
  const causes: ErrorWithCode[] = []
  for (let current = error; current instanceof Error && causes.length < maxCauses; current = current.cause)
    causes.push(current as ErrorWithCode)
  return causes
}

const hasLibraryCode = ({ code }: ErrorWithCode) => typeof code === 'string' && code.startsWith('OAUTH_')

/** The `error` of an OAuth answer, such as `access_denied`. */
function getErrorCode({ error }: ErrorWithCode): string | undefined {
  return typeof error === 'string' && /^[\w.-]{1,60}$/.test(error) ? error : undefined
}

/** Codes and the library's own texts; causes can contain tokens and claims. */
function describeForLog(error: unknown) {
  const causes = listCauses(error)
  // Other texts can quote an answer: a SyntaxError contains a part of what it read.
  const cause = causes.find((candidate) => candidate instanceof ProviderUnavailable) ?? causes.findLast(hasLibraryCode)
  const details = cause?.cause as { claim?: unknown } | undefined
  const claim = typeof details?.claim === 'string' ? details.claim.slice(0, 40) : undefined
  return {
    code: causes.map(({ code }) => code).find((code) => typeof code === 'string'),
    error: causes.map(getErrorCode).find(Boolean),
    claim,
    detail: cause?.message.slice(0, 200),
  }
}
