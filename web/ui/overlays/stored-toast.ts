const storedToastKey = 'keeper-toast'

/** Shows a toast on the next page that this tab loads. */
export function storeToast(message: string): void {
  try {
    sessionStorage.setItem(storedToastKey, message)
  } catch {
    // Storage is blocked; the toast isn't essential.
  }
}

/** Returns the stored toast and removes it, so that it is shown once. */
export function takeStoredToast(): string | null {
  try {
    const message = sessionStorage.getItem(storedToastKey)
    sessionStorage.removeItem(storedToastKey)
    return message
  } catch {
    return null
  }
}
