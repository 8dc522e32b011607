import type { MediaMime } from '#contract/keepers/media.ts'

const toBytes = (...values: (number | string)[]) =>
  Buffer.concat(
    values.map((value) => (typeof value === 'string' ? Buffer.from(value, 'latin1') : Buffer.from([value]))),
  )

const createIsoHead = (brand: string, ...compatible: string[]) =>
  toBytes(
    `\0\0\0${String.fromCharCode(16 + compatible.length * 4)}ftyp`,
    brand,
    '\0\0\x02\0',
    ...compatible,
    '\0\0\0\x08mdat',
  )

const createEbmlHead = (documentType: string, ...codecs: string[]) =>
  toBytes(0x1a, 0x45, 0xdf, 0xa3, 0x9f, 0x42, 0x82, 0x80 + documentType.length, documentType, ...codecs)

/** First bytes of a file of each accepted type; formats shared by several types have one unambiguous sample. */
export const mediaSamples: Record<MediaMime, Buffer> = {
  'image/jpeg': toBytes(0xff, 0xd8, 0xff, 0xe0, '\0\x10JFIF\0'),
  'image/png': toBytes(0x89, 'PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x08\0\0\0\x06\x08\x06\0\0\0'),
  'image/webp': toBytes('RIFF\x24\0\0\0WEBPVP8 '),
  'image/gif': toBytes('GIF89a\x01\0\x01\0\0\0\0'),
  'image/avif': createIsoHead('mif1', 'miaf', 'avif'),
  'image/heic': createIsoHead('heic', 'mif1'),
  'audio/mpeg': toBytes('ID3\x03\0\0\0\0\0\x02\0\0', 0xff, 0xfb, 0x90, 0),
  'audio/mp4': createIsoHead('M4A ', 'isom'),
  'audio/wav': toBytes('RIFF\x24\0\0\0WAVEfmt \x10\0\0\0'),
  'audio/webm': createEbmlHead('webm', '\0A_OPUS'),
  'audio/ogg': toBytes('OggS\0\x02\0\0\0\0OpusHead'),
  'audio/aac': toBytes(0xff, 0xf1, 0x50, 0x80, 0),
  'audio/flac': toBytes('fLaC\0\0\0\x22'),
  'video/mp4': createIsoHead('isom', 'mp41'),
  'video/webm': createEbmlHead('webm', '\0V_VP9', '\0A_OPUS'),
  'video/quicktime': createIsoHead('qt  ', 'qt  '),
  'application/pdf': toBytes('%PDF-1.7\n%', 0xe2, 0xe3, 0xcf, 0xd3),
  'text/plain': Buffer.from('Grüße vom Kai.\n'),
  'image/tiff': toBytes('II*\0\x08\0\0\0'),
  'audio/amr': toBytes('#!AMR\n\x3c', 0x54, 0xfd, 0x1f, 0xb6, 0x66, 0x79),
  'audio/x-caf': toBytes('caff\0\x01\0\0desc'),
  'audio/aiff': toBytes('FORM\0\0\0\x2eAIFFCOMM'),
  'video/3gpp': createIsoHead('3gp4', '3gp4'),
  'video/x-matroska': createEbmlHead('matroska', '\0V_MPEG4/ISO/AVC'),
  'video/x-msvideo': toBytes('RIFF\x24\0\0\0AVI LIST'),
}

/** Formats that several types share: the bytes look like one type, and the declared type decides. */
export const sharedFormats: readonly { bytes: MediaMime; labels: readonly MediaMime[] }[] = [
  { bytes: 'video/mp4', labels: ['audio/mp4'] },
  { bytes: 'video/3gpp', labels: ['video/mp4', 'audio/mp4'] },
  { bytes: 'video/webm', labels: ['audio/webm'] },
  { bytes: 'audio/webm', labels: ['video/webm'] },
]
