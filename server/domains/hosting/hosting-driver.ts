import type { DnsRecord } from '#contract/domains/custom-domains.ts'
import { type DnsQuery, toRecordState } from './dns-query.ts'

export interface HostedDomain {
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
  attach(name: HostedDomain): Promise<void>
  status(name: HostedDomain): Promise<HostingStatus>
  verify(name: HostedDomain): Promise<HostingStatus>
  /** Idempotent. @throws HostingFailure */
  detach(name: HostedDomain): Promise<void>
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

const ownershipReasons: Record<DnsRecord['state'], string> = {
  ok: 'This record proves that the domain is yours.',
  missing: 'This record proves that the domain is yours. Add it at your DNS provider.',
  different: 'This record proves that the domain is yours. The record found has a different value.',
  unknown: 'This record proves that the domain is yours. Not every name server responded.',
}

export async function checkOwnership(queryDns: DnsQuery, name: HostedDomain): Promise<DnsRecord> {
  const domain = `_keeper.${name.hostname}`
  const value = `keeper-domain-verify=${name.hostname},${name.token}`
  const results = await queryDns('TXT', domain)
  const state = toRecordState(results, (values) => name.token !== '' && values.some((text) => text.trim() === value))
  return { type: 'TXT', domain, value, found: results, state, reason: ownershipReasons[state] }
}
