import { generateKeyPairSync, sign } from 'node:crypto'

/** Creates a fresh key and an untrusted certificate, so the repository contains no private key. */
export function createSelfSignedCertificate(host = 'localhost'): { key: string; cert: string } {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const ecdsaWithSha256 = encodeSequence(encodeDer(0x06, Buffer.from('2a8648ce3d040302', 'hex')))
  const commonName = encodeSequence(encodeDer(0x06, Buffer.from('550403', 'hex')), encodeDer(0x0c, Buffer.from(host)))
  const name = encodeSequence(encodeDer(0x31, commonName))
  const validity = encodeSequence(
    encodeDer(0x17, Buffer.from('250101000000Z')),
    encodeDer(0x17, Buffer.from('450101000000Z')),
  )
  const version = encodeDer(0xa0, encodeDer(0x02, Buffer.from([2])))
  const serial = encodeDer(0x02, Buffer.from([1]))
  const body = encodeSequence(
    version,
    serial,
    ecdsaWithSha256,
    name,
    validity,
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
  )
  const signature = encodeDer(0x03, Buffer.concat([Buffer.from([0]), sign('sha256', body, privateKey)]))
  const base64 = encodeSequence(body, ecdsaWithSha256, signature).toString('base64')
  const lines = base64.match(/.{1,64}/g) ?? []
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }) as string,
    cert: ['-----BEGIN CERTIFICATE-----', ...lines, '-----END CERTIFICATE-----', ''].join('\n'),
  }
}

function encodeSequence(...parts: Buffer[]): Buffer {
  return encodeDer(0x30, Buffer.concat(parts))
}

/** DER encoding: tag, length, content. */
function encodeDer(tag: number, content: Buffer): Buffer {
  return Buffer.concat([Buffer.from([tag, ...encodeLength(content.length)]), content])
}

function encodeLength(length: number): number[] {
  if (length < 128) return [length]
  return length < 256 ? [0x81, length] : [0x82, length >> 8, length & 255]
}
