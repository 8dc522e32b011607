import * as z from 'zod/mini'

/** Longest side of the small version of a picture (px). */
export const smallLongSide = 640
export const maxSmallVersionBytes = 1024 * 1024
export const smallVersionTypes = ['image/webp', 'image/jpeg'] as const
/** A file below this size is sent as it is. */
const smallEnoughBytes = 64 * 1024

/** `small` gets the small version of a picture, or the original of one without. */
export const mediaSize = z.optional(z.enum(['small']))
export type MediaSize = z.infer<typeof mediaSize>

export function needsSmallVersion({ width, height }: { width: number; height: number }, bytes: number): boolean {
  return bytes > smallEnoughBytes || Math.max(width, height) > smallLongSide * 2
}
