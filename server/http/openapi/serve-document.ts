import { apiHeaders } from '../security-headers.ts'
import { type Coding, chooseCoding, compressors, getEtag, matchesEtag } from '../web-files.ts'
import { buildOpenApiDocument } from './build-document.ts'

interface DocumentVersion {
  bytes: Uint8Array<ArrayBuffer>
  etag: string
}

/** Browsers can cache the document, since it contains no one's data. It is built and compressed on first request. */
export function createOpenApiEndpoint() {
  const versions: Partial<Record<Coding, Promise<DocumentVersion>>> = {}
  return async (request: Request): Promise<Response> => {
    const coding = chooseCoding(request.headers.get('accept-encoding'))
    versions[coding] ??= createVersion(coding)
    const { bytes, etag } = await versions[coding]
    const headers = {
      ...apiHeaders,
      'cache-control': 'no-cache',
      etag,
      vary: 'Accept-Encoding',
      ...(coding !== 'identity' && { 'content-encoding': coding }),
    }
    if (matchesEtag(request.headers.get('if-none-match'), etag)) return new Response(null, { status: 304, headers })
    return new Response(bytes, { headers })
  }
}

async function createVersion(coding: Coding): Promise<DocumentVersion> {
  const text = new TextEncoder().encode(JSON.stringify(buildOpenApiDocument()))
  const bytes = coding === 'identity' ? text : new Uint8Array(await compressors[coding](text))
  return { bytes, etag: getEtag(bytes) }
}
