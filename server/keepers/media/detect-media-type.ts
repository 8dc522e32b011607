import { mediaTypes } from '#contract/keepers/media.ts'
import { matchesMimeType } from './sniff-media-type.ts'

/** The bytes decide; an ending only tells sound from film in the same container. */
export function detectMediaType(head: Buffer, name: string): string | undefined {
  const isSound = /\.(m4a|m4b|aac|weba|caf|mp3|oga|opus)$/i.test(name)
  if (head.subarray(4, 12).toString('latin1') === 'ftypqt  ' && !isSound) return 'video/quicktime'
  const { image, audio, video, file } = mediaTypes
  const inOrder = isSound ? [...image, ...audio, ...video, ...file] : [...image, ...video, ...audio, ...file]
  return inOrder.find((mime) => matchesMimeType(mime, head))
}
