/** 32 hex characters, as the server accepts for new entities. */
export function createClientId(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('')
}

/** A changed restored draft gets a new id, because the original may already have been sent. */
export function getDraftId({ value, restored }: { value: { id: string }; restored: boolean }): string {
  return (!restored && value.id) || createClientId()
}
