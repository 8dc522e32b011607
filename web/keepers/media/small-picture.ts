import { isAnimatedPicture } from '#contract/keepers/animated-picture.ts'
import { keeperMedia } from '#contract/keepers/media.ts'
import { needsSmallVersion, smallLongSide } from '#contract/keepers/small-version.ts'
import { call } from '#web/api/api.ts'
import { heicType, loadImage, toShowablePicture } from './showable-picture.ts'

const quality = 0.8

/** The small version of a picture as WebP or JPEG; undefined if none is needed, or if this
 * browser can't create it and leaves it to the server. */
export async function createSmallPicture(blob: Blob): Promise<Blob | undefined> {
  let url = ''
  try {
    url = URL.createObjectURL(await toShowablePicture(blob))
    const image = await loadImage(url)
    const { naturalWidth: width, naturalHeight: height } = image
    // Browsers that can't decode HEIC show its small version instead.
    const isNeeded = blob.type === heicType || needsSmallVersion({ width, height }, blob.size)
    if (!isNeeded || !canDrawTrueColors()) return undefined
    if (isAnimatedPicture(new Uint8Array(await blob.arrayBuffer()))) return undefined
    const scale = Math.min(1, smallLongSide / Math.max(width, height))
    const smallSize = { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) }
    const webp = await drawPicture(image, smallSize, 'image/webp')
    // Safari writes PNG instead.
    const smallPicture = webp?.type === 'image/webp' ? webp : await drawPicture(image, smallSize, 'image/jpeg')
    return smallPicture && (smallPicture.size < blob.size || blob.type === heicType) ? smallPicture : undefined
  } catch {
    return undefined
  } finally {
    URL.revokeObjectURL(url)
  }
}

function drawPicture(
  image: HTMLImageElement,
  { width, height }: { width: number; height: number },
  type: 'image/webp' | 'image/jpeg',
): Promise<Blob | null> {
  const canvas = Object.assign(document.createElement('canvas'), { width, height })
  const context = canvas.getContext('2d')
  if (!context) return Promise.resolve(null)
  if (type === 'image/jpeg') {
    context.fillStyle = '#fff'
    context.fillRect(0, 0, width, height)
  }
  context.imageSmoothingQuality = 'high'
  context.drawImage(image, 0, 0, width, height)
  return new Promise((resolve) => canvas.toBlob(resolve, type, quality))
}

/** False in browsers that return noise from a canvas, against fingerprinting. */
function canDrawTrueColors(): boolean {
  const context = Object.assign(document.createElement('canvas'), { width: 2, height: 2 }).getContext('2d')
  if (!context) return false
  context.fillStyle = '#123456'
  context.fillRect(0, 0, 2, 2)
  const { data } = context.getImageData(0, 0, 2, 2)
  const expectedPixel = [0x12, 0x34, 0x56, 0xff]
  return [...data].every((value, index) => value === expectedPixel[index % 4])
}

/** Optional: the server creates the small version if it can read the type. */
export async function sendSmallVersion(id: string, picture: Blob): Promise<void> {
  const bytes = await createSmallPicture(picture)
  if (bytes) await call(keeperMedia.setSmall, { params: { id }, bytes }).catch(() => undefined)
}
