import { createHash, createHmac } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'

/** A failure for one request: a status, or a connection that breaks. */
export type BucketFault = number | 'reset' | 'cut-off'

export interface BucketFake {
  /** The environment settings that point to this bucket. */
  environment: Record<string, string>
  /** Stored objects by full key. */
  objects: Map<string, { bytes: Buffer; modified: number }>
  /** Method and path of every request, in order. */
  requests: string[]
  /** Faults for the next requests in order; `null` lets one pass. */
  faults: (BucketFault | null)[]
  close(): Promise<void>
}

const accessKeyId = 'BUCKETKEYOFTHETESTS'
const secretAccessKey = 'canary-secret-of-the-bucket'
const region = 'eu-north-1'
const bucket = 'keeper-media'
const bucketPageSize = 3
const maxClockSkewMs = 15 * 60 * 1000
const authorizationPattern = new RegExp(
  `^AWS4-HMAC-SHA256 Credential=${accessKeyId}/(\\d{8})/${region}/s3/aws4_request, SignedHeaders=([a-z0-9;-]+), Signature=([0-9a-f]{64})$`,
)

/**
 * A bucket that checks what a real one does: the version 4 signature, the signed checksum, a length, and the bucket
 * name. Lists three keys per page and answers errors as XML.
 */
export async function startBucket(): Promise<BucketFake> {
  const objects: BucketFake['objects'] = new Map()
  const requests: string[] = []
  const faults: BucketFake['faults'] = []
  const server = createServer(async (request, response) => {
    requests.push(`${request.method} ${request.url}`)
    const body = await readRequestBody(request)
    const fault = faults.shift() ?? null
    if (fault === 'reset') return request.socket.destroy()
    if (typeof fault === 'number') return refuse(response, fault, 'InternalError')
    const errorCode = findRequestError(request, body)
    if (errorCode) return refuse(response, 403, errorCode)
    respondToBucketRequest(request, response, body, objects, fault === 'cut-off')
  })
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  const { port } = server.address() as { port: number }
  return {
    environment: {
      S3_ENDPOINT: `http://127.0.0.1:${port}`,
      S3_BUCKET: bucket,
      S3_REGION: region,
      S3_PREFIX: 'of-keeper/',
      S3_ACCESS_KEY_ID: accessKeyId,
      S3_SECRET_ACCESS_KEY: secretAccessKey,
    },
    objects,
    requests,
    faults,
    close: () =>
      new Promise((closed) => {
        server.close(() => closed())
        server.closeAllConnections()
      }),
  }
}

function respondToBucketRequest(
  request: IncomingMessage,
  response: ServerResponse,
  body: Buffer,
  objects: BucketFake['objects'],
  isCutOff: boolean,
): unknown {
  const url = new URL(request.url ?? '', 'http://bucket')
  if (url.pathname.split('/')[1] !== bucket) return refuse(response, 404, 'NoSuchBucket')
  const name = url.pathname.slice(bucket.length + 2)
  if (request.method === 'GET' && name === '') return listObjects(response, url.searchParams, objects)
  if (request.method === 'PUT') {
    if (request.headers['content-length'] === undefined) return refuse(response, 411, 'MissingContentLength')
    objects.set(name, { bytes: body, modified: Date.now() })
    return response.writeHead(200).end()
  }
  if (request.method === 'DELETE') {
    objects.delete(name)
    return response.writeHead(204).end()
  }
  const object = objects.get(name)
  if (!object) return refuse(response, 404, 'NoSuchKey')
  const [, from, to] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '') ?? []
  const part = from === undefined ? object.bytes : object.bytes.subarray(Number(from), Number(to) + 1)
  response.writeHead(from === undefined ? 200 : 206, {
    'content-length': part.length,
    'last-modified': new Date(object.modified).toUTCString(),
  })
  if (request.method === 'HEAD') return response.end()
  if (!isCutOff) return response.end(part)
  return response.write(part.subarray(0, part.length / 2), () => request.socket.destroy())
}

function listObjects(response: ServerResponse, query: URLSearchParams, objects: BucketFake['objects']): ServerResponse {
  const startAfter = query.get('continuation-token')?.replace(/^after & /, '') ?? ''
  const names = [...objects.keys()].filter((name) => name.startsWith(query.get('prefix') ?? '')).toSorted()
  const remaining = names.filter((name) => name > startAfter)
  const page = remaining.slice(0, bucketPageSize)
  const entries = page.map((name) => {
    const { bytes, modified } = objects.get(name) as { bytes: Buffer; modified: number }
    return `<Contents><Key>${name}</Key><LastModified>${new Date(modified).toISOString()}</LastModified><Size>${bytes.length}</Size></Contents>`
  })
  const next =
    remaining.length > page.length ? `<NextContinuationToken>after &amp; ${page.at(-1)}</NextContinuationToken>` : ''
  response.writeHead(200, { 'content-type': 'application/xml' })
  return response.end(
    `<?xml version="1.0"?><ListBucketResult><IsTruncated>${next !== ''}</IsTruncated>${entries.join('')}${next}</ListBucketResult>`,
  )
}

function refuse(response: ServerResponse, status: number, code: string): ServerResponse {
  response.writeHead(status, { 'content-type': 'application/xml' })
  return response.end(`<?xml version="1.0"?><Error><Code>${code}</Code></Error>`)
}

/** The S3 error code, or undefined for a valid request. */
function findRequestError(request: IncomingMessage, body: Buffer): string | undefined {
  const checksum = request.headers['x-amz-content-sha256']
  if (checksum !== createHash('sha256').update(body).digest('hex')) return 'XAmzContentSHA256Mismatch'
  const [, day = '', signedHeaders = '', signature] =
    authorizationPattern.exec(request.headers.authorization ?? '') ?? []
  const requestTime = String(request.headers['x-amz-date'])
  const ageMs = Date.now() - Date.parse(requestTime.replace(/^(....)(..)(..T..)(..)(..Z)$/, '$1-$2-$3:$4:$5'))
  if (!(Math.abs(ageMs) < maxClockSkewMs)) return 'RequestTimeTooSkewed'
  const url = new URL(request.url ?? '', 'http://bucket')
  const encodeUri = (text: string) =>
    encodeURIComponent(text).replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`)
  const query = [...url.searchParams].map(([name, value]) => `${encodeUri(name)}=${encodeUri(value)}`).toSorted()
  const headers = signedHeaders.split(';').map((name) => `${name}:${String(request.headers[name]).trim()}\n`)
  const canonicalRequest = [
    request.method,
    url.pathname,
    query.join('&'),
    headers.join(''),
    signedHeaders,
    checksum,
  ].join('\n')
  const scope = `${day}/${region}/s3/aws4_request`
  const toSign = [
    'AWS4-HMAC-SHA256',
    requestTime,
    scope,
    createHash('sha256').update(canonicalRequest).digest('hex'),
  ].join('\n')
  const key = [day, region, 's3', 'aws4_request'].reduce<Buffer | string>(
    (secret, part) => createHmac('sha256', secret).update(part).digest(),
    `AWS4${secretAccessKey}`,
  )
  return createHmac('sha256', key).update(toSign).digest('hex') === signature ? undefined : 'SignatureDoesNotMatch'
}

async function readRequestBody(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  return Buffer.concat(chunks)
}
