import { createHmac, timingSafeEqual } from 'node:crypto'

export const stepSeconds = 30
const digitCount = 6
export const totpCodePattern = /^\d{6}$/

export const toTotpStep = (now: number): number => Math.floor(now / 1000 / stepSeconds)

/** The code of a 30-second step: RFC 6238 with SHA-1 and 6 digits, which every authenticator app supports. */
export function computeTotp(secret: Uint8Array, step: number): string {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(step))
  const mac = createHmac('sha1', secret).update(counter).digest()
  const offset = (mac.at(-1) ?? 0) & 0xf
  const number = (mac.readUInt32BE(offset) & 0x7fffffff) % 10 ** digitCount
  return String(number).padStart(digitCount, '0')
}

/** @returns the nearest step within `tolerance` that has this code */
export function findTotpStep(secret: Uint8Array, code: string, step: number, tolerance: number): number | undefined {
  const codeBytes = Buffer.from(code)
  if (codeBytes.length !== digitCount) return undefined
  const distances = Array.from({ length: tolerance + 1 }, (_, distance) => distance)
  return distances
    .flatMap((distance) => (distance === 0 ? [step] : [step - distance, step + distance]))
    .find((candidate) => timingSafeEqual(Buffer.from(computeTotp(secret, candidate)), codeBytes))
}

const base32Alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** RFC 4648 without padding, as authenticator apps expect secrets. */
export function toBase32(bytes: Uint8Array): string {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('')
  return (bits.match(/.{1,5}/g) ?? []).map((group) => base32Alphabet[Number.parseInt(group.padEnd(5, '0'), 2)]).join('')
}

/** The URI in the QR code. The label repeats the issuer, because some apps read only one of them. */
export function toTotpUri(secret: Uint8Array, email: string): string {
  const label = `Keeper:${encodeURIComponent(email)}`
  return `otpauth://totp/${label}?secret=${toBase32(secret)}&issuer=Keeper&algorithm=SHA1&digits=${digitCount}&period=${stepSeconds}`
}
