import type { DnsRecord } from '#contract/domains/custom-domains.ts'

/** A custom domain as a driver is asked about it. */
export interface HostedName {
  /** Lower case, ASCII, without a dot at its end. */
  hostname: string
  /** What the TXT record of the `dns` driver has to hold. */
  token: string
  /** When it was added; `null`: never. */
  attachedAt: number | null
  /**
   * Another domain of this server claims the name, or had it: that it is with the provider proves nothing about which of
   * them it belongs to, so the TXT record decides with either driver.
   */
  contested?: boolean
}

/** What a driver finds out; failures are told in `error` and `errorCode`, never thrown. */
export interface HostingStatus {
  attached: boolean
  /** The name servers send its visitors here. */
  configured: boolean
  /** Ownership and routing hold. */
  verified: boolean
  records: DnsRecord[]
  error: string | null
  errorCode: string | null
  configuredBy: string | null
  conflicts: string[]
}

/** Of a name that was never added, or of none. */
export function nothingYet(): HostingStatus {
  const unset = { error: null, errorCode: null, configuredBy: null }
  return { attached: false, configured: false, verified: false, records: [], conflicts: [], ...unset }
}

/**
 * Where custom domains are served from (custom-domains.md). One small interface, two drivers: `vercel` and `dns`.
 * The same cases hold for both.
 */
export interface HostingDriver {
  readonly name: 'vercel' | 'dns'
  /** Adds the name; adding it again is no failure. @throws HostingFailure */
  attach(name: HostedName): Promise<void>
  status(name: HostedName): Promise<HostingStatus>
  /** Asks for verification where the provider wants to be asked, then looks again. */
  verify(name: HostedName): Promise<HostingStatus>
  /** Removes the name; one that is gone already is no failure. @throws HostingFailure */
  detach(name: HostedName): Promise<void>
}

/** The provider refused or did not answer; `errorCode` as in the status. The message may be shown. */
export class HostingFailure extends Error {
  readonly errorCode: string
  constructor(errorCode: string, message: string) {
    super(message)
    this.errorCode = errorCode
  }
}
