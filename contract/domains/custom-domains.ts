import * as z from 'zod/mini'
import { defineEndpoint } from '../endpoint.ts'
import { id } from '../keepers/keeper-fields.ts'
import { domain } from './domains.ts'

export const recordStates = ['ok', 'missing', 'different', 'unknown'] as const

export const dnsRecord = z.object({
  type: z.string(),
  domain: z.string(),
  /** Expected value; empty if the record must be removed. */
  value: z.string(),
  found: z.array(z.object({ resolver: z.string(), values: z.array(z.string()), error: z.nullable(z.string()) })),
  state: z.enum(recordStates),
  reason: z.string(),
})
export type DnsRecord = z.infer<typeof dnsRecord>

/** `attached` and `configured` come from the hosting driver; `verified` is stored by Keeper. */
export const dnsStatus = z.object({
  attached: z.boolean(),
  configured: z.boolean(),
  records: z.array(dnsRecord),
  nameServers: z.array(z.string()),
  error: z.nullable(z.string()),
  errorCode: z.nullable(z.string()),
  details: z.object({
    customDomain: z.nullable(z.string()),
    verified: z.boolean(),
    provider: z.nullable(z.enum(['vercel', 'dns'])),
    checkedAt: z.nullable(z.string()),
    /** Since when a verified name fails its checks; after 72 hours it is no longer served. */
    brokenSince: z.nullable(z.string()),
    configuredBy: z.nullable(z.string()),
    conflicts: z.array(z.string()),
  }),
})
export type DnsStatus = z.infer<typeof dnsStatus>

const domainParams = z.object({ id })

export const customDomains = {
  status: defineEndpoint('GET /api/domains/custom/:id/custom-domain/status', {
    summary: 'Get the status of the custom domain; hosting errors are in `errorCode`, with status 200',
    access: 'person',
    params: domainParams,
    response: dnsStatus,
  }),
  attach: defineEndpoint('POST /api/domains/custom/:id/custom-domain', {
    summary: 'Add the custom domain to the hosting provider; a different name in the request is saved first',
    access: 'person',
    params: domainParams,
    body: z.object({ customDomain: z.optional(z.string().check(z.maxLength(300))) }),
    response: dnsStatus,
  }),
  verify: defineEndpoint('POST /api/domains/custom/:id/custom-domain/verify', {
    summary: 'Check ownership and routing; once verified, the custom domain serves the public page',
    access: 'person',
    params: domainParams,
    response: dnsStatus,
  }),
  site: defineEndpoint('GET /api/site', {
    summary: 'Get the public page of this request’s custom domain; 404 on the server’s own address',
    access: 'public',
    response: z.object({
      domain: z.pick(domain, { name: true, description: true }),
      agentSlug: z.nullable(z.string()),
    }),
  }),
}

export const hostingNameServers = ['ns1.vercel-dns.com', 'ns2.vercel-dns.com']
