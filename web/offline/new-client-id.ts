/** An id made in this browser: 32 hexadecimal characters, as the server takes them for what is created. */
export function newClientId(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('')
}

/**
 * Of something new in the making, at each change of its draft: it has one id from its first word on. What was found in
 * this browser may have been sent, and its answer not heard: changed, it is another one.
 */
export function idInTheMaking({ value, restored }: { value: { id: string }; restored: boolean }): string {
  return (!restored && value.id) || newClientId()
}
