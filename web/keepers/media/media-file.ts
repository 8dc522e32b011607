import { type MediaKind, maxMediaBytes, mediaTypes } from '#contract/keepers/media.ts'

/** Nonstandard MIME types that some systems report. */
const mimeAliases: Record<string, string> = {
  'image/jpg': 'image/jpeg',
  'image/pjpeg': 'image/jpeg',
  'image/heif': 'image/heic',
  'audio/mp3': 'audio/mpeg',
  'audio/x-m4a': 'audio/mp4',
  'audio/m4a': 'audio/mp4',
  'audio/x-wav': 'audio/wav',
  'audio/wave': 'audio/wav',
  'audio/vnd.wave': 'audio/wav',
  'audio/x-flac': 'audio/flac',
  'audio/x-aac': 'audio/aac',
  'audio/aacp': 'audio/aac',
  'video/x-m4v': 'video/mp4',
  'application/ogg': 'audio/ogg',
}
/** For files without a reported type. */
const mimeByExtension: Record<string, string> = {
  heic: 'image/heic',
  heif: 'image/heic',
  avif: 'image/avif',
  webp: 'image/webp',
  m4a: 'audio/mp4',
  flac: 'audio/flac',
  ogg: 'audio/ogg',
  opus: 'audio/ogg',
}

export interface UploadFile {
  /** With the MIME type the server accepts. */
  blob: Blob
  mime: string
  kind: MediaKind
}

/** The file ready for upload, or the reason it is refused. */
export function prepareUpload(file: File, kinds: readonly MediaKind[]): UploadFile | { refused: string } {
  const declaredType = (file.type.split(';')[0] ?? '').trim().toLowerCase()
  const extension = file.name.split('.').at(-1)?.toLowerCase() ?? ''
  const mime = mimeAliases[declaredType] ?? (declaredType || (mimeByExtension[extension] ?? ''))
  const kind = kinds.find((candidate) => (mediaTypes[candidate] as readonly string[]).includes(mime))
  const name = file.name || 'This file'
  if (!kind)
    return {
      refused: `${name} can’t be added. Choose ${kinds.map((candidate) => kindDescriptions[candidate]).join(' or ')}.`,
    }
  if (file.size === 0) return { refused: `${name} is empty.` }
  if (file.size > maxMediaBytes) return { refused: `${name} is larger than 50 MB.` }
  return { blob: file.type === mime ? file : file.slice(0, file.size, mime), mime, kind }
}

export const getAcceptAttribute = (kinds: readonly MediaKind[]): string =>
  kinds.flatMap((kind) => mediaTypes[kind]).join(',')

const kindDescriptions: Record<MediaKind, string> = {
  image: 'a JPEG, PNG, WebP, GIF, AVIF or HEIC picture',
  audio: 'an MP3, M4A, WAV, Ogg, FLAC, AAC or WebM recording',
  video: 'an MP4, WebM or MOV film',
  file: 'a PDF or a text file',
}

export interface MediaDimensions {
  width?: number
  height?: number
  durationMs?: number
}

/** Dimensions in px and duration in ms, as far as this browser can decode the file. */
export async function measureMedia({ blob, kind }: UploadFile): Promise<MediaDimensions> {
  if (kind === 'file') return {}
  const url = URL.createObjectURL(blob)
  try {
    return kind === 'image' ? await measureImage(url) : await measurePlayable(url, kind)
  } catch {
    // The browser can't decode formats such as HEIC, but the server accepts them.
    return {}
  } finally {
    URL.revokeObjectURL(url)
  }
}

async function measureImage(url: string): Promise<MediaDimensions> {
  const image = new Image()
  image.src = url
  await image.decode()
  return { width: image.naturalWidth, height: image.naturalHeight }
}

function measurePlayable(url: string, kind: 'audio' | 'video'): Promise<MediaDimensions> {
  return new Promise((resolve, reject) => {
    const player = document.createElement(kind)
    player.preload = 'metadata'
    player.onerror = () => reject(player.error)
    player.onloadedmetadata = () => {
      const seconds = player.duration
      const size = player instanceof HTMLVideoElement ? { width: player.videoWidth, height: player.videoHeight } : {}
      resolve({ ...size, ...(Number.isFinite(seconds) && { durationMs: Math.round(seconds * 1000) }) })
    }
    player.src = url
  })
}
