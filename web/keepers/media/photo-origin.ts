import { formatPosition } from '#contract/keepers/format-moment.ts'
import { getInstant } from '#contract/keepers/local-time.ts'
import { getLocalTimeZone } from '#web/ui/text/format-time.ts'

/** When and where a camera took a picture, as far as the file tells. */
export interface PhotoOrigin {
  when?: { day: string; time: string; timezone: string }
  place?: { name: string; lat: number | null; lng: number | null }
}

/** Reads the metadata of the camera in this browser, without any request. Returns undefined if there is none. */
export async function readPhotoOrigin(picture: Blob): Promise<PhotoOrigin | undefined> {
  try {
    const { default: exifr } = await import('exifr')
    const pick = ['DateTimeOriginal', 'OffsetTimeOriginal', 'CreateDate', 'OffsetTimeDigitized']
    const bytes = await picture.arrayBuffer()
    const [tags, position] = await Promise.all([
      exifr.parse(bytes, { tiff: true, exif: { pick }, iptc: true, gps: false, reviveValues: false }),
      exifr.gps(bytes).catch(() => undefined),
    ])
    return toPhotoOrigin({ ...tags, ...position })
  } catch {
    // Not every format has metadata, and damaged metadata is ignored.
    return undefined
  }
}

/** `tags` as exifr reads them, of any type. */
export function toPhotoOrigin(tags: Record<string, unknown>): PhotoOrigin | undefined {
  const when =
    readTime(tags.DateTimeOriginal, tags.OffsetTimeOriginal) ?? readTime(tags.CreateDate, tags.OffsetTimeDigitized)
  const place = readPlace(tags)
  return when || place ? { ...(when && { when }), ...(place && { place }) } : undefined
}

/** The year of the first photograph. */
const minYear = 1826
const cameraTimePattern = /^(\d{4})[:-](\d\d)[:-](\d\d)[ T](\d\d:\d\d)/
const offsetPattern = /^([+-])(\d\d):?(\d\d)/
const leadingNumberPattern = /^−?\d/

/** '2026:05:03 18:20:11' of the camera's clock; without an offset, in this browser's time zone. */
function readTime(value: unknown, offset: unknown): PhotoOrigin['when'] {
  const [, year = '', month, date, time] = cameraTimePattern.exec(String(value)) ?? []
  const day = `${year}-${month}-${date}`
  const instant = new Date(`${day}T${time}:00Z`)
  const isReal = !Number.isNaN(instant.getTime()) && instant.toISOString().startsWith(`${day}T${time}`)
  if (!isReal || !time || Number(year) < minYear) return undefined
  return { day, time, timezone: findTimeZone(day, time, offset) }
}

/** This browser's time zone, unless only a zone of that fixed offset fits. Such zones exist only for whole hours. */
function findTimeZone(day: string, time: string, offset: unknown): string {
  const localTimeZone = getLocalTimeZone()
  const [, sign, hours, minutes] = offsetPattern.exec(String(offset)) ?? []
  if (!sign) return localTimeZone
  const offsetMinutes = (Number(hours) * 60 + Number(minutes)) * (sign === '-' ? -1 : 1)
  const instant = Date.parse(`${day}T${time}:00Z`) - offsetMinutes * 60_000
  if (getInstant(localTimeZone, day, time) === instant || Number(minutes) !== 0) return localTimeZone
  return offsetMinutes === 0 ? 'UTC' : `Etc/GMT${sign === '-' ? '+' : '-'}${Number(hours)}`
}

function readPlace({ latitude, longitude, City, Country }: Record<string, unknown>): PhotoOrigin['place'] {
  const names = [City, Country].filter((name): name is string => typeof name === 'string' && name.trim() !== '')
  const position = readPosition(latitude, longitude)
  if (names.length === 0 && !position) return undefined
  const name = (names.join(', ') || (position ? formatPosition(position) : '')).slice(0, 200)
  return { name, lat: position?.lat ?? null, lng: position?.lng ?? null }
}

/** To five decimals, about a meter. */
export const roundDegrees = (degrees: number) => Math.round(degrees * 1e5) / 1e5

/** Cameras without a position write 0, 0. */
function readPosition(latitude: unknown, longitude: unknown): { lat: number; lng: number } | undefined {
  const [lat, lng] = [Number(latitude), Number(longitude)]
  const isPosition = latitude != null && longitude != null && Math.abs(lat) <= 90 && Math.abs(lng) <= 180
  if (!isPosition || (lat === 0 && lng === 0)) return undefined
  return { lat: roundDegrees(lat), lng: roundDegrees(lng) }
}

const dayFormat = new Intl.DateTimeFormat('en-US', { month: 'long', day: 'numeric', timeZone: 'UTC' })
const dayFormatWithYear = new Intl.DateTimeFormat('en-US', {
  month: 'long',
  day: 'numeric',
  year: 'numeric',
  timeZone: 'UTC',
} as const)

/** 'Taken May 3 in Porto.' */
export function describePhotoOrigin({ when, place }: PhotoOrigin, today: string): string {
  const format = when?.day.slice(0, 4) === today.slice(0, 4) ? dayFormat : dayFormatWithYear
  const preposition = place && leadingNumberPattern.test(place.name) ? 'at' : 'in'
  const parts = [
    'Taken',
    ...(when ? [format.format(Date.parse(`${when.day}T12:00:00Z`))] : []),
    ...(place ? [`${preposition} ${place.name}`] : []),
  ]
  return `${parts.join(' ')}.`
}
