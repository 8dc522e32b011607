import type { Services } from '#server/services.ts'

export interface Recording {
  id: string
  runId: string
  personId: string | null
  visitorId: string | null
  mime: string
  bytes: Uint8Array
}

export async function storeRecording(services: Services, recording: Recording): Promise<void> {
  const now = services.now()
  const { sha256 } = await services.media.write([recording.bytes], now)
  const row = services.db
    .insertInto('media')
    .values({
      id: recording.id,
      run_id: recording.runId,
      person_id: recording.personId,
      visitor_id: recording.visitorId,
      sha256,
      mime: recording.mime,
      bytes: recording.bytes.length,
      created_at: now.getTime(),
    })
    .onConflict((conflict) => conflict.column('id').doNothing())
  await services.db.write(row)
}

/** kbit/s by bitrate index, for layer III of MPEG-1 and of MPEG-2 and 2.5. */
const bitrates = {
  mpeg1: [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
  mpeg2: [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
}
/** Hz by sample rate index, for MPEG-1 (3), MPEG-2 (2) and MPEG-2.5 (0). */
const sampleRates: Record<number, number[]> = {
  3: [44_100, 48_000, 32_000],
  2: [22_050, 24_000, 16_000],
  0: [11_025, 12_000, 8_000],
}
const headerBytes = 4
const id3v1TagBytes = 128
const id3v2HeaderBytes = 10

/** Duration of an MP3 in seconds, counted frame by frame; null if any part isn't MP3. */
export function measureMp3Seconds(bytes: Uint8Array): number | null {
  let offset = getId3TagLength(bytes)
  let seconds = 0
  while (offset < bytes.length) {
    if (bytes.length - offset <= id3v1TagBytes && startsWith(bytes, offset, 'TAG')) break
    const frame = readFrame(bytes, offset)
    if (!frame) return null
    seconds += frame.seconds
    offset += frame.bytes
  }
  return seconds > 0 ? seconds : null
}

function readFrame(bytes: Uint8Array, offset: number): { bytes: number; seconds: number } | undefined {
  if (offset + headerBytes > bytes.length) return undefined
  const [first = 0, second = 0, third = 0] = bytes.subarray(offset, offset + headerBytes)
  const isLayerThree = first === 0xff && (second & 0xe0) === 0xe0 && (second & 0x06) === 0x02
  if (!isLayerThree) return undefined
  const version = (second >> 3) & 3
  const kbits = bitrates[version === 3 ? 'mpeg1' : 'mpeg2'][third >> 4]
  const rate = sampleRates[version]?.[(third >> 2) & 3]
  if (!kbits || !rate) return undefined
  const samples = version === 3 ? 1152 : 576
  const paddingBytes = (third >> 1) & 1
  const frameBytes = Math.floor((samples / 8) * ((kbits * 1000) / rate)) + paddingBytes
  return { bytes: frameBytes, seconds: samples / rate }
}

function getId3TagLength(bytes: Uint8Array): number {
  if (!startsWith(bytes, 0, 'ID3') || bytes.length < id3v2HeaderBytes) return 0
  // The last 4 bytes of the header contain the length, 7 bits in each.
  const lengthBytes = bytes.subarray(id3v2HeaderBytes - 4, id3v2HeaderBytes)
  return id3v2HeaderBytes + lengthBytes.reduce((length, byte) => length * 128 + (byte & 127), 0)
}

function startsWith(bytes: Uint8Array, offset: number, text: string): boolean {
  return [...text].every((character, index) => bytes[offset + index] === character.charCodeAt(0))
}
