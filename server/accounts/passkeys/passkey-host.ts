import { isIP } from 'node:net'
import { Problem } from '#server/http/problem.ts'
import type { Services } from '#server/services.ts'
import { stripBrackets } from '#server/values/strip-brackets.ts'

interface PasskeyHost {
  /** The host name that passkeys are bound to. */
  rpId: string
  /** `null` on localhost without KEEPER_PUBLIC_URL: any port. */
  origin: string | null
}

/** From KEEPER_PUBLIC_URL, never from a request: a forwarded host could be anyone's. Returns the reason if there is none. */
export function findPasskeyHost({ settings }: Pick<Services, 'settings'>): PasskeyHost | string {
  if (settings.publicUrl === null) return { rpId: 'localhost', origin: null }
  const { hostname, protocol, origin } = new URL(settings.publicUrl)
  if (isIP(stripBrackets(hostname)) !== 0)
    return 'Passkeys need a host name, and KEEPER_PUBLIC_URL is an IP address. Set it to this server’s https address with its name.'
  if (protocol !== 'https:' && hostname !== 'localhost' && !hostname.endsWith('.localhost'))
    return 'Browsers allow passkeys over https only. Set KEEPER_PUBLIC_URL to this server’s https address.'
  return { rpId: hostname, origin }
}

/** The host name that passkeys are bound to; `null` if this server can't have passkeys. */
export function findRpId(services: Pick<Services, 'settings'>): string | null {
  const host = findPasskeyHost(services)
  return typeof host === 'string' ? null : host.rpId
}

/** @throws Problem 422 naming the setting */
export function requirePasskeyHost(services: Pick<Services, 'settings'>): PasskeyHost {
  const host = findPasskeyHost(services)
  if (typeof host === 'string') throw new Problem('unprocessable', { message: host })
  return host
}

/** The origin to expect. Browsers let only pages on localhost use its passkeys, whatever their port. */
export function getExpectedOrigin({ origin }: PasskeyHost, clientDataJson: string): string {
  if (origin !== null) return origin
  try {
    const clientData = JSON.parse(Buffer.from(clientDataJson, 'base64url').toString('utf8')) as { origin?: unknown }
    const url = typeof clientData.origin === 'string' ? URL.parse(clientData.origin) : null
    if (url?.hostname === 'localhost') return url.origin
  } catch {
    // Not readable: no origin matches.
  }
  return 'http://localhost'
}

/** Warns about passkeys of an earlier host name: they no longer work, and their owners can't tell why. */
export async function warnAboutOtherHosts(services: Pick<Services, 'db' | 'settings' | 'log'>): Promise<void> {
  const rpId = findRpId(services)
  const { count } = await services.db
    .selectFrom('passkeys')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .$if(rpId !== null, (rows) => rows.where('rp_id', '!=', rpId ?? ''))
    .executeTakeFirstOrThrow()
  if (Number(count) === 0) return
  services.log.warn(
    { passkeys: Number(count) },
    'passkeys were created under another host name and don’t work under KEEPER_PUBLIC_URL; their owners sign in another way',
  )
}
