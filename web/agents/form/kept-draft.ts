/** A place where unsent words wait: this tab's memory, which survives a reload. */
export interface KeptDraft<Value> {
  read(): Value | undefined
  write(value: Value): void
  clear(): void
}

/** Private windows may refuse storage; then there is simply no draft. */
export function keptDraft<Value>(
  name: string,
  isValue: (value: unknown) => value is Value,
  storage: () => Storage = () => sessionStorage,
): KeptDraft<Value> {
  const key = `keeper-draft-${name}`
  return {
    read() {
      try {
        const value: unknown = JSON.parse(storage().getItem(key) ?? 'null')
        return isValue(value) ? value : undefined
      } catch {
        return undefined
      }
    },
    write(value) {
      try {
        storage().setItem(key, JSON.stringify(value))
      } catch {}
    },
    clear() {
      try {
        storage().removeItem(key)
      } catch {}
    },
  }
}
