import type { DnsRecord } from '#contract/domains/custom-domains.ts'

export interface HostedName {
  /** Lower case ASCII without a trailing dot. */
  hostname: string
  /** Required content of the `dns` driver's TXT record. */
  token: string
  attachedAt: number | null
  /** Another domain here claims or had the name, so only the TXT record decides. */
  contested?: boolean
}

/** Failures are reported in `error` and `errorCode`, never thrown. */
export interface HostingStatus {
  attached: boolean
  configured: boolean
  verified: boolean
  records: DnsRecord[]
  error: string | null
  errorCode: string | null
  configuredBy: string | null
  conflicts: string[]
}

/** Status of a name that was never added, or of none. */
export function emptyStatus(): HostingStatus {
  const unset = { error: null, errorCode: null, configuredBy: null }
  return { attached: false, configured: false, verified: false, records: [], conflicts: [], ...unset }
}

/** Where custom domains are served from: `vercel` or `dns`. One set of tests covers both. */
export interface HostingDriver {
  readonly name: 'vercel' | 'dns'
  /** Idempotent. @throws HostingFailure */
  attach(name: HostedName): Promise<void>
  status(name: HostedName): Promise<HostingStatus>
  /** Requests verification if the provider needs it, then reads the status. */
  verify(name: HostedName): Promise<HostingStatus>
  /** Idempotent. @throws HostingFailure */
  detach(name: HostedName): Promise<void>
}

/** The provider refused or didn't answer; `errorCode` as in the status. The message can be shown to people. */
export class HostingFailure extends Error {
  readonly errorCode: string
  constructor(errorCode: string, message: string) {
    super(message)
    this.errorCode = errorCode
  }
}
