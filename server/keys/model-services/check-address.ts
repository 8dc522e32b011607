import { lookup } from 'node:dns/promises'
import { isIP } from 'node:net'
import { checkBaseUrl } from '#contract/providers/check-base-url.ts'
import { badField, type Problem } from '#server/http/problem.ts'
import { isLinkLocalAddress } from '#server/http/public-address.ts'
import type { Services } from '#server/services.ts'

const lookupMs = 2000

export interface CheckedAddress {
  baseUrl: string
  correction: string | null
}

/**
 * Corrects a base URL that an administrator typed. Addresses of this machine and network are allowed, as for the operator.
 *
 * @throws Problem 400 with the reason at `base_url`
 */
export async function checkServiceAddress(services: Services, text: string): Promise<CheckedAddress> {
  const checked = checkBaseUrl('/v1', text)
  if ('refusal' in checked) throw refuse(`The base URL ${checked.refusal}.`)
  const { baseUrl, query, note } = checked
  // Anything else in a query may be a secret, and would be shown.
  const unknown = [...new URLSearchParams(query).keys()].find((name) => name !== 'api-version')
  if (unknown !== undefined)
    throw refuse(
      'The base URL can have no query but Azure’s “api-version”. A key belongs in its own field or a header.',
    )
  const host = new URL(baseUrl).hostname.replace(/^\[|\]$/g, '')
  const addresses = isIP(host) ? [host] : await resolve(services, host)
  if (addresses.some(isLinkLocalAddress))
    throw refuse(
      `${host} is a link-local address, where machines of a cloud find their credentials, so Keeper never calls it.`,
    )
  return { baseUrl: `${baseUrl}${query}`, correction: note }
}

const refuse = (message: string): Problem => badField('base_url', message)

/** Empty for a name that cannot be resolved here: its container starts later, or a proxy resolves it. */
async function resolve({ egress }: Services, host: string): Promise<string[]> {
  const addresses = egress.resolve
    ? egress.resolve(host)
    : lookup(host, { all: true }).then((all) => all.map(({ address }) => address))
  const timeout = Promise.withResolvers<string[]>()
  const timer = setTimeout(() => timeout.resolve([]), lookupMs)
  try {
    return await Promise.race([addresses.catch(() => []), timeout.promise])
  } finally {
    clearTimeout(timer)
  }
}
