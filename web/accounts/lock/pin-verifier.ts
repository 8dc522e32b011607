const iterations = 600_000

const toBase64 = (bytes: Uint8Array): string => btoa(String.fromCharCode(...bytes))
const fromBase64 = (text: string): Uint8Array<ArrayBuffer> => Uint8Array.from(atob(text), (char) => char.charCodeAt(0))

/** Lets this browser check a PIN while the server can't; undefined without a secure context. The hash only slows guessing. */
export async function createPinVerifier(pin: string): Promise<{ salt: string; hash: string } | undefined> {
  if (!globalThis.crypto?.subtle) return undefined
  const salt = crypto.getRandomValues(new Uint8Array(16))
  return { salt: toBase64(salt), hash: await derive(pin, salt) }
}

export async function matchesPin(pin: string, { salt, hash }: { salt: string; hash: string }): Promise<boolean> {
  return (await derive(pin, fromBase64(salt))) === hash
}

async function derive(pin: string, salt: Uint8Array<ArrayBuffer>): Promise<string> {
  const key = await crypto.subtle.importKey('raw', new TextEncoder().encode(pin), 'PBKDF2', false, ['deriveBits'])
  return toBase64(
    new Uint8Array(await crypto.subtle.deriveBits({ name: 'PBKDF2', hash: 'SHA-256', salt, iterations }, key, 256)),
  )
}
