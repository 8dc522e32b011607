import { withExif } from './picture-files.ts'

interface PhotoOptions {
  /** Local time, such as `2026:05:03 18:20:11`. */
  taken?: string
  /** Offset from UTC, such as `+01:00`. */
  offset?: string
  position?: [lat: number, lng: number]
  orientation?: number
}

type Entry = [tag: number, type: number, count: number, value: Buffer]

/** EXIF numbers of value types. */
const [ascii, short, long, rational] = [2, 3, 4, 5]
/** EXIF numbers of fields. */
const tags = { orientation: 0x0112, exifDirectory: 0x8769, gpsDirectory: 0x8825, takenAt: 0x9003, utcOffset: 0x9011 }
const toText = (text: string): [number, number, Buffer] => [ascii, text.length + 1, Buffer.from(`${text}\0`, 'latin1')]

function toNumber(type: number, value: number): [number, number, Buffer] {
  const buffer = Buffer.alloc(4)
  if (type === short) buffer.writeUInt16BE(value)
  else buffer.writeUInt32BE(value)
  return [type, 1, buffer]
}

function toDegrees(degrees: number): [number, number, Buffer] {
  const value = Buffer.alloc(24)
  const parts = [Math.round(Math.abs(degrees) * 1e6), 1e6, 0, 1, 0, 1]
  for (const [index, part] of parts.entries()) value.writeUInt32BE(part, index * 4)
  return [rational, 3, value]
}

/** One directory, followed by its longer values. @param start its offset in the EXIF */
function createDirectory(entries: Entry[], start: number): Buffer {
  const head = Buffer.alloc(2 + entries.length * 12 + 4)
  const values: Buffer[] = []
  let offset = start + head.length
  head.writeUInt16BE(entries.length)
  for (const [index, [tag, type, count, value]] of entries.entries()) {
    const entryStart = 2 + index * 12
    head.writeUInt16BE(tag, entryStart)
    head.writeUInt16BE(type, entryStart + 2)
    head.writeUInt32BE(count, entryStart + 4)
    if (value.length <= 4) value.copy(head, entryStart + 8)
    else {
      head.writeUInt32BE(offset, entryStart + 8)
      values.push(value)
      offset += value.length
    }
  }
  return Buffer.concat([head, ...values])
}

/** EXIF as a phone writes it. */
function createExif({ taken, offset, position, orientation = 1 }: PhotoOptions): Buffer {
  const start = 8
  const mainDirectoryLength = 2 + 3 * 12 + 4
  const exif = createDirectory(
    [
      ...(taken ? [[tags.takenAt, ...toText(taken)] as Entry] : []),
      ...(offset ? [[tags.utcOffset, ...toText(offset)] as Entry] : []),
    ],
    start + mainDirectoryLength,
  )
  const [lat, lng] = position ?? []
  const gps = createDirectory(
    lat === undefined || lng === undefined
      ? []
      : [
          [1, ...toText(lat < 0 ? 'S' : 'N')],
          [2, ...toDegrees(lat)],
          [3, ...toText(lng < 0 ? 'W' : 'E')],
          [4, ...toDegrees(lng)],
        ],
    start + mainDirectoryLength + exif.length,
  )
  const mainDirectory = createDirectory(
    [
      [tags.orientation, ...toNumber(short, orientation)],
      [tags.exifDirectory, ...toNumber(long, start + mainDirectoryLength)],
      [tags.gpsDirectory, ...toNumber(long, start + mainDirectoryLength + exif.length)],
    ],
    start,
  )
  return Buffer.concat([Buffer.from('MM\0*\0\0\0\x08', 'latin1'), mainDirectory, exif, gps])
}

/** A JPEG with the EXIF of a camera. By default it has no picture, only the EXIF. */
export function createPhoto(options: PhotoOptions, jpeg: Buffer = Buffer.from([0xff, 0xd8, 0xff, 0xd9])): Buffer {
  return withExif(jpeg, createExif(options))
}
