import { readFile } from 'node:fs/promises'
import { extname, join, normalize } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { securityHeaders } from './security-headers.ts'

export interface WebFiles {
  answer(request: Request, path: string): Promise<Response>
}

interface WebFile {
  bytes: Uint8Array<ArrayBuffer>
  type: string
  /** By content coding; what the build did not pack is packed when first asked for. */
  encoded: Map<string, Promise<Uint8Array<ArrayBuffer>>>
}

const types: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.webmanifest': 'application/manifest+json',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
  '.txt': 'text/plain; charset=utf-8',
}
const compressible = new Set(['.html', '.js', '.css', '.json', '.svg', '.txt', '.webmanifest'])
/** Pages that are readable before any JavaScript; every other address is the application. */
const prerendered: Record<string, string> = {
  '/': '/landing.html',
  '/login': '/login.html',
  '/register': '/register.html',
}
/** Asked for by readers that do not look into the page first. */
const aliases: Record<string, string> = { '/favicon.ico': '/icon.svg' }
const encoders = {
  br: (bytes: Uint8Array) => promisify(brotliCompress)(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }),
  gzip: (bytes: Uint8Array) => promisify(gzip)(bytes, { level: 9 }),
}

/** The built web application in `directory`. Files are read once and kept; hashed ones may be cached for ever. */
export function createWebFiles(directory: string): WebFiles {
  const files = new Map<string, Promise<WebFile | null>>()
  const load = (path: string): Promise<WebFile | null> => {
    const known = files.get(path)
    if (known) return known
    const file = read(directory, path)
    files.set(path, file)
    // Only what is there is kept: addresses that lead nowhere are without end.
    file.then((found) => found ?? files.delete(path)).catch(() => files.delete(path))
    return file
  }
  return {
    async answer(request, path) {
      const asked = prerendered[path] ?? aliases[path] ?? path
      const direct = extname(asked) ? await load(asked) : null
      if (!direct && extname(asked) && !prerendered[path]) {
        return new Response('There is no such file.', {
          status: 404,
          headers: { ...securityHeaders, 'content-type': 'text/plain; charset=utf-8' },
        })
      }
      const file = direct ?? (await load('/index.html'))
      if (!file)
        return new Response('The web application has not been built. Run "npm start".', {
          status: 503,
          headers: { ...securityHeaders },
        })
      const coding = compressible.has(extname(direct ? asked : '.html')) ? codingFor(request) : null
      const headers: Record<string, string> = {
        ...securityHeaders,
        'content-type': file.type,
        'cache-control': asked.startsWith('/assets/') ? 'public, max-age=31536000, immutable' : 'no-cache',
        ...(coding && { 'content-encoding': coding, vary: 'Accept-Encoding' }),
      }
      const bytes = coding ? await encode(file, coding) : file.bytes
      return new Response(request.method === 'HEAD' ? null : bytes, { headers })
    },
  }
}

async function read(directory: string, path: string): Promise<WebFile | null> {
  const inside = normalize(path)
  if (inside.includes('..') || inside.includes('\0') || inside.endsWith('.br')) return null
  try {
    const bytes = new Uint8Array(await readFile(join(directory, inside)))
    const packed = compressible.has(extname(inside)) ? await packedAhead(join(directory, `${inside}.br`)) : null
    const encoded: WebFile['encoded'] = new Map(packed ? [['br', Promise.resolve(packed)]] : [])
    return { bytes, type: types[extname(inside)] ?? 'application/octet-stream', encoded }
  } catch (error) {
    if (isNoFile(error)) return null
    throw error
  }
}

/** What the build packed already. */
async function packedAhead(path: string): Promise<Uint8Array<ArrayBuffer> | null> {
  try {
    return new Uint8Array(await readFile(path))
  } catch (error) {
    if (isNoFile(error)) return null
    throw error
  }
}

function isNoFile(error: unknown): boolean {
  return ['ENOENT', 'EISDIR', 'ENOTDIR', 'ENAMETOOLONG'].includes((error as NodeJS.ErrnoException).code ?? '')
}

function codingFor(request: Request): keyof typeof encoders | null {
  const accepted = request.headers.get('accept-encoding') ?? ''
  if (/\bbr\b/.test(accepted)) return 'br'
  return /\bgzip\b/.test(accepted) ? 'gzip' : null
}

function encode(file: WebFile, coding: keyof typeof encoders): Promise<Uint8Array<ArrayBuffer>> {
  const encoded =
    file.encoded.get(coding) ??
    encoders[coding](file.bytes).then((bytes): Uint8Array<ArrayBuffer> => new Uint8Array(bytes))
  file.encoded.set(coding, encoded)
  return encoded
}
