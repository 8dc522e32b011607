import { Readable } from 'node:stream'
import { createEgressFetch, EgressRefused } from '#server/http/egress.ts'
import { isLinkLocalAddress } from '#server/http/public-address.ts'
import type { Services } from '#server/services.ts'
import { stripBrackets } from '#server/values/strip-brackets.ts'
import { type ForeignObject, toList, toObject, toText } from './importers/foreign-values.ts'

// The API of memos v0.22 to v0.30: names and paths changed, answers stayed similar.

export interface MemosLogin {
  address: string
  token: string
}

/** A reason that can be shown to people, with the form field it is about. */
export class MemosFailure extends Error {
  readonly field: keyof MemosLogin

  constructor(message: string, { field = 'address', cause }: { field?: keyof MemosLogin; cause?: unknown } = {}) {
    super(message, { cause })
    this.field = field
  }
}

const answerTimeoutMs = 30_000
const fileTimeoutMs = 15 * 60_000
const maxAnswerBytes = 32 * 1024 * 1024
/** Some versions answer a page size of 200 with an outdated first page. */
const pageSize = 100
const maxPages = 20_000
const maxRedirects = 3

interface PageRequest {
  size: number
  token?: string
  signal: AbortSignal
}

/** One account of a memos server. The token is kept only in memory. */
export class MemosServer {
  readonly host: string
  readonly #services: Services
  readonly #base: URL
  readonly #token: string
  #userName = ''
  #usesFilterExpression = false

  private constructor(services: Services, { address, token }: MemosLogin) {
    this.#services = services
    this.#token = token
    // An invalid address is refused like any that isn’t http or https.
    this.#base = URL.parse(address) ?? new URL('invalid:')
    this.#base.pathname = `${this.#base.pathname.replace(/\/{0,9}$/, '')}/`
    this.#base.search = ''
    this.#base.hash = ''
    this.host = this.#base.host
  }

  /** Signs in and reads one memo. @throws MemosFailure */
  static async connect(services: Services, login: MemosLogin, signal: AbortSignal): Promise<MemosServer> {
    const server = new MemosServer(services, login)
    const isOldVersion = await server.#findUser(signal)
    server.#usesFilterExpression = isOldVersion && (await server.#acceptsFilterExpression(signal))
    const page = await server.#readPage('NORMAL', { size: 1, signal })
    // An account without memos can have an empty answer.
    if (!page || (Object.keys(page).length > 0 && !('memos' in page))) throw server.#createNoMemosFailure()
    return server
  }

  /** The person's own memos page by page, archived ones last, each page followed by its comments. @throws MemosFailure */
  async *listMemos(signal: AbortSignal): AsyncGenerator<ForeignObject[]> {
    const listedNames = new Set<string>()
    for (const state of ['NORMAL', 'ARCHIVED'] as const)
      for await (const page of readPages((token) => this.#readPage(state, { size: pageSize, token, signal }))) {
        const memos = this.#selectOwn(page, listedNames)
        yield memos
        for (const memo of memos.filter(hasComments)) {
          const path = `api/v1/${memo.name}/comments`
          const comments = readPages((pageToken) =>
            this.#getJson(`${path}?${new URLSearchParams({ pageToken })}`, { signal }),
          )
          for await (const commentPage of comments) yield this.#selectOwn(commentPage, listedNames)
        }
      }
  }

  /** Bytes of an attachment; undefined where the server gives none. @throws MemosFailure when it can't be reached */
  async openFile(attachment: ForeignObject, signal: AbortSignal): Promise<Readable | undefined> {
    const name = toText(attachment.name)
    const filename = toText(attachment.filename)
    if (filename === undefined || !/^(?:attachments|resources)\/[\w-]{1,100}$/.test(name ?? '')) return undefined
    let url = new URL(`file/${name}/${encodeURIComponent(filename)}`, this.#base)
    // A bucket answers after a redirect, which is checked like every address.
    for (let redirects = 0; redirects <= maxRedirects; redirects += 1) {
      const response = await this.#send(url, { signal, timeoutMs: fileTimeoutMs }).catch((error: unknown) => {
        if (redirects > 0 && (error as Error).cause instanceof EgressRefused) return undefined
        throw error
      })
      const target = response && findRedirect(response, url)
      if (response?.ok && response.body) return Readable.fromWeb(response.body as never)
      discardBody(response)
      if (!target) return undefined
      url = target
    }
    return undefined
  }

  #createNoMemosFailure(): MemosFailure {
    return new MemosFailure(
      'There is no memos server at this address. Enter the address where you open memos, such as https://memos.example.com.',
    )
  }

  /** @returns whether it is a version before 0.25 */
  async #findUser(signal: AbortSignal): Promise<boolean> {
    const calls = [
      ['api/v1/auth/me', 'GET'],
      ['api/v1/auth/sessions/current', 'GET'],
      ['api/v1/auth/status', 'POST'],
    ] as const
    for (const [path, method] of calls) {
      const answer = await this.#getJson(path, { method, signal })
      const userName = toText(toObject(answer?.user)?.name) ?? toText(answer?.name)
      if (userName === undefined || !/^users\/[^/\s"]{1,100}$/.test(userName)) continue
      this.#userName = userName
      return method === 'POST'
    }
    throw this.#createNoMemosFailure()
  }

  /** Versions before 0.24 know no states, and later ones refuse this filter. */
  async #acceptsFilterExpression(signal: AbortSignal): Promise<boolean> {
    const query = new URLSearchParams({ pageSize: '1', filter: this.#formatFilter('NORMAL') })
    return (await this.#getJson(`api/v1/memos?${query}`, { signal })) !== undefined
  }

  #formatFilter(state: string): string {
    return `creator == "${this.#userName}" && row_status == "${state}"`
  }

  #readPage(
    state: 'NORMAL' | 'ARCHIVED',
    { size, token = '', signal }: PageRequest,
  ): Promise<ForeignObject | undefined> {
    const query = new URLSearchParams({ pageSize: String(size), pageToken: token })
    if (this.#usesFilterExpression) query.set('filter', this.#formatFilter(state))
    else query.set('state', state)
    return this.#getJson(`api/v1/memos?${query}`, { signal })
  }

  /** Lists also contain memos that other people share, and some memos twice. */
  #selectOwn(page: unknown[], listedNames: Set<string>): ForeignObject[] {
    return page.flatMap((value) => {
      const memo = toObject(value)
      const name = toText(memo?.name)
      if (!memo || name === undefined || listedNames.has(name)) return []
      if (memo.creator !== undefined && memo.creator !== this.#userName) return []
      listedNames.add(name)
      return [memo]
    })
  }

  /** Undefined for an answer of any other API. @throws MemosFailure */
  async #getJson(
    path: string,
    { method = 'GET', signal }: { method?: 'GET' | 'POST'; signal: AbortSignal },
  ): Promise<ForeignObject | undefined> {
    const url = new URL(path, this.#base)
    const response = await this.#send(url, { method, signal, timeoutMs: answerTimeoutMs })
    const { status, ok } = response
    try {
      if (ok) return toObject(JSON.parse(await readText(response)))
    } catch (error) {
      if (error instanceof SyntaxError) return undefined
      throw this.#explain(error, signal)
    }
    const target = findRedirect(response, url)
    discardBody(response)
    if (status === 401 || status === 403)
      throw new MemosFailure(
        `${this.host} refused this access token. Create a new one in memos, under Settings, and paste it here.`,
        { field: 'token' },
      )
    if (target)
      throw new MemosFailure(
        `${this.host} redirects to ${target.origin}. If that is your memos server, enter that address.`,
      )
    if (status >= 500 && status !== 501)
      throw new MemosFailure(`${this.host} responded with status ${status}. Try again later.`)
    return undefined
  }

  /** @throws MemosFailure when there is no answer */
  async #send(
    url: URL,
    { method = 'GET', signal, timeoutMs }: { method?: 'GET' | 'POST'; signal: AbortSignal; timeoutMs: number },
  ): Promise<Response> {
    const timeout = AbortSignal.timeout(timeoutMs)
    // Another host, such as a bucket after a redirect, must not get the token.
    const isMemosServer = url.origin === this.#base.origin
    try {
      return await createEgressFetch(this.#getEgressOptions(url))(url.href, {
        method,
        signal: AbortSignal.any([signal, timeout]),
        headers: {
          accept: 'application/json, */*;q=0.5',
          ...(isMemosServer && { authorization: `Bearer ${this.#token}` }),
        },
      })
    } catch (error) {
      throw this.#explain(error, signal, timeout)
    }
  }

  #getEgressOptions(url: URL) {
    const { egress, settings } = this.#services
    if (!settings.importHosts.includes(url.host)) return { ...egress, hosts: settings.fetchHosts }
    const port = Number(url.port || (url.protocol === 'https:' ? 443 : 80))
    return {
      ...egress,
      hosts: [stripBrackets(url.hostname)],
      ports: [port],
      canConnect: (address: string) => !isLinkLocalAddress(address),
    }
  }

  #explain(error: unknown, signal: AbortSignal, timeout?: AbortSignal): unknown {
    if (signal.aborted || error instanceof MemosFailure) return error
    return new MemosFailure(this.#describeNetworkError(error, timeout), { cause: error })
  }

  #describeNetworkError(error: unknown, timeout?: AbortSignal): string {
    if (error instanceof EgressRefused) return error.message
    if (timeout?.aborted) return `${this.host} didn’t respond in time. Try again later.`
    const code = String((error as NodeJS.ErrnoException).code)
    return /CERT|SELF_SIGNED|UNABLE_TO_|ERR_TLS|ERR_SSL/.test(code)
      ? `The certificate of ${this.host} isn’t valid, so Keeper didn’t connect.`
      : `${this.host} couldn’t be reached. Check the address, then try again.`
  }
}

async function* readPages(read: (token: string) => Promise<ForeignObject | undefined>): AsyncGenerator<unknown[]> {
  const readTokens = new Set([''])
  let token = ''
  for (let page = 0; page < maxPages; page += 1) {
    const answer = await read(token)
    yield toList(answer?.memos)
    token = toText(answer?.nextPageToken) ?? ''
    if (readTokens.has(token)) return
    readTokens.add(token)
  }
}

function findRedirect({ status, headers }: Response, url: URL): URL | undefined {
  const location = status >= 300 && status < 400 ? headers.get('location') : null
  return location === null ? undefined : (URL.parse(location, url) ?? undefined)
}

/** Comments are not in the list of memos. */
function hasComments(memo: ForeignObject): boolean {
  return toList(memo.relations).some((value) => {
    const relation = toObject(value)
    const related = toText(toObject(relation?.relatedMemo)?.name) ?? toText(relation?.relatedMemo)
    return relation?.type === 'COMMENT' && related === memo.name && /^memos\/[\w-]{1,100}$/.test(String(memo.name))
  })
}

function discardBody(response: Response | undefined): void {
  void response?.body?.cancel().catch(() => {})
}

async function readText(response: Response): Promise<string> {
  const decoder = new TextDecoder()
  let text = ''
  let bytes = 0
  for await (const chunk of (response.body ?? []) as AsyncIterable<Uint8Array>) {
    bytes += chunk.length
    if (bytes > maxAnswerBytes)
      throw new MemosFailure(`An answer of this server is larger than ${maxAnswerBytes / 1024 / 1024} MB.`)
    text += decoder.decode(chunk, { stream: true })
  }
  return text + decoder.decode()
}
