import { lookup } from 'node:dns/promises'
import { type IncomingMessage, request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { isIP } from 'node:net'
import { Readable } from 'node:stream'
import { connect as connectTls } from 'node:tls'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'
import { htmlToText } from '#contract/html-text.ts'
import { stripBrackets } from '#server/values/strip-brackets.ts'
import { openTunnel, TunnelRefused } from '../settings/outgoing-proxy.ts'
import { isPublicAddress } from './public-address.ts'

const totalTimeoutMs = 5000
const maxBytes = 1024 * 1024
const readableTypes = /^(?:text\/[\w.+-]+|application\/(?:[\w.-]+\+)?(?:json|xml)|application\/xhtml\+xml)$/

export interface FetchedDocument {
  text: string
  type: string
}

export interface EgressRules {
  ports?: readonly number[]
  resolve?(host: string): Promise<string[]>
  canConnect?(address: string): boolean
  findProxy?(address: URL): string | null
}

export interface EgressOptions extends EgressRules {
  /** Allowed host names; `*.example.com` for all subdomains, `*` for every public host. */
  hosts: readonly string[]
  signal: AbortSignal
}

interface Destination {
  url: URL
  address: string
  port: number
  host: string
  proxy: string | null
}

/** Reads an untrusted URL: connects to the checked address, no redirects, 5 s, 1 MB. Error messages can be shown. */
export async function safeFetch(address: string, options: EgressOptions): Promise<FetchedDocument> {
  const signal = AbortSignal.any([options.signal, AbortSignal.timeout(totalTimeoutMs)])
  let host = ''
  try {
    const url = requireAllowedUrl(address, options)
    host = getHost(url)
    return await readDocument(await requireDestination(url, { ...options, signal }), signal)
  } catch (error) {
    if (options.signal.aborted) throw new Error('Reading was stopped.')
    if (signal.aborted) throw new Error(`${host} didn’t respond within ${totalTimeoutMs / 1000} seconds.`)
    if (error instanceof EgressRefused || error instanceof TunnelRefused) throw new Error(error.message)
    const isLookupFailure = (error as NodeJS.ErrnoException).syscall === 'getaddrinfo'
    if (isLookupFailure && options.findProxy?.(new URL(address)))
      throw new Error(`This server couldn’t look up ${host}. It must check each address first, even with a proxy.`)
    throw new Error(`${host} couldn’t be reached.`)
  }
}

/**
 * `fetch` under the same rules; the caller limits time and size.
 * @throws EgressRefused with a message that can be shown
 */
export function createEgressFetch(options: Omit<EgressOptions, 'signal'>): typeof fetch {
  return async (input, init = {}) => {
    const signal = init.signal ?? new AbortController().signal
    const url = requireAllowedUrl(String(input), options)
    const response = await sendRequest(await requireDestination(url, { ...options, signal }), signal, init)
    const { statusCode = 502, statusMessage = '' } = response
    const headers = Object.entries(response.headersDistinct).flatMap(([name, values = []]) =>
      values.map((value): [string, string] => [name, value]),
    )
    const isEmpty = [101, 204, 205, 304].includes(statusCode)
    if (isEmpty) response.destroy()
    const body = isEmpty ? null : (Readable.toWeb(decompress(response)) as ReadableStream<Uint8Array>)
    return new Response(body, { status: statusCode, statusText: statusMessage, headers })
  }
}

/** @throws EgressRefused */
export function requireAllowedUrl(address: string, { hosts, ports = [80, 443] }: Omit<EgressOptions, 'signal'>): URL {
  if (hosts.length === 0)
    throw new EgressRefused(
      'Reading from the web is turned off. An administrator can allow hosts with KEEPER_FETCH_HOSTS.',
    )
  const url = URL.parse(address)
  if (!url || !['http:', 'https:'].includes(url.protocol))
    throw new EgressRefused('This isn’t an address starting with http:// or https://.')
  if (url.username || url.password) throw new EgressRefused('Addresses with a username or password can’t be read.')
  if (!ports.includes(getPort(url))) throw new EgressRefused(`Only ports ${ports.join(' and ')} can be read.`)
  const host = getHost(url)
  if (!isAllowed(host, hosts)) throw new EgressRefused(`This server isn’t allowed to read from ${host}.`)
  return url
}

/** Checks every address of the name. @throws EgressRefused */
async function requireDestination(url: URL, options: EgressOptions): Promise<Destination> {
  const { signal, canConnect = isPublicAddress } = options
  const host = getHost(url)
  const addresses = isIP(host) ? [host] : await rejectOnAbort(signal, (options.resolve ?? resolveName)(host))
  const [first] = addresses
  if (first === undefined || !addresses.every((candidate) => canConnect(candidate)))
    throw new EgressRefused(`${host} isn’t a public host, so it can’t be read.`)
  return { url, address: first, port: getPort(url), host, proxy: options.findProxy?.(url) ?? null }
}

function getHost(url: URL): string {
  return stripBrackets(url.hostname).replace(/\.$/, '')
}

function getPort(url: URL): number {
  return Number(url.port || (url.protocol === 'https:' ? 443 : 80))
}

export class EgressRefused extends Error {}

function isAllowed(host: string, hosts: readonly string[]): boolean {
  const name = host.toLowerCase()
  return hosts.some((allowed) => {
    if (allowed === '*') return true
    return allowed.startsWith('*.') ? name.endsWith(allowed.slice(1)) : name === allowed
  })
}

async function resolveName(host: string): Promise<string[]> {
  return (await lookup(host, { all: true })).map(({ address }) => address)
}

function rejectOnAbort<T>(signal: AbortSignal, promise: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
    promise.then(resolve, reject)
  })
}

async function readDocument(destination: Destination, signal: AbortSignal): Promise<FetchedDocument> {
  const { host } = destination
  const response = await sendRequest(destination, signal)
  try {
    const { statusCode = 0, headers } = response
    if (statusCode >= 300 && statusCode < 400) {
      const target = headers.location ? ` (${headers.location.slice(0, 300)})` : ''
      throw new EgressRefused(`${host} redirects to another address${target}. Redirects aren’t followed.`)
    }
    if (statusCode < 200 || statusCode >= 300) throw new EgressRefused(`${host} responded with status ${statusCode}.`)
    const [type = '', ...parameters] = (headers['content-type'] ?? '')
      .toLowerCase()
      .split(';')
      .map((part) => part.trim())
    if (!readableTypes.test(type))
      throw new EgressRefused(`${host} responded with ${type || 'content'}, which isn’t text.`)
    const text = decodeText(await readBody(response), parameters)
    return { type, text: /html/.test(type) ? htmlToText(text) : text }
  } finally {
    response.destroy()
  }
}

async function sendRequest(
  { url, address, port, host, proxy }: Destination,
  signal: AbortSignal,
  init: RequestInit = { headers: { accept: 'text/html, application/json, text/*;q=0.9' } },
): Promise<IncomingMessage> {
  const secure = url.protocol === 'https:'
  const servername = secure && !isIP(host) ? { servername: host } : {}
  const socket = proxy
    ? await openTunnel(proxy, `${isIP(address) === 6 ? `[${address}]` : address}:${port}`, signal)
    : null
  return new Promise((resolve, reject) => {
    const request = (secure ? requestHttps : requestHttp)({
      host: address,
      port,
      path: `${url.pathname}${url.search}`,
      method: init.method ?? 'GET',
      // A new connection, never one left open by another request.
      ...(socket
        ? { createConnection: () => (secure ? connectTls({ socket, host: address, ...servername }) : socket) }
        : { agent: false, ...servername }),
      signal,
      headers: {
        ...Object.fromEntries(new Headers(init.headers)),
        host: url.host,
        'accept-encoding': 'gzip, br',
        'user-agent': 'keeper',
      },
    })
    request.once('response', resolve)
    request.once('error', reject)
    request.end(init.body ? String(init.body) : undefined)
  })
}

async function readBody(response: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of decompress(response)) {
    bytes += (chunk as Buffer).length
    if (bytes > maxBytes) throw new EgressRefused('The document is larger than 1 MB.')
    chunks.push(chunk as Buffer)
  }
  return Buffer.concat(chunks)
}

function decompress(response: IncomingMessage): Readable {
  const encoding = (response.headers['content-encoding'] ?? 'identity').toLowerCase()
  if (encoding === 'identity') return response
  const decompressors = {
    gzip: createGunzip,
    'x-gzip': createGunzip,
    br: createBrotliDecompress,
    deflate: createInflate,
  }
  const createDecompressor = decompressors[encoding as keyof typeof decompressors]
  if (!createDecompressor) throw new EgressRefused(`The document uses the encoding ${encoding}, which isn’t supported.`)
  const target = createDecompressor()
  response.once('error', (error) => target.destroy(error))
  return response.pipe(target)
}

function decodeText(bytes: Buffer, parameters: string[]): string {
  const charset =
    parameters
      .find((part) => part.startsWith('charset='))
      ?.slice(8)
      .replaceAll('"', '') ?? 'utf-8'
  try {
    return new TextDecoder(charset).decode(bytes).replaceAll('\0', '').toWellFormed()
  } catch {
    throw new EgressRefused(`The document uses the character set ${charset}, which isn’t supported.`)
  }
}
