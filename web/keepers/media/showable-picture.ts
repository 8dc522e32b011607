export const heicType = 'image/heic'

const decodedPictures = new WeakMap<Blob, Promise<Blob>>()

/** Decodes HEIC pictures that this browser can't show; returns other pictures unchanged.
 * @throws when the picture can't be decoded */
export function toShowablePicture(picture: Blob): Promise<Blob> {
  if (picture.type !== heicType) return Promise.resolve(picture)
  const decodedPicture = decodedPictures.get(picture) ?? decodePicture(picture)
  decodedPictures.set(picture, decodedPicture)
  return decodedPicture
}

async function decodePicture(picture: Blob): Promise<Blob> {
  if (await canShowPicture(picture)) return picture
  const { decodeHeic } = await import('./heic/decode-heic.ts')
  return decodeHeic(picture)
}

/** Some browsers decode HEIC pictures themselves. */
async function canShowPicture(picture: Blob): Promise<boolean> {
  const url = URL.createObjectURL(picture)
  try {
    await loadImage(url)
    return true
  } catch {
    return false
  } finally {
    URL.revokeObjectURL(url)
  }
}

/** @throws when this browser can't show the image */
export async function loadImage(url: string): Promise<HTMLImageElement> {
  const image = new Image()
  image.src = url
  await image.decode()
  return image
}
