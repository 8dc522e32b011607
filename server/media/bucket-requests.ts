import { createHash } from 'node:crypto'
import { AwsV4Signer } from 'aws4fetch'
import { Problem } from '#server/http/problem.ts'
import type { ModelRuntime } from '#server/models/run-model.ts'
import type { BucketSettings } from '#server/settings.ts'

export interface InBucket {
  sha256: string
  bytes: number
  /** Milliseconds since 1970, by the bucket's clock, in whole seconds. */
  modified: number
}

const tries = 3
const firstWaitMs = 200
/** Until an answer is there whole, and in a large one until the next piece is; a large upload has to be over by then. */
const usualPatienceMs = 120_000
const ofNothing = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'

/** Beside the files; `list` passes over it. */
const ownerName = 'installation'

/**
 * The five requests that Keeper makes of a bucket that speaks the protocol of S3, signed with version 4, addressed by
 * path. Failures that may pass are tried again; nothing that is thrown or logged has a key in it.
 * @see https://docs.aws.amazon.com/AmazonS3/latest/API/API_Operations_Amazon_Simple_Storage_Service.html
 */
export class BucketRequests {
  readonly #settings: BucketSettings
  readonly #runtime: Pick<ModelRuntime, 'fetch' | 'sleep'>
  readonly #patienceMs: number

  constructor(
    settings: BucketSettings,
    runtime: Pick<ModelRuntime, 'fetch' | 'sleep'>,
    patienceMs: number = usualPatienceMs,
  ) {
    this.#settings = settings
    this.#runtime = runtime
    this.#patienceMs = patienceMs
  }

  async head(sha256: string): Promise<InBucket | undefined> {
    const { answer } = await this.#send('HEAD', this.#keyOf(sha256), { mayBeMissing: true })
    if (answer.status === 404) return undefined
    const modified = Date.parse(answer.headers.get('last-modified') ?? '')
    return { sha256, bytes: Number(answer.headers.get('content-length')), modified }
  }

  /**
   * The bytes from `start` to the one before `end`; undefined when there are none of that name. They may be taken as slowly
   * as one likes: where the answer breaks off meanwhile, the rest is asked for anew.
   */
  async get(sha256: string, start: number, end: number): Promise<AsyncGenerator<Buffer> | undefined> {
    const first = await this.#send('GET', this.#keyOf(sha256), { ...rangeOf(start, end), mayBeMissing: true })
    return first.answer.status === 404 ? undefined : this.#bytes(sha256, { start, end, first })
  }

  async *#bytes(
    sha256: string,
    { start, end, first }: { start: number; end: number; first: Heard },
  ): AsyncGenerator<Buffer> {
    let at = start
    for (let [heard, broken] = [first, 0]; ; heard = await this.#send('GET', this.#keyOf(sha256), rangeOf(at, end))) {
      // A bucket that begins again at the beginning would put the wrong bytes behind those that are there.
      const goesOn = at === start || heard.answer.status === 206
      const pieces = piecesOf(heard)
      let why = goesOn ? '' : 'it began again'
      try {
        while (why === '') {
          const next = await pieces.next().catch((error: Error) => error)
          if (next instanceof Error) why = reasonOf(next)
          else if (next.done) why = 'it ended'
          else {
            broken = 0
            at += next.value.byteLength
            yield next.value
          }
          if (at >= end) return
        }
      } finally {
        await pieces.return(undefined)
      }
      if (++broken < tries) continue
      const cause = new Error(`The bucket broke off an answer: ${why}`)
      throw new Problem('media-unavailable', { cause, retryAfterSeconds: 5 })
    }
  }

  /** The bucket itself compares the bytes with their sum, which is signed. */
  async put(sha256: string, body: Blob): Promise<void> {
    await this.#send('PUT', this.#keyOf(sha256), { body, sum: sha256 })
  }

  async remove(sha256: string): Promise<void> {
    await this.#send('DELETE', this.#keyOf(sha256))
  }

  /** Whose bucket it is; undefined while nobody has said so. */
  async owner(): Promise<string | undefined> {
    const { answer } = await this.#send('GET', this.#keyOf(ownerName), { mayBeMissing: true })
    const text = await answer.text()
    return answer.ok ? text : undefined
  }

  async setOwner(installation: string): Promise<void> {
    const sum = createHash('sha256').update(installation).digest('hex')
    await this.#send('PUT', this.#keyOf(ownerName), { body: new Blob([installation]), sum })
  }

  async *list(): AsyncGenerator<InBucket[]> {
    const prefix = this.#keyOf('')
    for (let token: string | undefined = ''; token !== undefined; ) {
      const { answer } = await this.#send('GET', '', {
        query: { 'list-type': '2', prefix, ...(token && { 'continuation-token': token }) },
      })
      const xml = await answer.text()
      yield entriesIn(xml).flatMap((entry) => {
        const sha256 = new RegExp(`<Key>${prefix}([0-9a-f]{64})</Key>`).exec(entry)?.[1]
        const modified = Date.parse(textOf(entry, 'LastModified'))
        return sha256 ? [{ sha256, bytes: Number(textOf(entry, 'Size')), modified }] : []
      })
      token = textOf(xml, 'IsTruncated') === 'true' ? unescaped(textOf(xml, 'NextContinuationToken')) : undefined
    }
  }

  #keyOf(name: string): string {
    return `${this.#settings.prefix}media/${name}`
  }

  /**
   * Answers 2xx, and 404 where an object `mayBeMissing`: to everything else it says that the bucket itself is missing.
   * @throws Problem 503
   */
  async #send(method: string, key: string, options: SendOptions = {}): Promise<Heard> {
    for (let attempt = 1; ; attempt++) {
      const patience = new Patience(this.#patienceMs)
      const outcome = await this.#sendOnce(method, key, { ...options, signal: patience.signal }).catch(
        (error: Error) => error,
      )
      // Not `instanceof Response`: the HTTP adapter puts a class of its own in its place, which answers of fetch are none of.
      const answer = outcome instanceof Error ? undefined : outcome
      if (answer) {
        if (answer.ok || (answer.status === 404 && options.mayBeMissing)) return { answer, patience }
        await answer.body?.cancel()
      }
      const why = answer ? answered(answer.status) : `could not be reached: ${reasonOf(outcome as Error)}`
      const mayPass = !answer || answer.status === 429 || answer.status >= 500
      if (!mayPass || attempt === tries)
        throw new Problem('media-unavailable', {
          cause: new Error(`The bucket ${why} (${method})`),
          retryAfterSeconds: 5,
        })
      await this.#runtime.sleep(firstWaitMs * 2 ** (attempt - 1), AbortSignal.timeout(this.#patienceMs))
    }
  }

  async #sendOnce(
    method: string,
    key: string,
    { query, headers, body, sum, signal }: SendOptions & { signal: AbortSignal },
  ): Promise<Response> {
    const { endpoint, bucket, region, accessKeyId, secretAccessKey } = this.#settings
    const url = new URL(`${endpoint}/${bucket}${key && `/${key}`}`)
    for (const [name, value] of Object.entries(query ?? {})) url.searchParams.set(name, value)
    const signed = await new AwsV4Signer({
      method,
      url: url.href,
      headers: { ...headers, 'x-amz-content-sha256': sum ?? ofNothing },
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
  /** Whether 404 is an answer. */
  mayBeMissing?: boolean
  query?: Record<string, string>
  headers?: Record<string, string>
  body?: Blob
  /** SHA-256 of the body, hexadecimal. */
  sum?: string
}

interface Heard {
  answer: Response
  /** Ends the answer, unless it is there whole by then. */
  patience: Patience
}

/** Time that passes only while the bucket is waited for. */
class Patience {
  readonly #ending = new AbortController()
  readonly #milliseconds: number
  #timer: NodeJS.Timeout | undefined

  constructor(milliseconds: number) {
    this.#milliseconds = milliseconds
    this.begin()
  }

  get signal(): AbortSignal {
    return this.#ending.signal
  }

  begin(): void {
    const over = () => this.#ending.abort(new DOMException('It said nothing for too long.', 'TimeoutError'))
    this.#timer = setTimeout(over, this.#milliseconds).unref()
  }

  rest(): void {
    clearTimeout(this.#timer)
  }

  end(): void {
    this.rest()
    this.#ending.abort()
  }
}

async function* piecesOf({ answer, patience }: Heard): AsyncGenerator<Buffer> {
  try {
    patience.rest()
    const reader = answer.body?.getReader()
    for (;;) {
      patience.begin()
      const piece = await reader?.read().finally(() => patience.rest())
      if (!piece || piece.done) return
      yield Buffer.from(piece.value)
    }
  } finally {
    patience.end()
  }
}

const rangeOf = (start: number, end: number) => ({ headers: { range: `bytes=${start}-${end - 1}` } })

const answered = (status: number) =>
  status === 404 ? 'answered 404: S3_BUCKET names none that is there' : `answered ${status}`
const reasonOf = ({ name, cause }: Error) => (cause as NodeJS.ErrnoException | undefined)?.code ?? name
const textOf = (xml: string, name: string) => new RegExp(`<${name}>([^<]*)</${name}>`).exec(xml)?.[1] ?? ''
/** The content of each `<Contents>`; none that was cut off. */
const entriesIn = (xml: string) =>
  xml
    .split('</Contents>')
    .slice(0, -1)
    .map((text) => text.slice(text.indexOf('<Contents>')))
const unescaped = (text: string) =>
  text.replace(/&(amp|lt|gt|quot|apos|#\d+);/g, (whole, name: string) =>
    name.startsWith('#') ? String.fromCodePoint(Number(name.slice(1))) : (entities[name] ?? whole),
  )
const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }
