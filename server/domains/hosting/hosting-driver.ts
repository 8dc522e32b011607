import type { DnsRecord } from '#contract/domains/custom-domains.ts'

export interface HostedName {
  hostname: string
  token: string
  attachedAt: number | null
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

export function createEmptyStatus(): HostingStatus {
  const unset = { error: null, errorCode: null, configuredBy: null }
  return { attached: false, configured: false, verified: false, records: [], conflicts: [], ...unset }
}

export interface HostingDriver {
  readonly name: 'vercel' | 'dns'
  /** Idempotent. @throws HostingFailure */
  attach(name: HostedName): Promise<void>
  status(name: HostedName): Promise<HostingStatus>
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

export const hostingErrors = {
  '403': 'Access denied to Vercel. Please check your Vercel configuration.',
  '404': 'Domain not found in Vercel project. Please add it to Vercel first.',
  DNS_CONFIG_ERROR: 'Failed to load DNS configuration. Please try again.',
} as const

export const takenCodes = ['domain_already_in_use', 'domain_taken', 'existing_project_domain', '409']

export function toFailureText(errorCode: string, error: string): string {
  return errorCode in hostingErrors ? error : `Vercel error: ${error}`
}
