import { lookup } from 'node:dns/promises'
import { type IncomingMessage, request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { isIP } from 'node:net'
import { Readable } from 'node:stream'
import { connect as connectTls } from 'node:tls'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'
import { openTunnel, TunnelRefused } from './outgoing-proxy.ts'
import { isPublicAddress } from './public-address.ts'
import { textOfHtml } from './text-of-html.ts'

const wholeMs = 5000
const mostBytes = 1024 * 1024
const readableTypes = /^(?:text\/[\w.+-]+|application\/(?:[\w.-]+\+)?(?:json|xml)|application\/xhtml\+xml)$/

export interface Fetched {
  /** Of HTML, its text alone. */
  text: string
  /** Such as `text/html`. */
  type: string
}

/** Which connections are allowed, beside the hosts that the operator names; only tests replace these rules. */
export interface EgressRules {
  ports?: readonly number[]
  /** Every address of a name. */
  resolve?(host: string): Promise<string[]>
  mayConnect?(address: string): boolean
  /** The proxy that stands before an address; left out or `null`: none. */
  findProxy?(address: URL): string | null
}

export interface EgressOptions extends EgressRules {
  /** Host names that may be asked; `*.example.com` for all below one, `*` for every public one. */
  hosts: readonly string[]
  signal: AbortSignal
}

/** An address that may be asked: the connection goes to `address`, which was checked. */
interface Destination {
  url: URL
  address: string
  port: number
  host: string
  proxy: string | null
}

/**
 * Reads an address that somebody outside chose. Every address of its name is checked, and the connection goes to the
 * one that was checked, through a proxy too, so a name that answers differently the second time gains nothing. No
 * redirects, ports 80 and 443, 5 s and 1 MB decoded at most.
 *
 * @throws Error whose message says what was wrong and may be shown
 */
export async function safeFetch(address: string, options: EgressOptions): Promise<Fetched> {
  const signal = AbortSignal.any([options.signal, AbortSignal.timeout(wholeMs)])
  let host = ''
  try {
    const url = requireAllowed(address, options)
    host = getHost(url)
    return await readFrom(await requireDestination(url, { ...options, signal }), signal)
  } catch (error) {
    if (options.signal.aborted) throw new Error('Reading was stopped.')
    if (signal.aborted) throw new Error(`${host} did not answer within ${wholeMs / 1000} seconds.`)
    if (error instanceof EgressRefused || error instanceof TunnelRefused) throw new Error(error.message)
    const isUnresolved = (error as NodeJS.ErrnoException).syscall === 'getaddrinfo'
    if (isUnresolved && options.findProxy?.(new URL(address)))
      throw new Error(
        `This server could not look up ${host}. Through a proxy, too, it reads only addresses it checked.`,
      )
    throw new Error(`${host} could not be reached.`)
  }
}

/**
 * A fetch under the same rules, for protocols over HTTP: any method, any kind of answer, no redirects followed. How long
 * it takes and how much is read is limited by its caller.
 *
 * @throws EgressRefused with a message that may be shown
 */
export function createEgressFetch(options: Omit<EgressOptions, 'signal'>): typeof fetch {
  return async (input, init = {}) => {
    const signal = init.signal ?? new AbortController().signal
    const url = requireAllowed(String(input), options)
    const response = await send(await requireDestination(url, { ...options, signal }), signal, init)
    const { statusCode = 502, statusMessage = '' } = response
    const headers = Object.entries(response.headersDistinct).flatMap(([name, values = []]) =>
      values.map((value): [string, string] => [name, value]),
    )
    const isEmpty = [101, 204, 205, 304].includes(statusCode)
    if (isEmpty) response.destroy()
    const body = isEmpty ? null : (Readable.toWeb(unpacked(response)) as ReadableStream<Uint8Array>)
    return new Response(body, { status: statusCode, statusText: statusMessage, headers })
  }
}

/** @throws EgressRefused */
export function requireAllowed(address: string, { hosts, ports = [80, 443] }: Omit<EgressOptions, 'signal'>): URL {
  if (hosts.length === 0)
    throw new EgressRefused(
      'Reading from the web is switched off. Who runs this server can name allowed hosts in KEEPER_FETCH_HOSTS.',
    )
  const url = URL.parse(address)
  if (!url || !['http:', 'https:'].includes(url.protocol))
    throw new EgressRefused('This is no address beginning with http:// or https://.')
  if (url.username || url.password)
    throw new EgressRefused('Addresses with a user name or password in them are not read.')
  if (!ports.includes(getPort(url))) throw new EgressRefused(`Only the ports ${ports.join(' and ')} are read.`)
  const host = getHost(url)
  if (!isAllowed(host, hosts)) throw new EgressRefused(`The host ${host} is not among those this server may read from.`)
  return url
}

/** Checks every address of the name. @throws EgressRefused */
async function requireDestination(url: URL, options: EgressOptions): Promise<Destination> {
  const { signal, mayConnect = isPublicAddress } = options
  const host = getHost(url)
  const addresses = isIP(host) ? [host] : await orAborted(signal, (options.resolve ?? resolveName)(host))
  const [first] = addresses
  if (first === undefined || !addresses.every((each) => mayConnect(each)))
    throw new EgressRefused(`The host ${host} is not a public one, so it is not read.`)
  return { url, address: first, port: getPort(url), host, proxy: options.findProxy?.(url) ?? null }
}

function getHost(url: URL): string {
  return url.hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '')
}

function getPort(url: URL): number {
  return Number(url.port || (url.protocol === 'https:' ? 443 : 80))
}

/** Told as it is; everything else is the network's and told as not reached. */
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

/** A name server that keeps silent is waited for no longer than the signal says. */
function orAborted<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
    work.then(resolve, reject)
  })
}

async function readFrom(destination: Destination, signal: AbortSignal): Promise<Fetched> {
  const { host } = destination
  const response = await send(destination, signal)
  try {
    const { statusCode = 0, headers } = response
    if (statusCode >= 300 && statusCode < 400) {
      const elsewhere = headers.location ? ` (${headers.location.slice(0, 300)})` : ''
      throw new EgressRefused(
        `${host} answers with a redirect to another address${elsewhere}. Redirects are not followed.`,
      )
    }
    if (statusCode < 200 || statusCode >= 300) throw new EgressRefused(`${host} answered with status ${statusCode}.`)
    const [type = '', ...parameters] = (headers['content-type'] ?? '')
      .toLowerCase()
      .split(';')
      .map((part) => part.trim())
    if (!readableTypes.test(type))
      throw new EgressRefused(`${host} answered with ${type || 'something'} that is no text.`)
    const text = decoded(await bodyOf(response), parameters)
    return { type, text: /html/.test(type) ? textOfHtml(text) : text }
  } finally {
    response.destroy()
  }
}

async function send(
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
    const sent = (secure ? requestHttps : requestHttp)({
      host: address,
      port,
      path: `${url.pathname}${url.search}`,
      method: init.method ?? 'GET',
      // A connection of its own, never one that another request left open.
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
    sent.once('response', resolve)
    sent.once('error', reject)
    // Forms are URLSearchParams, everything else of a protocol is text.
    sent.end(init.body ? String(init.body) : undefined)
  })
}

async function bodyOf(response: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of unpacked(response)) {
    bytes += (chunk as Buffer).length
    if (bytes > mostBytes) throw new EgressRefused('The document is larger than 1 MB.')
    chunks.push(chunk as Buffer)
  }
  return Buffer.concat(chunks)
}

function unpacked(response: IncomingMessage): Readable {
  const encoding = (response.headers['content-encoding'] ?? 'identity').toLowerCase()
  if (encoding === 'identity') return response
  const unpackers = { gzip: createGunzip, 'x-gzip': createGunzip, br: createBrotliDecompress, deflate: createInflate }
  const unpacker = unpackers[encoding as keyof typeof unpackers]
  if (!unpacker) throw new EgressRefused(`The document is packed as ${encoding}, which is not read.`)
  const target = unpacker()
  response.once('error', (error) => target.destroy(error))
  return response.pipe(target)
}

function decoded(bytes: Buffer, parameters: string[]): string {
  const charset =
    parameters
      .find((part) => part.startsWith('charset='))
      ?.slice(8)
      .replaceAll('"', '') ?? 'utf-8'
  try {
    return new TextDecoder(charset).decode(bytes).replaceAll('\0', '').toWellFormed()
  } catch {
    throw new EgressRefused(`The document is written in ${charset}, which is not read.`)
  }
}
