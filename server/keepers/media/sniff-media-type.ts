export const sniffedByteCount = 1024

const imageBrands = ['avif', 'avis', 'heic', 'heix', 'heim', 'heis', 'hevc', 'hevx', 'mif1', 'msf1']
const hasText = (bytes: Buffer, text: string, offset = 0) =>
  bytes.subarray(offset, offset + text.length).toString('latin1') === text
const hasBytes = (bytes: Buffer, ...expected: number[]) => expected.every((byte, index) => bytes[index] === byte)
const readBrands = (bytes: Buffer): string[] => {
  if (!hasText(bytes, 'ftyp', 4)) return []
  const end = Math.min(bytes.readUInt32BE(0), bytes.length)
  const brands = [bytes.subarray(8, 12).toString('latin1')]
  for (let offset = 16; offset + 4 <= end; offset += 4)
    brands.push(bytes.subarray(offset, offset + 4).toString('latin1'))
  return brands
}
const isVideo = (bytes: Buffer) => {
  const [majorBrand] = readBrands(bytes)
  return majorBrand !== undefined && !imageBrands.includes(majorBrand)
}
/** `layer`: 1 for MP3, 0 for AAC in ADTS frames. */
const isAudioFrame = (bytes: Buffer, layer: 0 | 1) =>
  bytes[0] === 0xff && ((bytes[1] ?? 0) & 0xe0) === 0xe0 && (((bytes[1] ?? 0) >> 1) & 3) === layer
const isMatroska = (bytes: Buffer) => hasBytes(bytes, 0x1a, 0x45, 0xdf, 0xa3)

const detectors: Record<string, (bytes: Buffer) => boolean> = {
  'image/jpeg': (bytes) => hasBytes(bytes, 0xff, 0xd8, 0xff),
  'image/png': (bytes) => hasBytes(bytes, 0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a),
  'image/gif': (bytes) => hasText(bytes, 'GIF87a') || hasText(bytes, 'GIF89a'),
  'image/webp': (bytes) => hasText(bytes, 'RIFF') && hasText(bytes, 'WEBP', 8),
  'image/avif': (bytes) => readBrands(bytes).some((brand) => brand === 'avif' || brand === 'avis'),
  'image/heic': (bytes) => imageBrands.slice(2).includes(readBrands(bytes)[0] ?? ''),
  'audio/mpeg': (bytes) => hasText(bytes, 'ID3') || isAudioFrame(bytes, 1),
  'audio/aac': (bytes) => isAudioFrame(bytes, 0) || hasText(bytes, 'ADIF') || hasText(bytes, 'ID3'),
  'audio/mp4': isVideo,
  'audio/wav': (bytes) => hasText(bytes, 'RIFF') && hasText(bytes, 'WAVE', 8),
  'audio/webm': isMatroska,
  'audio/ogg': (bytes) => hasText(bytes, 'OggS'),
  'audio/flac': (bytes) => hasText(bytes, 'fLaC'),
  'video/mp4': isVideo,
  'video/webm': isMatroska,
  'video/quicktime': (bytes) =>
    isVideo(bytes) || ['moov', 'mdat', 'wide', 'free', 'skip'].some((name) => hasText(bytes, name, 4)),
  'application/pdf': (bytes) => bytes.includes('%PDF-', 0, 'latin1'),
}

export function matchesMimeType(mime: string, head: Buffer): boolean {
  if (mime === 'text/plain') return !head.includes(0) && !Object.values(detectors).some((matches) => matches(head))
  return detectors[mime]?.(head) ?? false
}
