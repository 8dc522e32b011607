import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import { id } from '../keepers/keeper-words.ts'
import { domain } from './domains.ts'

export const recordStates = ['ok', 'missing', 'different', 'unknown'] as const

/** What the name servers should say, beside what they do. */
export const dnsRecord = z.object({
  /** TXT, A, CNAME, AAAA, CAA. */
  type: z.string(),
  /** The whole name the record stands at. */
  domain: z.string(),
  /** What is wanted; empty where a record is in the way and has to go. */
  value: z.string(),
  /** What was found, of each resolver that was asked. */
  found: z.array(z.object({ resolver: z.string(), values: z.array(z.string()), error: z.nullable(z.string()) })),
  state: z.enum(recordStates),
  /** What it is for, or what is wrong with it, in words. */
  reason: z.string(),
})
export type DnsRecord = z.infer<typeof dnsRecord>

/** Seed 000 §3. `attached` and `configured` are what the hosting driver says; `verified` is what Keeper keeps. */
export const dnsStatus = z.object({
  attached: z.boolean(),
  configured: z.boolean(),
  records: z.array(dnsRecord),
  nameServers: z.array(z.string()),
  error: z.nullable(z.string()),
  /** "403", "404", DNS_CONFIG_ERROR, or the provider's own. */
  errorCode: z.nullable(z.string()),
  details: z.object({
    customDomain: z.nullable(z.string()),
    verified: z.boolean(),
    /** `null`: no driver is set. */
    provider: z.nullable(z.enum(['vercel', 'dns'])),
    checkedAt: z.nullable(z.string()),
    /** Since when a verified name fails its checks; after 72 hours it is not served any more. */
    brokenSince: z.nullable(z.string()),
    configuredBy: z.nullable(z.string()),
    /** What stands in the way, in words. */
    conflicts: z.array(z.string()),
  }),
})
export type DnsStatus = z.infer<typeof dnsStatus>

const params = z.object({ id })

export const customDomains = {
  status: endpoint('GET /api/domains/custom/:id/custom-domain/status', {
    summary: 'How the custom domain stands; failures of the hosting are told in `errorCode`, with status 200',
    access: 'person',
    params,
    returns: dnsStatus,
  }),
  attach: endpoint('POST /api/domains/custom/:id/custom-domain', {
    summary: 'Add the custom domain to the hosting provider; another text than is written down takes its place first',
    access: 'person',
    params,
    body: z.object({ customDomain: z.optional(z.string().check(z.maxLength(300))) }),
    returns: dnsStatus,
  }),
  verify: endpoint('POST /api/domains/custom/:id/custom-domain/verify', {
    summary: 'Check ownership and routing; verified, the custom domain serves the public page',
    access: 'person',
    params,
    returns: dnsStatus,
  }),
  site: endpoint('GET /api/site', {
    summary: 'What the custom domain of this request shows; 404 on the server’s own address',
    access: 'public',
    returns: z.object({
      domain: z.pick(domain, { name: true, description: true }),
      /** The slug of its public Lead agent. */
      agentSlug: z.nullable(z.string()),
    }),
  }),
}

/** Shown to whoever moves a whole domain to the hosting provider (seed 000 §9). */
export const hostingNameServers = ['ns1.vercel-dns.com', 'ns2.vercel-dns.com']
