import { randomBytes } from 'node:crypto'
import { crc32, deflateSync } from 'node:zlib'

/** A PNG of noise, which nothing can compress. */
export function createPicture(bytes: number): Buffer {
  const width = 1000
  const height = Math.ceil(bytes / (width * 3))
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  const [bitDepth, rgbColor] = [8, 2]
  header.set([bitDepth, rgbColor, 0, 0, 0], 8)
  const rows = Array.from({ length: height }, () => Buffer.concat([Buffer.alloc(1), randomBytes(width * 3)]))
  const createChunk = (type: string, data: Buffer) => {
    const typeAndData = Buffer.concat([Buffer.from(type), data])
    const [length, checksum] = [Buffer.alloc(4), Buffer.alloc(4)]
    length.writeUInt32BE(data.length)
    checksum.writeUInt32BE(crc32(typeAndData))
    return Buffer.concat([length, typeAndData, checksum])
  }
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
  const pixels = deflateSync(Buffer.concat(rows), { level: 0 })
  return Buffer.concat([
    signature,
    createChunk('IHDR', header),
    createChunk('IDAT', pixels),
    createChunk('IEND', Buffer.alloc(0)),
  ])
}
