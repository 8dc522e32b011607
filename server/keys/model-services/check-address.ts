import { lookup } from 'node:dns/promises'
import { isIP } from 'node:net'
import { checkBaseUrl } from '#contract/providers/check-base-url.ts'
import { badField, type Problem } from '#server/http/problem.ts'
import { isLinkLocalAddress } from '#server/http/public-address.ts'
import type { Services } from '#server/services.ts'

const lookupTimeoutMs = 2000

export interface CheckedAddress {
  baseUrl: string
  correction: string | null
}

/** Local addresses are allowed. @throws Problem 400 at `base_url` */
export async function checkServiceAddress(services: Services, text: string): Promise<CheckedAddress> {
  const checked = checkBaseUrl('/v1', text)
  if ('refusal' in checked) throw badBaseUrl(`The base URL ${checked.refusal}.`)
  const { baseUrl, query, note } = checked
  // Other query parameters could be secrets, and would be visible.
  const unknownParameter = [...new URLSearchParams(query).keys()].find((name) => name !== 'api-version')
  if (unknownParameter !== undefined)
    throw badBaseUrl(
      'The base URL can’t have a query, except for Azure’s “api-version”. Put a key in its own field or a header.',
    )
  const host = new URL(baseUrl).hostname.replace(/^\[|\]$/g, '')
  const addresses = isIP(host) ? [host] : await resolveHost(services, host)
  if (addresses.some(isLinkLocalAddress))
    throw badBaseUrl(
      `${host} is a link-local address, where cloud servers get their credentials, so Keeper never calls it.`,
    )
  return { baseUrl: `${baseUrl}${query}`, correction: note }
}

const badBaseUrl = (message: string): Problem => badField('base_url', message)

/** Empty if the name can't be resolved here: its container may start later, or a proxy resolves it. */
async function resolveHost({ egress }: Services, host: string): Promise<string[]> {
  const addresses = egress.resolve
    ? egress.resolve(host)
    : lookup(host, { all: true }).then((all) => all.map(({ address }) => address))
  const timeout = Promise.withResolvers<string[]>()
  const timer = setTimeout(() => timeout.resolve([]), lookupTimeoutMs)
  try {
    return await Promise.race([addresses.catch(() => []), timeout.promise])
  } finally {
    clearTimeout(timer)
  }
}
