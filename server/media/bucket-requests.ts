import { hash } from 'node:crypto'
import { AwsV4Signer } from 'aws4fetch'
import { Problem } from '#server/http/problem.ts'
import type { ModelRuntime } from '#server/models/run-model.ts'
import type { BucketSettings } from '#server/settings/settings.ts'
import { decodeCharacterReferences } from '#server/values/character-references.ts'

export interface BucketObject {
  sha256: string
  bytes: number
  /** Milliseconds since 1970 by the bucket's clock, in whole seconds. */
  modifiedAt: number
}

const maxAttempts = 3
const initialDelayMs = 200
/** Time for a response, or for each chunk of a large one; a large upload must finish in it. */
const defaultTimeoutMs = 120_000
const emptySha256 = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'

const ownerObjectName = 'installation'

/** S3-compatible: path-style, signature version 4, with retries. Errors and logs never contain keys.
 * @see https://docs.aws.amazon.com/AmazonS3/latest/API/API_Operations_Amazon_Simple_Storage_Service.html */
export class BucketRequests {
  readonly #settings: BucketSettings
  readonly #runtime: Pick<ModelRuntime, 'fetch' | 'sleep'>
  readonly #timeoutMs: number

  constructor(
    settings: BucketSettings,
    runtime: Pick<ModelRuntime, 'fetch' | 'sleep'>,
    timeoutMs: number = defaultTimeoutMs,
  ) {
    this.#settings = settings
    this.#runtime = runtime
    this.#timeoutMs = timeoutMs
  }

  async head(sha256: string): Promise<BucketObject | undefined> {
    const { answer } = await this.#send('HEAD', this.#toKey(sha256), { isMissingAllowed: true })
    if (answer.status === 404) return undefined
    const modifiedAt = Date.parse(answer.headers.get('last-modified') ?? '')
    return { sha256, bytes: Number(answer.headers.get('content-length')), modifiedAt }
  }

  /** The bytes from `start` up to `end`, or undefined. Can be read slowly: an interrupted response is resumed. */
  async get(sha256: string, start: number, end: number): Promise<AsyncGenerator<Buffer> | undefined> {
    const first = await this.#send('GET', this.#toKey(sha256), { ...toRangeHeader(start, end), isMissingAllowed: true })
    return first.answer.status === 404 ? undefined : this.#readResumably(sha256, { start, end, first })
  }

  async *#readResumably(
    sha256: string,
    { start, end, first }: { start: number; end: number; first: BucketResponse },
  ): AsyncGenerator<Buffer> {
    let response = first
    let offset = start
    let failureCount = 0
    for (;;) {
      // A bucket that ignores the range would append the wrong bytes.
      const isContinued = offset === start || response.answer.status === 206
      const chunks = readChunks(response)
      let reason = isContinued ? '' : 'it restarted'
      try {
        while (reason === '') {
          const next = await chunks.next().catch((error: Error) => error)
          if (next instanceof Error) reason = getReason(next)
          else if (next.done) reason = 'it ended'
          else {
            failureCount = 0
            offset += next.value.byteLength
            yield next.value
          }
          if (offset >= end) return
        }
      } finally {
        await chunks.return(undefined)
      }
      failureCount += 1
      if (failureCount === maxAttempts) {
        const cause = new Error(`The bucket interrupted a response: ${reason}`)
        throw new Problem('media-unavailable', { cause, retryAfterSeconds: 5 })
      }
      response = await this.#send('GET', this.#toKey(sha256), toRangeHeader(offset, end))
    }
  }

  async put(sha256: string, body: Blob): Promise<void> {
    await this.#send('PUT', this.#toKey(sha256), { body, checksum: sha256 })
  }

  async remove(sha256: string): Promise<void> {
    await this.#send('DELETE', this.#toKey(sha256))
  }

  async getOwner(): Promise<string | undefined> {
    const { answer } = await this.#send('GET', this.#toKey(ownerObjectName), { isMissingAllowed: true })
    const text = await answer.text()
    return answer.ok ? text : undefined
  }

  async setOwner(installation: string): Promise<void> {
    const checksum = hash('sha256', installation)
    await this.#send('PUT', this.#toKey(ownerObjectName), { body: new Blob([installation]), checksum })
  }

  async *list(): AsyncGenerator<BucketObject[]> {
    const prefix = this.#toKey('')
    for (let token: string | undefined = ''; token !== undefined; ) {
      const { answer } = await this.#send('GET', '', {
        query: { 'list-type': '2', prefix, ...(token && { 'continuation-token': token }) },
      })
      const xml = await answer.text()
      yield splitEntries(xml).flatMap((entry) => {
        const sha256 = new RegExp(`<Key>${prefix}([0-9a-f]{64})</Key>`).exec(entry)?.[1]
        const modifiedAt = Date.parse(readXmlText(entry, 'LastModified'))
        return sha256 ? [{ sha256, bytes: Number(readXmlText(entry, 'Size')), modifiedAt }] : []
      })
      token =
        readXmlText(xml, 'IsTruncated') === 'true'
          ? decodeCharacterReferences(readXmlText(xml, 'NextContinuationToken'))
          : undefined
    }
  }

  #toKey(name: string): string {
    return `${this.#settings.prefix}media/${name}`
  }

  /** Without `isMissingAllowed`, a 404 means that the bucket doesn't exist. @throws Problem 503 */
  async #send(method: string, key: string, options: SendOptions = {}): Promise<BucketResponse> {
    for (let attempt = 1; ; attempt++) {
      const idleTimeout = new IdleTimeout(this.#timeoutMs)
      const outcome = await this.#sendOnce(method, key, { ...options, signal: idleTimeout.signal }).catch(
        (error: Error) => error,
      )
      // Not `instanceof Response`: the HTTP adapter replaces the global class.
      const answer = outcome instanceof Error ? undefined : outcome
      if (answer) {
        if (answer.ok || (answer.status === 404 && options.isMissingAllowed)) return { answer, idleTimeout }
        await answer.body?.cancel()
      }
      const reason = answer ? describeStatus(answer.status) : `could not be reached: ${getReason(outcome as Error)}`
      const isTransient = !answer || answer.status === 429 || answer.status >= 500
      if (!isTransient || attempt === maxAttempts)
        throw new Problem('media-unavailable', {
          cause: new Error(`The bucket ${reason} (${method})`),
          retryAfterSeconds: 5,
        })
      await this.#runtime.sleep(initialDelayMs * 2 ** (attempt - 1), AbortSignal.timeout(this.#timeoutMs))
    }
  }

  async #sendOnce(
    method: string,
    key: string,
    { query, headers, body, checksum, signal }: SendOptions & { signal: AbortSignal },
  ): Promise<Response> {
    const { endpoint, bucket, region, accessKeyId, secretAccessKey } = this.#settings
    const url = new URL(`${endpoint}/${bucket}${key && `/${key}`}`)
    for (const [name, value] of Object.entries(query ?? {})) url.searchParams.set(name, value)
    const signed = await new AwsV4Signer({
      method,
      url: url.href,
      headers: { ...headers, 'x-amz-content-sha256': checksum ?? emptySha256 },
      accessKeyId,
      secretAccessKey,
      region,
      service: 's3',
    }).sign()
    return this.#runtime.fetch(signed.url, {
      method,
      headers: signed.headers,
      ...(body && { body }),
      redirect: 'error',
      signal,
    })
  }
}

interface SendOptions {
  isMissingAllowed?: boolean
  query?: Record<string, string>
  headers?: Record<string, string>
  body?: Blob
  checksum?: string
}

interface BucketResponse {
  answer: Response
  idleTimeout: IdleTimeout
}

class IdleTimeout {
  readonly #controller = new AbortController()
  readonly #milliseconds: number
  #timer: NodeJS.Timeout | undefined

  constructor(milliseconds: number) {
    this.#milliseconds = milliseconds
    this.start()
  }

  get signal(): AbortSignal {
    return this.#controller.signal
  }

  start(): void {
    const onTimeout = () => this.#controller.abort(new DOMException('No response in time.', 'TimeoutError'))
    this.#timer = setTimeout(onTimeout, this.#milliseconds).unref()
  }

  pause(): void {
    clearTimeout(this.#timer)
  }

  end(): void {
    this.pause()
    this.#controller.abort()
  }
}

async function* readChunks({ answer, idleTimeout }: BucketResponse): AsyncGenerator<Buffer> {
  try {
    idleTimeout.pause()
    const reader = answer.body?.getReader()
    for (;;) {
      idleTimeout.start()
      const chunk = await reader?.read().finally(() => idleTimeout.pause())
      if (!chunk || chunk.done) return
      yield Buffer.from(chunk.value)
    }
  } finally {
    idleTimeout.end()
  }
}

const toRangeHeader = (start: number, end: number) => ({ headers: { range: `bytes=${start}-${end - 1}` } })

const describeStatus = (status: number) =>
  status === 404 ? 'answered 404: the bucket in S3_BUCKET doesn’t exist' : `answered ${status}`
const getReason = ({ name, cause }: Error) => (cause as NodeJS.ErrnoException | undefined)?.code ?? name
const readXmlText = (xml: string, name: string) => new RegExp(`<${name}>([^<]*)</${name}>`).exec(xml)?.[1] ?? ''
const splitEntries = (xml: string) =>
  xml
    .split('</Contents>')
    .slice(0, -1)
    .map((text) => text.slice(text.indexOf('<Contents>')))
