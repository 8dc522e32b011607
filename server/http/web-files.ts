import { hash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { normalize } from 'node:path/posix'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { listFilesRecursively } from '#server/db/backup-archive.ts'
import { ignoreMissing } from '#server/db/file-system.ts'
import { getFileHeaders, securityHeaders } from './security-headers.ts'

export type Coding = 'br' | 'gzip' | 'identity'

const preferredCodings = ['br', 'gzip'] as const

export function chooseCoding(acceptEncoding: string | null): Coding {
  const weights = new Map<string, number>()
  for (const part of (acceptEncoding ?? '').toLowerCase().split(',')) {
    const [name = '', ...parameters] = part.split(';').map((text) => text.trim())
    const weight = parameters.find((parameter) => parameter.startsWith('q='))
    weights.set(name, weight === undefined ? 1 : Number(weight.slice(2)))
  }
  return preferredCodings.find((coding) => (weights.get(coding) ?? weights.get('*') ?? 0) > 0) ?? 'identity'
}

export interface WebFiles {
  serve(request: Request, path: string): Promise<Response>
}

interface FileVersion {
  bytes: Uint8Array<ArrayBuffer>
  etag: string
}

interface WebFile {
  path: string
  type: string
  isCompressible: boolean
  hasBrotli: boolean
  versions: Partial<Record<Coding, Promise<FileVersion>>>
}

const contentTypes: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.webmanifest': 'application/manifest+json',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.wasm': 'application/wasm',
  '.woff2': 'font/woff2',
  '.txt': 'text/plain; charset=utf-8',
  '.md': 'text/markdown; charset=utf-8',
}
const compressibleExtensions = new Set(['.html', '.js', '.css', '.json', '.svg', '.txt', '.md', '.webmanifest'])
const prerenderedPages: Record<string, string> = {
  '/': '/landing.html',
  '/login': '/login.html',
  '/register': '/register.html',
}
const pathAliases: Record<string, string> = { '/favicon.ico': '/icon.svg' }
export const compressors = {
  br: (bytes: Uint8Array) => promisify(brotliCompress)(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }),
  gzip: (bytes: Uint8Array) => promisify(gzip)(bytes, { level: 9 }),
}
const indexPath = '/index.html'

export function createWebFiles(directory: string): WebFiles {
  let files: Map<string, WebFile> | undefined
  return {
    async serve(request, path) {
      if (!files?.has(indexPath)) files = await listFiles(directory)
      const indexFile = files.get(indexPath)
      if (!indexFile)
        return new Response('The web application has not been built. Run "npm start".', {
          status: 503,
          headers: { ...securityHeaders },
        })
      const file = findFile(files, path) ?? (isPage(path) ? indexFile : undefined)
      if (!file) return createNotFoundResponse()
      try {
        return await serveFile(directory, file, request)
      } catch (error) {
        ignoreMissing(error as Error)
        files = undefined
        return createNotFoundResponse()
      }
    },
  }
}

function findFile(files: Map<string, WebFile>, path: string): WebFile | undefined {
  return isNormalized(path) ? files.get(prerenderedPages[path] ?? pathAliases[path] ?? path) : undefined
}

function isPage(path: string): boolean {
  return isNormalized(path) && (extname(path) === '' || prerenderedPages[path] !== undefined)
}

function isNormalized(path: string): boolean {
  return normalize(path) === path
}

function createNotFoundResponse(): Response {
  return new Response('This file doesn’t exist.', {
    status: 404,
    headers: { ...securityHeaders, 'content-type': 'text/plain; charset=utf-8' },
  })
}

async function serveFile(directory: string, file: WebFile, request: Request): Promise<Response> {
  const coding = file.isCompressible ? chooseCoding(request.headers.get('accept-encoding')) : 'identity'
  const { bytes, etag } = await readVersion(directory, file, coding)
  const headers: Record<string, string> = {
    ...securityHeaders,
    ...getFileHeaders(file.path),
    'content-type': file.type,
    'cache-control': file.path.startsWith('/assets/') ? 'public, max-age=31536000, immutable' : 'no-cache',
    etag,
    ...(file.isCompressible && { vary: 'Accept-Encoding' }),
    ...(coding !== 'identity' && { 'content-encoding': coding }),
  }
  if (matchesEtag(request.headers.get('if-none-match'), etag)) return new Response(null, { status: 304, headers })
  return new Response(request.method === 'HEAD' ? null : bytes, { headers })
}

export function matchesEtag(ifNoneMatch: string | null, etag: string): boolean {
  return (ifNoneMatch ?? '').split(',').some((tag) => tag.trim() === '*' || tag.trim().replace(/^W\//, '') === etag)
}

async function listFiles(directory: string): Promise<Map<string, WebFile>> {
  const paths = ((await listFilesRecursively(directory).catch(ignoreMissing)) ?? []).map((path) => `/${path}`)
  const pathSet = new Set(paths)
  return new Map(
    paths.filter((path) => !path.endsWith('.br')).map((path) => [path, toWebFile(path, pathSet.has(`${path}.br`))]),
  )
}

function toWebFile(path: string, hasBrotli: boolean): WebFile {
  const extension = extname(path)
  const type = contentTypes[extension] ?? 'application/octet-stream'
  return { path, type, isCompressible: compressibleExtensions.has(extension), hasBrotli, versions: {} }
}

function readVersion(directory: string, file: WebFile, coding: Coding): Promise<FileVersion> {
  const cached = file.versions[coding]
  if (cached) return cached
  const version = readBytes(directory, file, coding).then((bytes) => ({ bytes, etag: getEtag(bytes) }))
  file.versions[coding] = version
  version.catch(() => delete file.versions[coding])
  return version
}

async function readBytes(directory: string, file: WebFile, coding: Coding): Promise<Uint8Array<ArrayBuffer>> {
  const path = join(directory, file.path)
  if (coding === 'br' && file.hasBrotli) return new Uint8Array(await readFile(`${path}.br`))
  const bytes = new Uint8Array(await readFile(path))
  return coding === 'identity' ? bytes : new Uint8Array(await compressors[coding](bytes))
}

export function getEtag(bytes: Uint8Array): string {
  return `"${hash('sha256', bytes, 'base64url').slice(0, 22)}"`
}
