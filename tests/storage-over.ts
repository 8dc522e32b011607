/** Stands for `localStorage` or `sessionStorage` where there is no browser; what it holds is the test's to look at and to change. */
export function storageOver(held: Map<string, string>): Pick<Storage, 'getItem' | 'setItem' | 'removeItem'> {
  return {
    getItem: (name) => held.get(name) ?? null,
    setItem: (name, value) => void held.set(name, value),
    removeItem: (name) => void held.delete(name),
  }
}
