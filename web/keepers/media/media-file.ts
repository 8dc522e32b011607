import { type MediaKind, mediaTypes, mostMediaBytes } from '#contract/keepers/media.ts'

/** Nonstandard MIME types that some systems report. */
const otherNames: Record<string, string> = {
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
const byEnding: Record<string, string> = {
  heic: 'image/heic',
  heif: 'image/heic',
  avif: 'image/avif',
  webp: 'image/webp',
  m4a: 'audio/mp4',
  flac: 'audio/flac',
  ogg: 'audio/ogg',
  opus: 'audio/ogg',
}

export interface TakenFile {
  /** With the MIME type the server accepts. */
  blob: Blob
  mime: string
  kind: MediaKind
}

/** The file ready for upload, or the reason it is refused. */
export function takeFile(file: File, kinds: readonly MediaKind[]): TakenFile | { refused: string } {
  const said = (file.type.split(';')[0] ?? '').trim().toLowerCase()
  const ending = file.name.split('.').at(-1)?.toLowerCase() ?? ''
  const mime = otherNames[said] ?? (said || (byEnding[ending] ?? ''))
  const kind = kinds.find((each) => (mediaTypes[each] as readonly string[]).includes(mime))
  const name = file.name || 'This file'
  if (!kind) return { refused: `${name} cannot be added. Choose ${kinds.map((each) => words[each]).join(' or ')}.` }
  if (file.size === 0) return { refused: `${name} is empty.` }
  if (file.size > mostMediaBytes) return { refused: `${name} is larger than 50 MB.` }
  return { blob: file.type === mime ? file : file.slice(0, file.size, mime), mime, kind }
}

export const acceptOf = (kinds: readonly MediaKind[]): string => kinds.flatMap((kind) => mediaTypes[kind]).join(',')

const words: Record<MediaKind, string> = {
  image: 'a JPEG, PNG, WebP, GIF, AVIF or HEIC picture',
  audio: 'an MP3, M4A, WAV, Ogg, FLAC, AAC or WebM recording',
  video: 'an MP4, WebM or MOV film',
  file: 'a PDF or a text file',
}

export interface Measured {
  width?: number
  height?: number
  durationMs?: number
}

/** Dimensions in px and duration in ms, as far as this browser can decode the file. */
export async function measure({ blob, kind }: TakenFile): Promise<Measured> {
  if (kind === 'file') return {}
  const url = URL.createObjectURL(blob)
  try {
    return kind === 'image' ? await measureImage(url) : await measurePlayed(url, kind)
  } catch {
    // The browser can't decode formats such as HEIC, but the server accepts them.
    return {}
  } finally {
    URL.revokeObjectURL(url)
  }
}

async function measureImage(url: string): Promise<Measured> {
  const image = new Image()
  image.src = url
  await image.decode()
  return { width: image.naturalWidth, height: image.naturalHeight }
}

function measurePlayed(url: string, kind: 'audio' | 'video'): Promise<Measured> {
  return new Promise((resolve, reject) => {
    const played = document.createElement(kind)
    played.preload = 'metadata'
    played.onerror = () => reject(played.error)
    played.onloadedmetadata = () => {
      const seconds = played.duration
      const size = played instanceof HTMLVideoElement ? { width: played.videoWidth, height: played.videoHeight } : {}
      resolve({ ...size, ...(Number.isFinite(seconds) && { durationMs: Math.round(seconds * 1000) }) })
    }
    played.src = url
  })
}
