/** Whose first steps this browser knows to be put away or over: for everybody else their place is held open while they load. */
const key = 'keeper-first-steps-over'

export function areOver(personId: string | undefined): boolean {
  try {
    return personId !== undefined && localStorage.getItem(key) === personId
  } catch {
    return false
  }
}

export function rememberOver(personId: string, over: boolean): void {
  try {
    if (over) localStorage.setItem(key, personId)
    else localStorage.removeItem(key)
  } catch {
    // Then their place is held open for a moment next time.
  }
}
