/** Number of leading bytes that `matchesMimeType` needs. */
export const bytesToTell = 1024

const imageBrands = ['avif', 'avis', 'heic', 'heix', 'heim', 'heis', 'hevc', 'hevx', 'mif1', 'msf1']
const at = (bytes: Buffer, text: string, offset = 0) =>
  bytes.subarray(offset, offset + text.length).toString('latin1') === text
const starts = (bytes: Buffer, ...first: number[]) => first.every((byte, index) => bytes[index] === byte)
/** Brands of an ISO media file (MP4, QuickTime, AVIF, HEIC), major brand first; empty for other files. */
const brandsOf = (bytes: Buffer): string[] => {
  if (!at(bytes, 'ftyp', 4)) return []
  const end = Math.min(bytes.readUInt32BE(0), bytes.length)
  const brands = [bytes.subarray(8, 12).toString('latin1')]
  for (let offset = 16; offset + 4 <= end; offset += 4)
    brands.push(bytes.subarray(offset, offset + 4).toString('latin1'))
  return brands
}
const isFilm = (bytes: Buffer) => {
  const [major] = brandsOf(bytes)
  return major !== undefined && !imageBrands.includes(major)
}
/** `layer`: 1 for MP3, 0 for AAC in ADTS frames. */
const isAudioFrame = (bytes: Buffer, layer: 0 | 1) =>
  bytes[0] === 0xff && ((bytes[1] ?? 0) & 0xe0) === 0xe0 && (((bytes[1] ?? 0) >> 1) & 3) === layer
const isMatroska = (bytes: Buffer) => starts(bytes, 0x1a, 0x45, 0xdf, 0xa3)

const signs: Record<string, (bytes: Buffer) => boolean> = {
  'image/jpeg': (bytes) => starts(bytes, 0xff, 0xd8, 0xff),
  'image/png': (bytes) => starts(bytes, 0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a),
  'image/gif': (bytes) => at(bytes, 'GIF87a') || at(bytes, 'GIF89a'),
  'image/webp': (bytes) => at(bytes, 'RIFF') && at(bytes, 'WEBP', 8),
  'image/avif': (bytes) => brandsOf(bytes).some((brand) => brand === 'avif' || brand === 'avis'),
  'image/heic': (bytes) => imageBrands.slice(2).includes(brandsOf(bytes)[0] ?? ''),
  'audio/mpeg': (bytes) => at(bytes, 'ID3') || isAudioFrame(bytes, 1),
  'audio/aac': (bytes) => isAudioFrame(bytes, 0) || at(bytes, 'ADIF') || at(bytes, 'ID3'),
  'audio/mp4': isFilm,
  'audio/wav': (bytes) => at(bytes, 'RIFF') && at(bytes, 'WAVE', 8),
  'audio/webm': isMatroska,
  'audio/ogg': (bytes) => at(bytes, 'OggS'),
  'audio/flac': (bytes) => at(bytes, 'fLaC'),
  'video/mp4': isFilm,
  'video/webm': isMatroska,
  'video/quicktime': (bytes) =>
    isFilm(bytes) || ['moov', 'mdat', 'wide', 'free', 'skip'].some((name) => at(bytes, name, 4)),
  'application/pdf': (bytes) => bytes.includes('%PDF-', 0, 'latin1'),
}

/** Whether the content can be of this type; plain text is anything that matches no other type. */
export function fitsMime(mime: string, head: Buffer): boolean {
  if (mime === 'text/plain') return !head.includes(0) && !Object.values(signs).some((isIt) => isIt(head))
  return signs[mime]?.(head) ?? false
}
