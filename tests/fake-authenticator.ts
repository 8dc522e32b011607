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
const hashSha256 = (bytes: Uint8Array | string) => createHash('sha256').update(bytes).digest()

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
    const authData = Buffer.concat([
      this.#createAuthenticatorData(0x40),
      aaguid,
      length,
      id,
      toCoseKey(this.#keys.publicKey),
    ])
    const attestationObject = Buffer.concat([
      encodeCborHead(5, 3),
      encodeCborText('fmt'),
      encodeCborText('none'),
      encodeCborText('attStmt'),
      encodeCborHead(5, 0),
      encodeCborText('authData'),
      encodeCborBytes(authData),
    ])
    return {
      id: this.id,
      rawId: this.id,
      type: 'public-key',
      response: {
        clientDataJSON: toText(this.#createClientData('webauthn.create', challenge)),
        attestationObject: toText(attestationObject),
        transports: ['internal'],
      },
    }
  }

  /** The answer to sign-in or proof options. */
  get({ options }: CeremonyOptions): PasskeyResponse {
    const authenticatorData = this.#createAuthenticatorData(0)
    const clientData = this.#createClientData('webauthn.get', options.challenge as string)
    const signature = sign(
      'sha256',
      Buffer.concat([authenticatorData, hashSha256(clientData)]),
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

  #createClientData(type: string, challenge: string): Buffer {
    return Buffer.from(JSON.stringify({ type, challenge, origin: this.origin, crossOrigin: false }))
  }

  #createAuthenticatorData(extraFlags: number): Buffer {
    const { isUserVerified = true, isSynced = false, isBackedUp = false, counter = 0 } = this.options
    const flags = 0x01 | (isUserVerified ? 0x04 : 0) | (isSynced ? 0x08 : 0) | (isBackedUp ? 0x10 : 0) | extraFlags
    const count = Buffer.alloc(4)
    count.writeUInt32BE(counter)
    return Buffer.concat([hashSha256(this.#rpId), Buffer.from([flags]), count])
  }
}

function encodeCborHead(type: number, value: number): Buffer {
  if (value < 24) return Buffer.from([(type << 5) | value])
  if (value < 256) return Buffer.from([(type << 5) | 24, value])
  return Buffer.from([(type << 5) | 25, value >> 8, value & 0xff])
}
const encodeCborText = (text: string) => Buffer.concat([encodeCborHead(3, text.length), Buffer.from(text)])
const encodeCborBytes = (bytes: Uint8Array) => Buffer.concat([encodeCborHead(2, bytes.length), bytes])
const encodeCborInteger = (value: number) => (value < 0 ? encodeCborHead(1, -1 - value) : encodeCborHead(0, value))

function toCoseKey(key: KeyObject): Buffer {
  const { x = '', y = '' } = key.export({ format: 'jwk' })
  const entries: [number, Buffer][] = [
    [1, encodeCborInteger(2)],
    [3, encodeCborInteger(-7)],
    [-1, encodeCborInteger(1)],
    [-2, encodeCborBytes(Buffer.from(x, 'base64url'))],
    [-3, encodeCborBytes(Buffer.from(y, 'base64url'))],
  ]
  return Buffer.concat([
    encodeCborHead(5, entries.length),
    ...entries.flatMap(([name, value]) => [encodeCborInteger(name), value]),
  ])
}
