import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'
import type { PasskeyResponse } from '#contract/accounts/passkey-messages.ts'

interface AuthenticatorOptions {
  origin?: string
  /** Synced passkeys are eligible for backup. */
  isSynced?: boolean
  isBackedUp?: boolean
  /** The PIN or biometrics were checked. */
  isUserVerified?: boolean
  aaguid?: string
  counter?: number
}

interface CeremonyOptions {
  rpId: string
  options: Record<string, unknown>
}

const toText = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64url')
const sha256 = (bytes: Uint8Array | string) => createHash('sha256').update(bytes).digest()

/** An authenticator with one ES256 passkey: the same bytes as a real one, without hardware. */
export class FakeAuthenticator {
  readonly #keys = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  readonly id = toText(randomBytes(32))
  #rpId = ''
  #userId = ''
  options: AuthenticatorOptions

  constructor(options: AuthenticatorOptions = {}) {
    this.options = options
  }

  get origin(): string {
    return this.options.origin ?? 'http://localhost:3000'
  }

  /** The answer to registration options. */
  create({ options }: CeremonyOptions): PasskeyResponse {
    const { rp, user, challenge } = options as { rp: { id: string }; user: { id: string }; challenge: string }
    this.#rpId = rp.id
    this.#userId = user.id
    const id = Buffer.from(this.id, 'base64url')
    const aaguid = Buffer.from((this.options.aaguid ?? '0'.repeat(32)).replaceAll('-', ''), 'hex')
    const length = Buffer.alloc(2)
    length.writeUInt16BE(id.length)
    const authData = Buffer.concat([this.#authenticatorData(0x40), aaguid, length, id, toCoseKey(this.#keys.publicKey)])
    const attestationObject = Buffer.concat([
      cborHead(5, 3),
      cborText('fmt'),
      cborText('none'),
      cborText('attStmt'),
      cborHead(5, 0),
      cborText('authData'),
      cborBytes(authData),
    ])
    return {
      id: this.id,
      rawId: this.id,
      type: 'public-key',
      response: {
        clientDataJSON: toText(this.#clientData('webauthn.create', challenge)),
        attestationObject: toText(attestationObject),
        transports: ['internal'],
      },
    }
  }

  /** The answer to sign-in or proof options. */
  get({ options }: CeremonyOptions): PasskeyResponse {
    const authenticatorData = this.#authenticatorData(0)
    const clientData = this.#clientData('webauthn.get', options.challenge as string)
    const signature = sign(
      'sha256',
      Buffer.concat([authenticatorData, sha256(clientData)]),
      this.#keys.privateKey as KeyObject,
    )
    return {
      id: this.id,
      rawId: this.id,
      type: 'public-key',
      response: {
        clientDataJSON: toText(clientData),
        authenticatorData: toText(authenticatorData),
        signature: toText(signature),
        userHandle: this.#userId,
      },
    }
  }

  #clientData(type: string, challenge: string): Buffer {
    return Buffer.from(JSON.stringify({ type, challenge, origin: this.origin, crossOrigin: false }))
  }

  #authenticatorData(extraFlags: number): Buffer {
    const { isUserVerified = true, isSynced = false, isBackedUp = false, counter = 0 } = this.options
    const flags = 0x01 | (isUserVerified ? 0x04 : 0) | (isSynced ? 0x08 : 0) | (isBackedUp ? 0x10 : 0) | extraFlags
    const count = Buffer.alloc(4)
    count.writeUInt32BE(counter)
    return Buffer.concat([sha256(this.#rpId), Buffer.from([flags]), count])
  }
}

function cborHead(type: number, value: number): Buffer {
  if (value < 24) return Buffer.from([(type << 5) | value])
  if (value < 256) return Buffer.from([(type << 5) | 24, value])
  return Buffer.from([(type << 5) | 25, value >> 8, value & 0xff])
}
const cborText = (text: string) => Buffer.concat([cborHead(3, text.length), Buffer.from(text)])
const cborBytes = (bytes: Uint8Array) => Buffer.concat([cborHead(2, bytes.length), bytes])
const cborInteger = (value: number) => (value < 0 ? cborHead(1, -1 - value) : cborHead(0, value))

function toCoseKey(key: KeyObject): Buffer {
  const { x = '', y = '' } = key.export({ format: 'jwk' })
  const entries: [number, Buffer][] = [
    [1, cborInteger(2)],
    [3, cborInteger(-7)],
    [-1, cborInteger(1)],
    [-2, cborBytes(Buffer.from(x, 'base64url'))],
    [-3, cborBytes(Buffer.from(y, 'base64url'))],
  ]
  return Buffer.concat([cborHead(5, entries.length), ...entries.flatMap(([name, value]) => [cborInteger(name), value])])
}
