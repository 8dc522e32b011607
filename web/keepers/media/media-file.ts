import { detectMediaType, sniffedBytes } from '#contract/keepers/detect-media-type.ts'
import {
  describeMediaKinds,
  getMediaKind,
  type MediaKind,
  maxMediaBytes,
  mediaTypeAliases,
  mediaTypes,
} from '#contract/keepers/media.ts'
import { forceDurationDetection } from '#web/ui/text/force-duration-detection.ts'
import { loadImage, toShowablePicture } from './showable-picture.ts'

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

/** Why a file of this size can't be added; undefined if it can. */
export function checkFileSize({ name, size }: Pick<File, 'name' | 'size'>): string | undefined {
  const subject = name || 'This file'
  if (size === 0) return `${subject} is empty. Check that it opens on this device, then add it again.`
  if (size > maxMediaBytes)
    return `${subject} is larger than ${maxMediaBytes / 1024 / 1024} MB. Reduce its size or length, then add it again.`
  return undefined
}

/** Detects the MIME type from the file's bytes; returns a message if the type isn't accepted. */
export async function identifyFile(
  file: File,
  kinds: readonly MediaKind[],
): Promise<UploadFile | { rejection: string }> {
  const declaredType = (file.type.split(';')[0] ?? '').trim().toLowerCase()
  const extension = file.name.split('.').at(-1)?.toLowerCase() ?? ''
  const reportedType = declaredType || (mimeByExtension[extension] ?? '')
  const canonicalType = mediaTypeAliases[reportedType] ?? reportedType
  const detectedType = detectMediaType(new Uint8Array(await file.slice(0, sniffedBytes).arrayBuffer()), canonicalType)
  const isAccepted = (mime: string) => kinds.some((kind) => (mediaTypes[kind] as readonly string[]).includes(mime))
  // Plain text has no signature, so the reported type counts; the server validates it.
  const possibleTypes = detectedType === 'text/plain' ? [detectedType, canonicalType] : [detectedType]
  const mime = possibleTypes.find((type) => type && isAccepted(type))
  if (!mime) return { rejection: `${file.name || 'This file'} can’t be added. Choose ${describeMediaKinds(kinds)}.` }
  return { blob: file.type === mime ? file : file.slice(0, file.size, mime), mime, kind: getMediaKind(mime) }
}

/** Includes formats that browsers can't display, such as TIFF; they are stored as files. */
export const getAcceptAttribute = (kinds: readonly MediaKind[]): string =>
  kinds
    .flatMap((kind) => [...mediaTypes[kind], ...mediaTypes.file.filter((mime) => mime.startsWith(`${kind}/`))])
    .join(',')

const durationTimeoutMs = 3000

export interface MediaDimensions {
  width?: number
  height?: number
  durationMs?: number
}

/** Dimensions in px and duration in ms, as far as this browser can decode the file. */
export async function measureMedia({ blob, kind }: UploadFile): Promise<MediaDimensions> {
  if (kind === 'file') return {}
  let url = ''
  try {
    url = URL.createObjectURL(kind === 'image' ? await toShowablePicture(blob) : blob)
    return kind === 'image' ? await measureImage(url) : await measurePlayable(url, kind)
  } catch {
    // The server also accepts files that this browser can't decode.
    return {}
  } finally {
    URL.revokeObjectURL(url)
  }
}

async function measureImage(url: string): Promise<MediaDimensions> {
  const { naturalWidth: width, naturalHeight: height } = await loadImage(url)
  return { width, height }
}

function measurePlayable(url: string, kind: 'audio' | 'video'): Promise<MediaDimensions> {
  return new Promise((resolve, reject) => {
    const player = document.createElement(kind)
    const finish = () => {
      const { duration } = player
      const size = player instanceof HTMLVideoElement ? { width: player.videoWidth, height: player.videoHeight } : {}
      resolve({ ...size, ...(Number.isFinite(duration) && { durationMs: Math.round(duration * 1000) }) })
    }
    player.preload = 'metadata'
    player.onerror = () => reject(player.error)
    player.onloadedmetadata = () => {
      if (Number.isFinite(player.duration)) return finish()
      player.ondurationchange = finish
      setTimeout(finish, durationTimeoutMs)
      forceDurationDetection(player)
    }
    player.src = url
  })
}
