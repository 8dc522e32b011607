/** An id made in this browser: 32 hexadecimal characters, as the server takes them for what is created. */
export function newClientId(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('')
}
